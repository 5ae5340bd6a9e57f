import { joined } from './carry.ts';
import { LineSplitter } from './line-splitter.ts';
import { hasUtf8Mark, utf16Order, Utf16Reader } from './utf16.ts';

const NO_BYTES = new Uint8Array(0);
/** Bytes from which the encoding is always known. */
const HEAD_BYTES = 4;

/**
 * The lines of a text in UTF-8 or UTF-16, with or without a byte order mark, as UTF-8.
 *
 *   lines.take(chunk);
 *   while (lines.next()) read(lines.bytes, lines.from, lines.to);
 *   lines.end();                       the last line may have no line break
 *   while (lines.next()) …
 */
export class TextLines {
  /** The line is bytes[from … to), without its line break; borrowed until the next `take`. */
  get bytes(): Uint8Array {
    return this.#lines.bytes;
  }
  get from(): number {
    return this.#lines.from;
  }
  get to(): number {
    return this.#lines.to;
  }
  /** Number of lines so far, including this one. */
  get line(): number {
    return this.#lines.line;
  }
  /** The line is longer than MAX_LINE_BYTES, and is empty here. */
  get isTooLong(): boolean {
    return this.#lines.isTooLong;
  }
  /** The line ends with the input, without a line feed. */
  get isUnterminated(): boolean {
    return this.#lines.isUnterminated;
  }
  get tooLong(): number {
    return this.#lines.tooLong;
  }
  /** Bytes of the line in the input, with its line break, and with the byte order mark before the first line. */
  stored = 0;

  readonly #lines = new LineSplitter();
  /** The first bytes, while the encoding is not known. */
  #head: Uint8Array | undefined = NO_BYTES;
  #markBytes = 0;
  #utf16: Utf16Reader | undefined;
  /** The input has ended, and lines of its first bytes, which were too few, come before its last one. */
  #isEnding = false;

  /** Takes the next bytes of the input. All lines of the chunk before must have been read. */
  take(chunk: Uint8Array): void {
    if (this.#head === undefined) {
      this.#lines.take(this.#utf8(chunk));
      return;
    }
    this.#head = joined(this.#head, chunk);
    if (this.#head.length >= HEAD_BYTES) this.#begin(this.#head);
    else this.#lines.take(NO_BYTES);
  }

  /** Call it at the end of the input. */
  end(): void {
    this.#isEnding = this.#head !== undefined;
    if (this.#head === undefined) this.#lines.end();
    else this.#begin(this.#head);
  }

  /** Moves to the next line; false if the chunk has no further complete line. */
  next(): boolean {
    let isThere = this.#lines.next();
    if (!isThere && this.#isEnding) {
      this.#isEnding = false;
      this.#lines.end();
      isThere = this.#lines.next();
    }
    if (!isThere) return false;
    this.stored = this.#markBytes + this.#lines.stored;
    this.#markBytes = 0;
    return true;
  }

  #begin(head: Uint8Array): void {
    this.#head = undefined;
    const order = utf16Order(head);
    if (order !== undefined) this.#utf16 = new Utf16Reader(order);
    this.#lines.isUtf16 = order !== undefined;
    if (order === undefined) this.#markBytes = hasUtf8Mark(head) ? 3 : 0;
    else this.#markBytes = head[0] >= 0xfe ? 2 : 0;
    this.#lines.take(this.#utf8(head.subarray(this.#markBytes)));
  }

  #utf8(chunk: Uint8Array): Uint8Array {
    return this.#utf16 === undefined ? chunk : this.#utf16.read(chunk);
  }
}
