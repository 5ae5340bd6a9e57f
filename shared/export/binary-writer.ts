/** Texts in order of first use. The first one is empty, as pprof and OpenTelemetry require. */
export class Strings {
  readonly texts: string[] = [''];
  readonly #indexes = new Map([['', 0]]);

  index(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.texts.length;
    this.#indexes.set(text, index);
    this.texts.push(text);
    return index;
  }
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;

/** Writes the fields of a protobuf message. */
export class MessageWriter {
  length = 0;
  #bytes = new Uint8Array(1024);

  /** A varint field. The value is an integer; a negative one is written in two's complement. */
  integer(field: number, value: number | bigint): void {
    this.varint((field << 3) | VARINT);
    this.varint(value);
  }

  /** A field of eight bytes. */
  fixed64(field: number, value: bigint): void {
    this.varint((field << 3) | FIXED64);
    this.raw(new Uint8Array(BigUint64Array.of(BigInt.asUintN(64, value)).buffer));
  }

  text(field: number, content: string): void {
    this.bytes(field, new TextEncoder().encode(content));
  }

  bytes(field: number, content: Uint8Array): void {
    this.varint((field << 3) | LENGTH_DELIMITED);
    this.varint(content.length);
    this.raw(content);
  }

  /** A field with the content of another writer: a message or packed varints. The other writer is empty afterwards. */
  message(field: number, content: MessageWriter): void {
    this.bytes(field, content.#bytes.subarray(0, content.length));
    content.length = 0;
  }

  varint(value: number | bigint): void {
    this.#reserve(10);
    if (typeof value === 'number' && value >= 0) {
      let left = value;
      while (left >= 0x80) {
        this.#bytes[this.length++] = 0x80 | (left % 0x80);
        left = Math.floor(left / 0x80);
      }
      this.#bytes[this.length++] = left;
      return;
    }
    let left = BigInt.asUintN(64, BigInt(value));
    while (left >= 0x80n) {
      this.#bytes[this.length++] = 0x80 | Number(left & 0x7fn);
      left >>= 7n;
    }
    this.#bytes[this.length++] = Number(left);
  }

  raw(content: Uint8Array): void {
    this.#reserve(content.length);
    this.#bytes.set(content, this.length);
    this.length += content.length;
  }

  /** The bytes that were written so far, borrowed until more is. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  /** Returns a copy of what was written. The writer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.length + more, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}

const PIECE_BYTES = 65_536;

/** Writes bytes to a sink in pieces of 64 KiB. */
export class ByteWriter {
  /** The share of the export that is written, 0 to 1; passed with every piece. */
  share = 0;
  readonly #sink: (bytes: Uint8Array, share: number) => void;
  readonly #littleEndian: boolean;
  #piece = new Uint8Array(PIECE_BYTES);
  #view = new DataView(this.#piece.buffer);
  #length = 0;

  /** `sink`: a ByteSink. */
  constructor(sink: (bytes: Uint8Array, share: number) => void, littleEndian: boolean) {
    this.#sink = sink;
    this.#littleEndian = littleEndian;
  }

  /** Writes the low bits of an integer. */
  number(value: number, size: 1 | 2 | 4): void {
    if (this.#length + size > PIECE_BYTES) this.#emit();
    if (size === 4) this.#view.setInt32(this.#length, value, this.#littleEndian);
    else if (size === 2) this.#view.setInt16(this.#length, value, this.#littleEndian);
    else this.#piece[this.#length] = value;
    this.#length += size;
  }

  bytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#length === PIECE_BYTES) this.#emit();
      const part = bytes.subarray(at, at + PIECE_BYTES - this.#length);
      this.#piece.set(part, this.#length);
      this.#length += part.length;
      at += part.length;
    }
  }

  /** Writes the remaining bytes. */
  flush(): void {
    if (this.#length > 0) this.#emit();
  }

  #emit(): void {
    this.#sink(this.#piece.subarray(0, this.#length), this.share);
    // The sink may keep the piece, so the next one needs another array.
    this.#piece = new Uint8Array(PIECE_BYTES);
    this.#view = new DataView(this.#piece.buffer);
    this.#length = 0;
  }
}
