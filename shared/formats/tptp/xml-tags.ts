import { Carry } from '../../read/carry.ts';

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const RIGHT_BRACKET = 0x5d;

/** Longer tags are damage: no tag of a trace has this length. */
export const MAX_TAG_BYTES = 1 << 20;

export type TagKind =
  /** `<name … />` */
  | 'empty'
  /** `<name … >` */
  | 'open'
  /** `</name>` */
  | 'close'
  /** `<?…>`, `<!…>`: ignored. */
  | 'other';

/**
 * Splits chunks into tags, given as byte ranges; text between tags is ignored. A `<` within a tag begins another tag,
 * so that only the tag without an end is lost.
 *
 * A parser of well-formed XML, such as saxes, joins a tag without an end and the next one to one event, with a wrong
 * ticket or time and no lost bytes to count. It keeps an endless value without a limit, counts UTF-16 units, not bytes,
 * and makes strings of all attributes, which takes twice as long.
 *
 *   …"3"/>\n<methodEntry threadIdRef='2' … />\n<met
 *           from                            to       pending
 */
export class XmlTags {
  /** The tag is bytes[from … to), without its brackets; borrowed until `take`. */
  bytes: Uint8Array = new Uint8Array(0);
  from = 0;
  to = 0;
  kind: TagKind = 'other';
  /** Offset after the bytes read. */
  at = 0;
  /** Tags without an end, which were skipped, and their bytes. */
  brokenTags = 0;
  brokenBytes = 0;
  isTooLong = false;

  readonly #carry = new Carry();
  /**
   * What is known of the tag or content that is kept, so that a chunk is not searched again with each one that follows:
   * number of bytes that do not end it, the quote that is open after them, and where its closing tag begins.
   */
  #searched = 0;
  #quote = 0;
  #closing = -1;

  take(chunk: Uint8Array): void {
    this.bytes = this.#carry.join(chunk);
    this.at = 0;
  }

  /** Bytes that may become a tag. */
  get pending(): number {
    return this.#carry.length;
  }

  /** Keeps the bytes that are not read yet for the next chunk. */
  keep(): void {
    this.#carry.keep(this.bytes, this.at);
    if (this.#carry.length >= MAX_TAG_BYTES) this.isTooLong = true;
  }

  /** Steps to the next complete tag; false if there is none, or it is too long. */
  next(): boolean {
    const { bytes } = this;
    let start = bytes.indexOf(LESS, this.at);
    while (start >= 0) {
      const end = this.#endOf(start);
      if (end < 0) break;
      this.#searched = 0;
      this.#quote = 0;
      if (end + 1 - start > MAX_TAG_BYTES) {
        this.at = start;
        this.isTooLong = true;
        return false;
      }
      if (bytes[end] !== LESS) {
        this.#step(start, end);
        return true;
      }
      this.brokenTags++;
      this.brokenBytes += end - start;
      start = end;
    }
    this.at = start < 0 ? bytes.length : start;
    return false;
  }

  /** Steps past the next `</name … >`, to the content before it; false if there is none, or it is too long. */
  content(name: string): boolean {
    const { bytes, at } = this;
    const text = `</${name}`;
    const end = this.#closing < 0 ? indexOfText(bytes, text, at + this.#searched) : at + this.#closing;
    const tagEnd = end < 0 ? -1 : bytes.indexOf(GREATER, Math.max(end, at + this.#searched));
    if (tagEnd < 0) {
      // The last bytes may be the beginning of the text.
      this.#searched = Math.max(0, bytes.length - at - (end < 0 ? text.length - 1 : 0));
      this.#closing = end < 0 ? -1 : end - at;
      return false;
    }
    this.#searched = 0;
    this.#closing = -1;
    this.isTooLong = tagEnd + 1 - at > MAX_TAG_BYTES;
    if (this.isTooLong) return false;
    this.from = at;
    this.to = end;
    this.at = tagEnd + 1;
    return true;
  }

  #step(start: number, end: number): void {
    const { bytes } = this;
    const second = bytes[start + 1];
    this.at = end + 1;
    this.from = start + 1;
    this.to = end;
    if (second === QUESTION || second === EXCLAMATION) {
      this.kind = 'other';
    } else if (second === SLASH) {
      this.kind = 'close';
      this.from++;
    } else if (bytes[end - 1] === SLASH) {
      this.kind = 'empty';
      this.to--;
    } else {
      this.kind = 'open';
    }
  }

  /** Offset of the `>` that ends the tag, or of a `<` before it; -1 if neither is found. */
  #endOf(start: number): number {
    const { bytes } = this;
    const { length } = bytes;
    const searched = start + this.#searched;
    if (bytes[start + 1] === EXCLAMATION) {
      if (start + 3 >= length) return -1;
      // Comments and CDATA sections contain no tags.
      if (bytes[start + 2] === HYPHEN && bytes[start + 3] === HYPHEN)
        return this.#endAfterTwo(HYPHEN, start, Math.max(start + 6, searched));
      if (bytes[start + 2] === 0x5b)
        return this.#endAfterTwo(RIGHT_BRACKET, start, Math.max(start + 5, searched));
    }
    let quote = this.#quote;
    for (let at = Math.max(start + 1, searched); at < length; at++) {
      const byte = bytes[at];
      if (byte === LESS) return at;
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === GREATER) {
        return at;
      } else if (byte === QUOTE || byte === APOSTROPHE) {
        quote = byte;
      }
    }
    this.#searched = length - start;
    this.#quote = quote;
    return -1;
  }

  /** Offset of the first `>` from `from` on that follows two of `byte`; -1 if there is none in the tag at `start`. */
  #endAfterTwo(byte: number, start: number, from: number): number {
    const { bytes } = this;
    for (let at = bytes.indexOf(GREATER, from); at >= 0; at = bytes.indexOf(GREATER, at + 1))
      if (bytes[at - 1] === byte && bytes[at - 2] === byte) return at;
    this.#searched = bytes.length - start;
    return -1;
  }
}

function indexOfText(bytes: Uint8Array, text: string, from: number): number {
  for (let at = bytes.indexOf(LESS, from); at >= 0; at = bytes.indexOf(LESS, at + 1)) {
    let same = 1;
    while (same < text.length && bytes[at + same] === text.charCodeAt(same)) same++;
    if (same === text.length) return at;
  }
  return -1;
}
