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

/**
 * The byte order of a text in UTF-16. Without a byte order mark, as PowerShell may write it, it is known by the zero
 * byte of the first character, which other texts do not have. Undefined for any other input.
 */
export function utf16Order(head: Uint8Array): 'le' | 'be' | undefined {
  if (head.length < 2) return undefined;
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'le';
  if (first === 0xfe && second === 0xff) return 'be';
  const isPair = (at: number, other: number): boolean =>
    head.length < 4 || (head[at] === 0 && head[other] !== 0);
  if (second === 0 && first !== 0 && isPair(3, 2)) return 'le';
  if (first === 0 && second !== 0 && isPair(2, 3)) return 'be';
  return undefined;
}

/** Whether the input begins with the byte order mark of UTF-8. */
export function hasUtf8Mark(head: Uint8Array): boolean {
  return head.length >= 3 && head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
}

/** The number of bytes of a range of UTF-8 as UTF-16: four for a character above U+FFFF, two for any other. */
export function utf16Bytes(utf8: Uint8Array, from: number, to: number): number {
  let units = 0;
  for (let at = from; at < to; at++) {
    if ((utf8[at] & 0xc0) !== 0x80) units += utf8[at] >= 0xf0 ? 2 : 1;
  }
  return units * 2;
}

/** The text of an input, or of its beginning, in UTF-8 or UTF-16; without its byte order mark. */
export function decodedText(bytes: Uint8Array): string {
  const order = utf16Order(bytes);
  return new TextDecoder(order === undefined ? 'utf-8' : `utf-16${order}`).decode(bytes);
}

/** Whether a text has control characters that texts do not have. Escape sequences of a terminal's colours are text. */
export function hasControls(text: string): boolean {
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text);
}
