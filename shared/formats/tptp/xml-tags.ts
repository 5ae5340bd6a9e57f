import { Carry } from '../../bytes/carry.ts';

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const RIGHT_BRACKET = 0x5d;

/** What is longer is no tag of a trace. */
export const MOST_TAG_BYTES = 1 << 20;

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
 * Splits chunks into tags, given as byte ranges; text between tags is ignored. A `<` inside a tag begins another tag,
 * so that only a cut tag is lost.
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
  /** Bytes up to here are read. */
  at = 0;
  /** Bytes of tags that were cut. */
  cutBytes = 0;
  cutTags = 0;
  isTooLong = false;

  readonly #carry = new Carry();

  take(chunk: Uint8Array): void {
    this.bytes = this.#carry.join(chunk);
    this.at = 0;
  }

  /** Bytes that may become a tag. */
  get pending(): number {
    return this.#carry.length;
  }

  /** Keeps what is not read yet for the next chunk. */
  keep(): void {
    this.#carry.keep(this.bytes, this.at);
    if (this.#carry.length >= MOST_TAG_BYTES) this.isTooLong = true;
  }

  /** Steps to the next whole tag; false when there is none, or it is too long. */
  next(): boolean {
    const { bytes } = this;
    let start = bytes.indexOf(LESS, this.at);
    while (start >= 0) {
      const end = this.#endOf(start);
      if (end < 0) break;
      if (end + 1 - start > MOST_TAG_BYTES) {
        this.at = start;
        this.isTooLong = true;
        return false;
      }
      if (bytes[end] !== LESS) {
        this.#step(start, end);
        return true;
      }
      this.cutTags++;
      this.cutBytes += end - start;
      start = end;
    }
    this.at = start < 0 ? bytes.length : start;
    return false;
  }

  /** Steps behind the next `</name … >`, to all that is before it; false while that has not come, or is too long. */
  content(name: string): boolean {
    const { bytes, at } = this;
    const end = indexOfText(bytes, `</${name}`, at);
    const behind = end < 0 ? -1 : bytes.indexOf(GREATER, end);
    if (behind < 0) return false;
    this.isTooLong = behind + 1 - at > MOST_TAG_BYTES;
    if (this.isTooLong) return false;
    this.from = at;
    this.to = end;
    this.at = behind + 1;
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

  /** The `>` that ends a tag, or the `<` that cuts it short, or -1. */
  #endOf(start: number): number {
    const { bytes } = this;
    const { length } = bytes;
    if (bytes[start + 1] === EXCLAMATION) {
      if (start + 3 >= length) return -1;
      // A comment, or characters as they are: whatever is in them is no tag.
      if (bytes[start + 2] === HYPHEN && bytes[start + 3] === HYPHEN)
        return this.#endBehind(start + 4, HYPHEN);
      if (bytes[start + 2] === 0x5b) return this.#endBehind(start + 3, RIGHT_BRACKET);
    }
    let quote = 0;
    for (let at = start + 1; at < length; at++) {
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
    return -1;
  }

  /** The `>` behind two of `twice`. */
  #endBehind(from: number, twice: number): number {
    const { bytes } = this;
    for (let at = bytes.indexOf(GREATER, from + 2); at >= 0; at = bytes.indexOf(GREATER, at + 1))
      if (bytes[at - 1] === twice && bytes[at - 2] === twice) return at;
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
