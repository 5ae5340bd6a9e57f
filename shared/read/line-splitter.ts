import { Carry, joined } from './carry.ts';
import { hasUtf8Mark, utf16Bytes, utf16Order, Utf16Reader } from './utf16.ts';

const LF = 0x0a;
const CR = 0x0d;
const NO_BYTES = new Uint8Array(0);
/** Bytes from which the encoding is always known. */
const HEAD_BYTES = 4;

/** Longer lines are skipped. A line is in memory until its end arrives; a stack of a million frames is shorter. */
export const MAX_LINE_BYTES = 32 << 20;

/**
 * The lines of a text in UTF-8 or UTF-16, with or without a byte order mark, as UTF-8. A line is a range of bytes: UTF-8
 * is not decoded, and only a line that spans chunks is copied. Each byte is searched once, however long its line is.
 *
 *   lines.take(chunk);
 *   while (lines.next()) read(lines.bytes, lines.from, lines.to);
 *   lines.end();                       the last line may have no line break
 *   while (lines.next()) …
 */
export class LineSplitter {
  /** The line is bytes[from … to), without its line break (LF or CR LF); borrowed until the next `take`. */
  bytes: Uint8Array = NO_BYTES;
  from = 0;
  to = 0;
  /** The line is longer than MAX_LINE_BYTES, and its bytes are not kept: `from` equals `to`. */
  isTooLong = false;
  /** It is the last line of the input, without a line break. */
  isUnterminated = false;
  /** Number of such lines so far. */
  tooLong = 0;
  /** Bytes of the line in the input, with its line break, and with the byte order mark before the first line. */
  stored = 0;
  /** Number of lines so far, including this one. */
  line = 0;

  readonly #carry = new Carry();
  /** The first bytes, while the encoding is not known. */
  #head: Uint8Array | undefined = NO_BYTES;
  /** Set if the input is UTF-16. */
  #utf16: Utf16Reader | undefined;
  #at = 0;
  /** Up to here, bytes contains no line break. */
  #searched = 0;
  #isEnded = false;
  /** Number of bytes dropped of a line that is too long and whose end has not arrived. */
  #dropped = 0;
  /** Bytes of the line in the input before those of `bytes`: dropped ones, and the byte order mark. */
  #storedBefore = 0;

  /**
   * Takes the next bytes of the input. All lines of the chunk before must have been read. `isLast`: no more are expected,
   * so that the encoding of very few bytes is known, too.
   */
  take(chunk: Uint8Array, isLast = false): void {
    if (this.#head === undefined) {
      this.#takeText(chunk);
      return;
    }
    this.#head = joined(this.#head, chunk);
    if (isLast || this.#head.length >= HEAD_BYTES) this.#begin(this.#head);
  }

  /** Call it at the end of the input: bytes after the last line break then are the last line. */
  end(): void {
    this.take(NO_BYTES, true);
    this.#isEnded = true;
  }

  #begin(head: Uint8Array): void {
    this.#head = undefined;
    const order = utf16Order(head);
    if (order !== undefined) this.#utf16 = new Utf16Reader(order);
    if (order === undefined) this.#storedBefore = hasUtf8Mark(head) ? 3 : 0;
    else this.#storedBefore = head[0] >= 0xfe ? 2 : 0;
    this.#takeText(head.subarray(this.#storedBefore));
  }

  #takeText(chunk: Uint8Array): void {
    this.#searched = this.#carry.length;
    this.bytes = this.#carry.join(this.#utf16 === undefined ? chunk : this.#utf16.read(chunk));
    this.#at = 0;
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
    this.stored = this.#storedBefore + this.#storedBytes(from, next);
    this.#storedBefore = 0;
    this.line++;
    this.#at = next;
    if (!this.isTooLong) return;
    this.tooLong++;
    this.#dropped = 0;
  }

  /** Keeps the bytes from `from` on for the next chunk, unless they are too many for a line. */
  #keep(from: number): void {
    const { bytes } = this;
    if (this.#dropped === 0 && bytes.length - from <= MAX_LINE_BYTES) {
      this.#carry.keep(bytes, from);
      return;
    }
    this.#dropped += bytes.length - from;
    this.#storedBefore += this.#storedBytes(from, bytes.length);
    this.#carry.clear();
  }

  #storedBytes(from: number, to: number): number {
    return this.#utf16 !== undefined ? utf16Bytes(this.bytes, from, to) : to - from;
  }
}
