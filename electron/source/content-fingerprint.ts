import { joined } from '../../shared/bytes/joined.ts';

/** In an Honest Profiler log enough for a thread, a trace start with its nanoseconds, and the first frame. */
const HEAD_BYTES = 64;
const TAIL_BYTES = 32;

/**
 * Stores some of the bytes that were read, to detect whether a file still has the same content: the first 64 bytes, and
 * the last 32 bytes of the final part. Size, time and inode number are not enough: a log that was truncated and has
 * grown beyond its old size again differs only in its bytes.
 */
export class ContentFingerprint {
  readonly #head = new Uint8Array(HEAD_BYTES);
  #headLength = 0;
  #tail = new Uint8Array(0);
  /** Offset of the end of the tail. */
  #end = 0;
  /** The last bytes that were read, whether final or not. */
  #recent = new Uint8Array(0);

  clear(): void {
    this.#headLength = 0;
    this.#tail = new Uint8Array(0);
    this.#end = 0;
    this.#recent = new Uint8Array(0);
  }

  /** `chunk` was read at `offset`, the end of the chunk before. The content before offset `final` will not change. */
  advance(chunk: Uint8Array, offset: number, final: number): void {
    const start = offset - this.#recent.length;
    const part = (from: number, to: number): Uint8Array<ArrayBuffer> => {
      if (from >= offset) return chunk.slice(from - offset, to - offset);
      const before = this.#recent.subarray(from - start, Math.min(to, offset) - start);
      return joined(before, chunk.subarray(0, Math.max(0, to - offset)));
    };
    const headEnd = Math.min(HEAD_BYTES, final);
    if (this.#headLength < headEnd && this.#headLength >= start) {
      this.#head.set(part(this.#headLength, headEnd), this.#headLength);
      this.#headLength = headEnd;
    }
    if (final > this.#end) {
      const from = Math.max(start, final - TAIL_BYTES);
      this.#tail = part(from, Math.max(from, final));
      this.#end = final;
    }
    const end = offset + chunk.length;
    this.#recent = part(Math.max(start, end - HEAD_BYTES - TAIL_BYTES), end);
  }

  /**
   * `chunk` has replaced zeros from the offset `from` on, up to which the content was final; the zeros after it, up to
   * the offset `end`, are unchanged.
   */
  overwrite(chunk: Uint8Array, from: number, end: number, final: number): void {
    this.rewind();
    this.advance(chunk, from, final);
    const zeros = Math.min(end - from - chunk.length, HEAD_BYTES + TAIL_BYTES);
    this.advance(new Uint8Array(zeros), end - zeros, final);
  }

  /** Call it before the bytes after the final part are read again. */
  rewind(): void {
    this.#recent = this.#tail;
  }

  /** Compares with the present content. `read` returns up to `length` bytes at an offset, borrowed until its next call. */
  matches(read: (offset: number, length: number) => Uint8Array): boolean {
    return (
      isEqual(this.#head.subarray(0, this.#headLength), read(0, this.#headLength)) &&
      isEqual(this.#tail, read(this.#end - this.#tail.length, this.#tail.length))
    );
  }
}

function isEqual(expected: Uint8Array, found: Uint8Array): boolean {
  return expected.length === found.length && expected.every((byte, index) => found[index] === byte);
}
