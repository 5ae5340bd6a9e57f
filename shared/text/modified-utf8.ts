const REPLACEMENT = 0xfffd;

/**
 * Decodes bytes[from … to) as a JVM string, which is in modified UTF-8 (JVM specification 4.4.7): U+0000 is C0 80, and
 * characters above U+FFFF are two surrogates of three bytes each. Four-byte sequences of ordinary UTF-8 are decoded too.
 * Each malformed byte becomes U+FFFD.
 */
export function decodeModifiedUtf8(bytes: Uint8Array, from: number, to: number): string {
  let ascii = from;
  while (ascii < to && bytes[ascii] < 0x80) ascii++;
  let text = asciiText(bytes, from, ascii);
  for (let at = ascii; at < to;) {
    const first = bytes[at];
    let length = 1;
    let code = first < 0x80 ? first : REPLACEMENT;
    if (first >= 0xc0 && first < 0xe0 && isTail(bytes, at + 1, to)) {
      code = ((first & 0x1f) << 6) | (bytes[at + 1] & 0x3f);
      length = 2;
    } else if (first >= 0xe0 && first < 0xf0 && isTail(bytes, at + 1, to) && isTail(bytes, at + 2, to)) {
      code = ((first & 0x0f) << 12) | ((bytes[at + 1] & 0x3f) << 6) | (bytes[at + 2] & 0x3f);
      length = 3;
    } else if (
      first >= 0xf0 &&
      first < 0xf8 &&
      isTail(bytes, at + 1, to) &&
      isTail(bytes, at + 2, to) &&
      isTail(bytes, at + 3, to)
    ) {
      code =
        ((first & 0x07) << 18) |
        ((bytes[at + 1] & 0x3f) << 12) |
        ((bytes[at + 2] & 0x3f) << 6) |
        (bytes[at + 3] & 0x3f);
      length = 4;
      if (code > 0x10ffff) code = REPLACEMENT;
    }
    text += String.fromCodePoint(code);
    at += length;
  }
  return text;
}

function isTail(bytes: Uint8Array, at: number, to: number): boolean {
  return at < to && (bytes[at] & 0xc0) === 0x80;
}

/**
 * Decodes bytes[from … to), which are ASCII. In pieces, because the number of arguments of a call is limited. Spread
 * syntax instead of `apply` would use an iterator and take three times as long.
 */
function asciiText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += 4096) {
    const codes: ArrayLike<number> = bytes.subarray(at, Math.min(at + 4096, to));
    text += String.fromCharCode.apply(null, codes as number[]);
  }
  return text;
}
