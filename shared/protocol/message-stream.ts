/** In a stream of bytes, each binary message is preceded by its length (u32, little-endian). */
export const STREAM_HEADER_BYTES = 4;

/** Reassembles messages from pieces that may begin and end anywhere. */
export class MessageReader {
  readonly #onMessage: (message: ArrayBuffer) => void;
  readonly #header = new Uint8Array(STREAM_HEADER_BYTES);
  /** What is being filled: the header, or a message. */
  #target = this.#header;
  #filled = 0;

  constructor(onMessage: (message: ArrayBuffer) => void) {
    this.#onMessage = onMessage;
  }

  /** The piece is borrowed for the call. */
  append(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      const count = Math.min(piece.length - at, this.#target.length - this.#filled);
      this.#target.set(piece.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled === this.#target.length) this.#complete();
    }
  }

  #complete(): void {
    const { buffer } = this.#target;
    this.#filled = 0;
    if (buffer !== this.#header.buffer) {
      this.#target = this.#header;
      this.#onMessage(buffer);
      return;
    }
    this.#target = new Uint8Array(new DataView(buffer).getUint32(0, true));
    if (this.#target.length === 0) this.#complete();
  }
}
