/** Numbers of 4 bytes in a chunk: a few of them are read faster like this than through a view made for them. */
export function i4(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
}

export function u4(bytes: Uint8Array, at: number): number {
  return i4(bytes, at) >>> 0;
}
