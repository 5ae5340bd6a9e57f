import type { ByteSink } from './export-input.ts';

const PIECE_BYTES = 65_536;

/** Writes bytes to a sink in pieces of 64 KiB. */
export class ByteWriter {
  /** How much of the export is written, 0 to 1; passed with every piece. */
  share = 0;
  readonly #sink: ByteSink;
  readonly #littleEndian: boolean;
  #piece = new Uint8Array(PIECE_BYTES);
  #view = new DataView(this.#piece.buffer);
  #length = 0;

  constructor(sink: ByteSink, littleEndian: boolean) {
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
