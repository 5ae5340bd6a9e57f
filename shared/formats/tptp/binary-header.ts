/** Length of the header of the binary form (specs: tptp, section 1). */
export const HEADER_BYTES = 12;

const MAGIC = [0x30, 0x54, 0x42, 0x46];

export interface BinaryHeader {
  readonly major: number;
  readonly minor: number;
  /** The platform has 32 bits. */
  readonly is32Bit: boolean;
  readonly littleEndian: boolean;
  /** Offset of the messages according to the header. */
  readonly dataOffset: number;
}

/** Number of bytes at the start that match the magic number, whose first byte may also be NUL. */
export function magicLength(head: Uint8Array): number {
  let at = 0;
  while (at < MAGIC.length && (head[at] === MAGIC[at] || (at === 0 && head[at] === 0))) at++;
  return at;
}

/** Undefined without the magic number. Other values are not checked. */
export function readHeader(bytes: Uint8Array, view: DataView): BinaryHeader | undefined {
  if (magicLength(bytes) < MAGIC.length) return undefined;
  const littleEndian = bytes[7] !== 0;
  return {
    major: bytes[4],
    minor: bytes[5],
    is32Bit: bytes[6] === 0,
    littleEndian,
    dataOffset: view.getUint32(8, littleEndian),
  };
}
