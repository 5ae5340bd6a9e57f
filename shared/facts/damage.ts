/** Where and how an input is damaged. The code that shows it adds advice. */
export interface Damage {
  /** The input is not damaged but exceeds a limit of Leanscope. What comes after that is not counted. */
  readonly isLimit?: true;
  /** What was being read: 'record type', 'frame', 'method definition' … */
  readonly what: string;
  /** Offset of the record's first byte in the (unpacked) input; for a limit, of bytes shortly before it. */
  readonly byteOffset: number;
  /** Number of complete records before it. */
  readonly record: number;
  readonly found: string;
  readonly expected: string;
}
