/** A member of a gzip file begins with these bytes, followed by flags of which the upper three are 0 (RFC 1952). */
const MAGIC = [0x1f, 0x8b, 0x08] as const;
const RESERVED_FLAGS = 0xe0;

/** Where bytes[from …] may have the head of a gzip member; -1 if nowhere. Compressed data may contain such bytes, too. */
export function findMemberHead(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(MAGIC[0], from); at >= 0; at = bytes.indexOf(MAGIC[0], at + 1)) {
    if (at + MAGIC.length >= bytes.length) return -1;
    const isHead = bytes[at + 1] === MAGIC[1] && bytes[at + 2] === MAGIC[2];
    if (isHead && (bytes[at + 3] & RESERVED_FLAGS) === 0) return at;
  }
  return -1;
}

/** How many bytes at the end may be an incomplete head, at most three. */
export function incompleteHeadBytes(bytes: Uint8Array): number {
  for (let count = Math.min(MAGIC.length, bytes.length); count > 0; count--) {
    const start = bytes.length - count;
    if (MAGIC.slice(0, count).every((byte, at) => bytes[start + at] === byte)) return count;
  }
  return 0;
}

/** The size of the unpacked data, modulo 2^32, with which a member ends. */
export function memberSize(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes.length < 4 ? -1 : view.getUint32(bytes.length - 4, true);
}
