/** Where and how an input is damaged. The code that shows it adds advice. */
export interface Damage {
  /** What was being read: 'record type', 'frame', 'method definition' … */
  readonly what: string;
  /** Offset of the record's first byte in the (unpacked) input. */
  readonly byteOffset: number;
  /** Number of complete records before it. */
  readonly record: number;
  readonly found: string;
  readonly expected: string;
}
