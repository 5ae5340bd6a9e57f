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
