import { Carry } from './carry.ts';

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const OPEN_BRACKET = 0x5b;

/** Longer tags are damage: no tag of a trace has this length. */
export const MAX_TAG_BYTES = 1 << 20;

type TagKind =
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
 * A parser of well-formed XML, such as saxes, joins a tag without an end and the next one to one element, with a wrong
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
   * Bytes from `at` on that do not end what begins there, and the quote that is open after them: so a chunk is not
   * searched again with each one that follows.
   */
  #searched = 0;
  #quote = 0;

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
    for (;;) {
      const start = bytes.indexOf(LESS, this.at);
      this.at = start < 0 ? bytes.length : start;
      const end = start < 0 ? -1 : this.#endOf(start);
      if (end < 0 || !this.#found(end)) return false;
      if (bytes[end] !== LESS) {
        this.#step(start, end);
        return true;
      }
      this.brokenTags++;
      this.brokenBytes += end - start;
      this.at = end;
    }
  }

  /** Steps past the content before the next `</name`; false if there is none, or the content is too long. */
  content(name: string): boolean {
    const { at } = this;
    const end = this.#find(`</${name}`, at, 0);
    if (end < 0 || !this.#found(end)) return false;
    this.from = at;
    this.to = this.at = end;
    return true;
  }

  /** False if what ends at `end` is too long. */
  #found(end: number): boolean {
    this.#searched = 0;
    this.#quote = 0;
    this.isTooLong = end + 1 - this.at > MAX_TAG_BYTES;
    return !this.isTooLong;
  }

  #step(start: number, end: number): void {
    const { bytes } = this;
    const second = bytes[start + 1];
    if (second === QUESTION || second === EXCLAMATION) this.kind = 'other';
    else if (second === SLASH) this.kind = 'close';
    else this.kind = bytes[end - 1] === SLASH ? 'empty' : 'open';
    this.from = start + 1;
    this.to = this.kind === 'empty' ? end - 1 : end;
    this.at = end + 1;
  }

  /** Offset of the `>` that ends the tag at `start`, or of a `<` before it; -1 if neither is found. */
  #endOf(start: number): number {
    const { bytes } = this;
    const { length } = bytes;
    if (bytes[start + 1] === EXCLAMATION) {
      if (start + 3 >= length) return -1;
      // Comments and CDATA sections contain no tags.
      const isComment = bytes[start + 2] === HYPHEN && bytes[start + 3] === HYPHEN;
      if (isComment || bytes[start + 2] === OPEN_BRACKET) {
        const found = isComment ? this.#find('-->', start, 4) : this.#find(']]>', start, 3);
        return found < 0 ? -1 : found + 2;
      }
    }
    let quote = this.#quote;
    for (let at = start + Math.max(1, this.#searched); at < length; at++) {
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

  /** Offset of a text in what begins at `start`, after its first `skipped` bytes; -1 if it is not there yet. */
  #find(text: string, start: number, skipped: number): number {
    const { bytes } = this;
    const first = text.charCodeAt(0);
    let at = bytes.indexOf(first, start + Math.max(skipped, this.#searched));
    for (; at >= 0; at = bytes.indexOf(first, at + 1)) {
      let same = 1;
      while (same < text.length && bytes[at + same] === text.charCodeAt(same)) same++;
      if (same === text.length) return at;
    }
    this.#searched = Math.max(0, bytes.length - start - text.length + 1);
    return -1;
  }
}
