/**
 * Keeps the incomplete record at the end of a chunk until the next chunk arrives. While nothing is kept, chunks are not
 * copied. The buffer doubles when it is full, so that a record that spans many chunks is not copied again with each.
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

  /** Returns the kept bytes followed by the chunk, borrowed until the next call. */
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

  /** Keeps joined[from …]. `joined` is what `join` returned last. */
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

  /** Keeps nothing, and frees the buffer. */
  clear(): void {
    this.#kept = new Uint8Array(0);
    this.#length = 0;
  }

  /** The kept bytes, borrowed until the next call. */
  get bytes(): Uint8Array {
    return this.#kept.subarray(0, this.#length);
  }
}

/** Returns a new array: `first` followed by `second`. */
export function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
