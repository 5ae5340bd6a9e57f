/**
 * Converts UTF-16 text to UTF-8, chunk by chunk, so that readers of ASCII text work unchanged. A character may be split
 * between chunks; invalid code units become U+FFFD.
 */
export class Utf16Reader {
  readonly #decoder: TextDecoder;
  readonly #encoder = new TextEncoder();

  constructor(order: 'le' | 'be') {
    this.#decoder = new TextDecoder(`utf-16${order}`);
  }

  read(chunk: Uint8Array): Uint8Array {
    return this.#encoder.encode(this.#decoder.decode(chunk, { stream: true }));
  }
}

/** The byte order, if the input begins with a UTF-16 byte order mark; otherwise undefined. */
export function utf16Order(head: Uint8Array): 'le' | 'be' | undefined {
  if (head.length < 2) return undefined;
  if (head[0] === 0xff && head[1] === 0xfe) return 'le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'be';
  return undefined;
}

/** How many bytes a range of UTF-8 has as UTF-16: four for a character above U+FFFF, two for any other. */
export function utf16Bytes(utf8: Uint8Array, from: number, to: number): number {
  let units = 0;
  for (let at = from; at < to; at++) {
    if ((utf8[at] & 0xc0) !== 0x80) units += utf8[at] >= 0xf0 ? 2 : 1;
  }
  return units * 2;
}
