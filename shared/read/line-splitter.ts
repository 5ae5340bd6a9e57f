import { Carry } from './carry.ts';
import { utf16Bytes } from './utf16.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Longer lines are skipped. A line is in memory until its end arrives; a stack of a million frames is shorter. */
export const MAX_LINE_BYTES = 32 << 20;

/**
 * Splits chunks into lines. A line is a range of bytes: text is not decoded, and only a line that spans chunks is copied.
 * Each byte is searched once, however long its line is.
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
  /** The line is longer than MAX_LINE_BYTES, and its bytes are not kept: `from` equals `to`. */
  isTooLong = false;
  /** It is the last line of the input, without a line break. */
  isUnterminated = false;
  /** Number of such lines so far. */
  tooLong = 0;
  /** Bytes of the line in the input, with its line break. */
  stored = 0;
  /** Number of lines so far, including this one. */
  line = 0;
  /** The bytes are UTF-16 in the input, and were converted to UTF-8. */
  isUtf16 = false;

  readonly #carry = new Carry();
  #at = 0;
  /** Up to here, bytes contains no line break. */
  #searched = 0;
  #isEnded = false;
  /** Number of bytes dropped of a line that is too long and whose end has not arrived. */
  #dropped = 0;
  #droppedStored = 0;

  /** Takes the next bytes of the input. All lines of the chunk before must have been read. */
  take(chunk: Uint8Array): void {
    this.#searched = this.#carry.length;
    this.bytes = this.#carry.join(chunk);
    this.#at = 0;
  }

  /** Call it at the end of the input: bytes after the last line break then are the last line. */
  end(): void {
    this.#searched = this.#carry.length;
    this.bytes = this.#carry.bytes;
    this.#at = 0;
    this.#isEnded = true;
  }

  /** The bytes after the last line break; borrowed until `take`. Empty if they are too many. */
  get rest(): Uint8Array {
    return this.#carry.bytes;
  }

  get isRestTooLong(): boolean {
    return this.#dropped > 0;
  }

  /** Moves to the next line; false if the chunk has no further complete line. */
  next(): boolean {
    const { bytes } = this;
    const from = this.#at;
    const breakAt = from < bytes.length ? bytes.indexOf(LF, Math.max(from, this.#searched)) : -1;
    this.isUnterminated = breakAt < 0;
    if (breakAt < 0) {
      if (this.#isEnded && (from < bytes.length || this.#dropped > 0)) {
        this.#step(from, bytes.length, bytes.length);
        this.#carry.keep(bytes, bytes.length);
        return true;
      }
      if (!this.#isEnded) this.#keep(from);
      this.#at = bytes.length;
      return false;
    }
    this.#step(from, breakAt > from && bytes[breakAt - 1] === CR ? breakAt - 1 : breakAt, breakAt + 1);
    return true;
  }

  #step(from: number, to: number, next: number): void {
    this.isTooLong = this.#dropped > 0 || to - from > MAX_LINE_BYTES;
    this.from = this.isTooLong ? to : from;
    this.to = to;
    this.stored = this.#droppedStored + this.#storedBytes(from, next);
    this.line++;
    this.#at = next;
    if (!this.isTooLong) return;
    this.tooLong++;
    this.#dropped = 0;
    this.#droppedStored = 0;
  }

  /** Keeps the bytes from `from` on for the next chunk, unless they are too many for a line. */
  #keep(from: number): void {
    const { bytes } = this;
    if (this.#dropped === 0 && bytes.length - from <= MAX_LINE_BYTES) {
      this.#carry.keep(bytes, from);
      return;
    }
    this.#dropped += bytes.length - from;
    this.#droppedStored += this.#storedBytes(from, bytes.length);
    this.#carry.clear();
  }

  #storedBytes(from: number, to: number): number {
    return this.isUtf16 ? utf16Bytes(this.bytes, from, to) : to - from;
  }
}
