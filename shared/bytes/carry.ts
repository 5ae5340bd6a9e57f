/**
 * Keeps what a chunk cut until the next one comes. While nothing is kept a chunk is handed through as it is; a piece
 * that many chunks make up is copied once into memory that doubles, not anew with every chunk.
 *
 *   chunk 1   ▐record▐record▐rec          keep(joined, 14)
 *   chunk 2                    ord▐record▐        join gives  rec·ord▐record▐
 */
export class Carry {
  #kept = new Uint8Array(0);
  #length = 0;

  /** Bytes kept. */
  get length(): number {
    return this.#length;
  }

  /** What was kept and then the chunk; borrowed until the next call. */
  join(chunk: Uint8Array): Uint8Array {
    if (this.#length === 0) return chunk;
    const length = this.#length + chunk.length;
    if (length > this.#kept.length) {
      const larger = new Uint8Array(Math.max(length, this.#kept.length * 2, 256));
      larger.set(this.#kept.subarray(0, this.#length));
      this.#kept = larger;
    }
    this.#kept.set(chunk, this.#length);
    this.#length = length;
    return this.#kept.subarray(0, length);
  }

  /** Keeps what is at and behind `from` of the bytes that `join` gave last. */
  keep(joined: Uint8Array, from: number): void {
    const isOwn = this.#length > 0 && joined.buffer === this.#kept.buffer;
    const length = joined.length - from;
    if (isOwn) {
      if (from > 0) this.#kept.copyWithin(0, from, joined.length);
    } else if (length > 0) {
      if (length > this.#kept.length) this.#kept = new Uint8Array(Math.max(length, 256));
      this.#kept.set(joined.subarray(from));
    }
    this.#length = length;
  }

  /** What is kept; borrowed until the next call. */
  get bytes(): Uint8Array {
    return this.#kept.subarray(0, this.#length);
  }
}
