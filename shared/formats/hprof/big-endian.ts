/** Reads a signed integer of 4 bytes. For a few integers per chunk, this is faster than creating a DataView. */
export function i4(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
}

/** Reads an unsigned integer of 4 bytes. */
export function u4(bytes: Uint8Array, at: number): number {
  return i4(bytes, at) >>> 0;
}
