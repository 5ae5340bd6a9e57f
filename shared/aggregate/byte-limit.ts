/** Counts bytes, up to a limit that may only be raised. */
export class ByteLimit {
  most = Infinity;
  #bytes = 0;

  /** Counts so many more bytes. False if the limit does not allow them; they are counted, so that it allows no others. */
  add(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#bytes <= this.most;
  }

  /** Bytes that are still allowed. */
  get spare(): number {
    return Math.max(0, this.most - this.#bytes);
  }
}
