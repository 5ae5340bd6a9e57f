import type { ByteSink } from './byte-sink.ts';

const PIECE_BYTES = 65_536;

/** Writes bytes to a sink in pieces of about 64 KiB. Numbers are big-endian. */
export class ByteWriter {
  /** How much of the export is written, 0 to 1; passed with every piece. */
  share = 0;
  readonly #sink: ByteSink;
  #piece = new Uint8Array(PIECE_BYTES);
  #length = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  u1(value: number): void {
    if (this.#length === PIECE_BYTES) this.flush();
    this.#piece[this.#length++] = value;
  }

  u2(value: number): void {
    this.u1(value >>> 8);
    this.u1(value);
  }

  u4(value: number): void {
    if (this.#length + 4 > PIECE_BYTES) this.flush();
    const piece = this.#piece;
    const at = this.#length;
    piece[at] = value >>> 24;
    piece[at + 1] = value >>> 16;
    piece[at + 2] = value >>> 8;
    piece[at + 3] = value;
    this.#length = at + 4;
  }

  bytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#length === PIECE_BYTES) this.flush();
      const part = bytes.subarray(at, at + PIECE_BYTES - this.#length);
      this.#piece.set(part, this.#length);
      this.#length += part.length;
      at += part.length;
    }
  }

  flush(): void {
    if (this.#length > 0) {
      this.#sink(this.#piece.subarray(0, this.#length), this.share);
      // The sink may keep the piece, so the next one needs another array.
      this.#piece = new Uint8Array(PIECE_BYTES);
    }
    this.#length = 0;
  }
}
