/** The first bytes of the binary form (specs: tptp, section 1). */
export const HEADER_BYTES = 12;

const MAGIC = [0x30, 0x54, 0x42, 0x46];

export interface BinaryHeader {
  readonly major: number;
  readonly minor: number;
  /** Its platform has 32 bits. */
  readonly isNarrow: boolean;
  readonly littleEndian: boolean;
  /** Where the messages begin, as it says. */
  readonly dataOffset: number;
}

/** How many bytes at the beginning are those of the magic; its first may be a NUL, too. */
export function magicLength(head: Uint8Array): number {
  let at = 0;
  while (at < MAGIC.length && (head[at] === MAGIC[at] || (at === 0 && head[at] === 0))) at++;
  return at;
}

/** What is left out is told by `Damage`: a header that has its magic is always read. */
export function readHeader(bytes: Uint8Array, view: DataView): BinaryHeader | undefined {
  if (magicLength(bytes) < MAGIC.length) return undefined;
  const littleEndian = bytes[7] !== 0;
  return {
    major: bytes[4],
    minor: bytes[5],
    isNarrow: bytes[6] === 0,
    littleEndian,
    dataOffset: view.getUint32(8, littleEndian),
  };
}
