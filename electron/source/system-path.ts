/**
 * File systems of Linux name files by bytes, which need not be UTF-8. Paths are strings here all the same: a byte that is
 * no UTF-8 is half of a surrogate pair, 0xFF is U+DCFF (Python's `surrogateescape`). Only system calls get the bytes.
 *
 *   bytes    66 6f ff 2e 68 70 6c
 *   path     f  o  \udcff .  h  p  l
 */
const BYTE_ESCAPE = 0xdc00;
const ESCAPED_BYTES = /([\u{dc80}-\u{dcff}])/u;

/** The path with these bytes. */
export function pathOfBytes(bytes: Buffer): string {
  let path = '';
  for (let at = 0; at < bytes.length;) {
    const character = characterAt(bytes, at);
    path += character ?? String.fromCharCode(BYTE_ESCAPE | bytes[at]);
    at += character === undefined ? 1 : Buffer.byteLength(character);
  }
  return path;
}

/** The path in the form for system calls. */
export function systemPath(path: string): string | Buffer {
  const parts = path.split(ESCAPED_BYTES);
  if (parts.length === 1) return path;
  // Every second part is an escaped byte.
  return Buffer.concat(
    parts.map((part, at) => (at % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) & 0xff))),
  );
}

/** The character whose UTF-8 begins there, if there is one. */
function characterAt(bytes: Buffer, at: number): string | undefined {
  const [first] = bytes.subarray(at);
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const unit = bytes.subarray(at, at + length);
  const character = unit.toString();
  return Buffer.from(character).equals(unit) ? character : undefined;
}
