import { Carry } from './carry.ts';

const LF = 0x0a;
const CR = 0x0d;

/**
 * Splits chunks into lines. A line is a range of bytes: text is not decoded, and only a line that spans chunks is copied.
 *
 *   lines.take(chunk);
 *   while (lines.next()) read(lines.bytes, lines.from, lines.to);
 *   lines.end();                       the last line may have no line break
 *   while (lines.next()) …
 */
export class LineSplitter {
  /** The line is bytes[from … to), without its line break (LF or CR LF); borrowed until the next `take`. */
  bytes: Uint8Array = new Uint8Array(0);
  from = 0;
  to = 0;
  /** Offsets in the input of the line's first byte, and of the byte after its line break. */
  offset = 0;
  nextOffset = 0;
  /** Number of lines so far, including this one. */
  line = 0;

  readonly #carry = new Carry();
  #at = 0;
  #isEnded = false;

  /** Takes the next bytes of the input. All lines of the chunk before must have been read. */
  take(chunk: Uint8Array): void {
    this.bytes = this.#carry.join(chunk);
    this.#at = 0;
  }

  /** Call it at the end of the input: bytes after the last line break then are the last line. */
  end(): void {
    this.bytes = this.#carry.bytes;
    this.#at = 0;
    this.#isEnded = true;
  }

  /** Number of bytes after the last line break. */
  get pending(): number {
    return this.#carry.length;
  }

  /** The bytes after the last line break; borrowed until `take`. */
  get rest(): Uint8Array {
    return this.#carry.bytes;
  }

  /** Moves to the next line; false if the chunk has no further complete line. */
  next(): boolean {
    const { bytes } = this;
    const from = this.#at;
    const breakAt = from < bytes.length ? bytes.indexOf(LF, from) : -1;
    if (breakAt < 0) {
      if (this.#isEnded && from < bytes.length) {
        this.#step(from, bytes.length, bytes.length);
        this.#carry.keep(bytes, bytes.length);
        return true;
      }
      if (!this.#isEnded) this.#carry.keep(bytes, from);
      this.#at = bytes.length;
      return false;
    }
    this.#step(from, breakAt > from && bytes[breakAt - 1] === CR ? breakAt - 1 : breakAt, breakAt + 1);
    return true;
  }

  #step(from: number, to: number, next: number): void {
    this.from = from;
    this.to = to;
    this.offset = this.nextOffset;
    this.nextOffset += next - from;
    this.line++;
    this.#at = next;
  }
}
