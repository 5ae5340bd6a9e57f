/** How a string is written (specs: JFR 2.x). */
export type TextKind = 'utf8' | 'chars' | 'latin1';

/** Bytes of a recording, written one after the other. */
export class JfrBytes {
  bytes = new Uint8Array(4096);
  length = 0;

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** A compressed integer: 0 to 2^53, or -1, which is written as 64 ones. */
  integer(value: number): void {
    this.reserve(9);
    if (value < 0) {
      this.bytes.fill(0xff, this.length, this.length + 9);
      this.length += 9;
      return;
    }
    let left = value;
    while (left >= 0x80) {
      this.bytes[this.length++] = 0x80 | (left % 0x80);
      left = Math.floor(left / 0x80);
    }
    this.bytes[this.length++] = left;
  }

  text(text: string | undefined, kind: TextKind = 'utf8'): void {
    if (text === undefined) {
      this.byte(0);
    } else if (text === '') {
      this.byte(1);
    } else if (kind === 'chars') {
      this.byte(4);
      this.integer(text.length);
      for (let at = 0; at < text.length; at++) this.integer(text.charCodeAt(at));
    } else {
      const encoded =
        kind === 'latin1'
          ? Uint8Array.from(text, (char) => char.charCodeAt(0))
          : new TextEncoder().encode(text);
      this.byte(kind === 'latin1' ? 5 : 3);
      this.integer(encoded.length);
      this.append(encoded);
    }
  }

  /** A string that the pool of strings has. */
  pooledText(key: number): void {
    this.byte(2);
    this.integer(key);
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** An event of this type with these fields, its size in front of it. Returns the offset of its first byte. */
  event(type: number, fields: JfrBytes): number {
    const at = this.length;
    const ofType = widthOf(type) + fields.length;
    let size = ofType + 1;
    while (size - ofType !== widthOf(size)) size++;
    this.integer(size);
    this.integer(type);
    this.append(fields.written);
    return at;
  }

  /** Borrowed until the next write. */
  get written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.length + more, this.bytes.length * 2));
    larger.set(this.written);
    this.bytes = larger;
  }
}

function widthOf(value: number): number {
  let width = 1;
  for (let left = value; left >= 0x80; left = Math.floor(left / 0x80)) width++;
  return width;
}
