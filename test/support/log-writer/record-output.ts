/**
 * Honest Profiler records at some hundred megabytes per second: written in place into one block, which goes to `sink`
 * whenever it is full. `sink` must not keep the bytes.
 *
 * Ids are two halves. The caller decides which records a log has, in which order. log-bytes.ts writes single records.
 */
const BLOCK_BYTES = 4 << 20;
const FRAME_BYTES = 17;

export class RecordOutput {
  readonly #sink: (bytes: Uint8Array) => void;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  readonly #view = new DataView(this.#block.buffer);
  readonly #encoder = new TextEncoder();
  #at = 0;
  #flushed = 0;

  constructor(sink: (bytes: Uint8Array) => void) {
    this.#sink = sink;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#flushed + this.#at;
  }

  /** Type 11. `seconds` must stay below 2^32. */
  traceStart(numFrames: number, threadHi: number, threadLo: number, seconds: number, nanos: number): void {
    this.#reserve(29);
    const view = this.#view;
    const at = this.#at;
    view.setUint8(at, 11);
    view.setInt32(at + 1, numFrames);
    view.setInt32(at + 5, threadHi);
    view.setInt32(at + 9, threadLo);
    view.setInt32(at + 13, 0);
    view.setUint32(at + 17, seconds);
    view.setInt32(at + 21, 0);
    view.setUint32(at + 25, nanos);
    this.#at = at + 29;
  }

  /** Type 21, or 2 as the agent does for a BCI of 0 and below, which has no line. */
  frame(methodHi: number, methodLo: number, bci: number, line: number): void {
    this.#reserve(FRAME_BYTES);
    const view = this.#view;
    let at = this.#at;
    view.setUint8(at, bci > 0 ? 21 : 2);
    view.setInt32(at + 1, bci);
    if (bci > 0) {
      view.setInt32(at + 5, line);
      at += 4;
    }
    view.setInt32(at + 5, methodHi);
    view.setInt32(at + 9, methodLo);
    this.#at = at + 13;
  }

  /** Type 31, without generic signatures. */
  method(methodHi: number, methodLo: number, file: string, classSignature: string, name: string): void {
    this.#head(31, methodHi, methodLo);
    for (const text of [file, classSignature, '', name, '()V', '']) this.#string(text);
  }

  /** Type 4. */
  thread(threadHi: number, threadLo: number, name: string): void {
    this.#head(4, threadHi, threadLo);
    this.#string(name);
  }

  /** Records as they are. */
  records(bytes: Uint8Array): void {
    if (bytes.length > BLOCK_BYTES) {
      this.flush();
      this.#sink(bytes);
      this.#flushed += bytes.length;
      return;
    }
    this.#reserve(bytes.length);
    this.#block.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  flush(): void {
    if (this.#at === 0) return;
    this.#sink(this.#block.subarray(0, this.#at));
    this.#flushed += this.#at;
    this.#at = 0;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes > BLOCK_BYTES) this.flush();
  }

  #head(type: number, idHi: number, idLo: number): void {
    this.#reserve(9);
    this.#view.setUint8(this.#at, type);
    this.#view.setInt32(this.#at + 1, idHi);
    this.#view.setInt32(this.#at + 5, idLo);
    this.#at += 9;
  }

  #string(text: string): void {
    const encoded = this.#encoder.encode(text);
    this.#reserve(4 + encoded.length);
    this.#view.setInt32(this.#at, encoded.length);
    this.#block.set(encoded, this.#at + 4);
    this.#at += 4 + encoded.length;
  }
}
