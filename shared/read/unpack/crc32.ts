const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** The checksum of zip archives (PKWARE APPNOTE, section 4.4.7). */
export class Crc32 {
  #rest = -1;

  add(bytes: Uint8Array): void {
    let rest = this.#rest;
    for (const byte of bytes) rest = TABLE[(rest ^ byte) & 0xff] ^ (rest >>> 8);
    this.#rest = rest;
  }

  get value(): number {
    return ~this.#rest >>> 0;
  }
}
