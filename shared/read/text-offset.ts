import { hasUtf8Mark, utf16Order } from './utf16.ts';

/** The offset of a character of a text in UTF-8 or UTF-16. `at`: its index in the text as `decodedText` gives it. */
export function byteOffsetOf(input: Uint8Array, at: number): number {
  if (utf16Order(input) !== undefined) return Math.min(input.length, (input[0] >= 0xfe ? 2 : 0) + at * 2);
  let offset = hasUtf8Mark(input) ? 3 : 0;
  for (let unit = 0; unit < at && offset < input.length;) {
    const bytes = sequenceBytes(input, offset);
    unit += bytes === 4 ? 2 : 1;
    offset += bytes;
  }
  return offset;
}

/**
 * The bytes of the character at `at`. Invalid bytes are one character each, except that the beginning of a valid
 * sequence is one together, as TextDecoder has it. Such a beginning has at most three bytes.
 */
function sequenceBytes(input: Uint8Array, at: number): number {
  const first = input[at];
  if (first < 0xc2 || first > 0xf4) return 1;
  const whole = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  let most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  let bytes = 1;
  while (bytes < whole && at + bytes < input.length) {
    const next = input[at + bytes];
    if (next < least || next > most) break;
    [least, most] = [0x80, 0xbf];
    bytes++;
  }
  return bytes;
}
