/** Where and how an input stopped making sense. Facts only; who shows it adds the advice. */
export interface Damage {
  /** What was being read: 'record type', 'frame', 'method definition' … */
  readonly what: string;
  /** Offset of the record's first byte in the (unpacked) input. */
  readonly byteOffset: number;
  /** Number of whole records before it. */
  readonly record: number;
  readonly found: string;
  readonly expected: string;
}

/** accepted + skipped + pending = bytes appended, always. */
export interface ByteAccount {
  /** Bytes of whole records that were understood. */
  readonly accepted: number;
  /** Bytes passed over: holes of zeros, and everything from a damage on. */
  readonly skipped: number;
  /** Bytes that may become a record when more arrive: a cut record, zeros at the end ('not written yet'). */
  readonly pending: number;
}

/**
 * Bytes in, calls on a SampleSink out. Laws: any division of the input into chunks gives the same calls (but for how
 * often `settle` withdraws and repeats the last sample); `append` never throws for what the bytes say; after a damage
 * everything is skipped.
 */
export interface ProfileDecoder {
  /** The next bytes of the input, borrowed for the call. */
  append(bytes: Uint8Array): void;
  /**
   * The input pauses here. Counts the trace that is still open, provisionally: only if its stack is complete, or,
   * when the input is `ended`, with the frames it has. More may be appended afterwards; it is then counted anew.
   */
  settle(ended: boolean): void;
  readonly bytes: ByteAccount;
  readonly damage: Damage | undefined;
  /**
   * Offset of the first byte that is not final. A writer that preallocates may still overwrite zeros from here on;
   * `rewind` makes the decoder expect this byte next.
   */
  readonly resumeOffset: number;
  rewind(): void;
}
