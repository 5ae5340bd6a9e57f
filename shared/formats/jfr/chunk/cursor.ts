import { decodeModifiedUtf8 } from '../../../text/modified-utf8.ts';

/** The continuation bits of four bytes. */
const ALL_CONTINUE = 0x80808080 | 0;

/** Encodings of a string (specs: JFR). */
export const Text = { null: 0, empty: 1, pooled: 2, utf8: 3, chars: 4, latin1: 5 } as const;

/**
 * Reads JFR's integers and strings in sequence. If a value ends after `end`, reading fails: `hasFailed` is true until
 * the next `moveTo`, and values read since then are invalid. So callers may check it once after several values.
 *
 *   integer   7 bits per byte, the lowest first; a ninth byte has 8 bits
 *             AC 02            300            lo 300, hi 0
 *             FF … FF (9)      -1             lo  -1, hi -1
 */
export class Cursor {
  readonly bytes: Uint8Array;
  at = 0;
  end = 0;
  /** Halves of the integer read last. */
  lo = 0;
  hi = 0;
  readonly #words: DataView;
  #failed = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  moveTo(at: number, end: number): void {
    this.at = at;
    this.end = end;
    this.#failed = false;
  }

  hasFailed(): boolean {
    return this.#failed;
  }

  fail(): void {
    this.#failed = true;
    this.at = this.end;
  }

  /** Reads an integer into `lo` and `hi`. */
  integer(): void {
    const { bytes } = this;
    let at = this.at;
    let byte = bytes[at++];
    let lo = byte & 0x7f;
    let hi = 0;
    if (byte >= 0x80) {
      byte = bytes[at++];
      lo |= (byte & 0x7f) << 7;
      if (byte >= 0x80) {
        byte = bytes[at++];
        lo |= (byte & 0x7f) << 14;
        if (byte >= 0x80) {
          byte = bytes[at++];
          lo |= (byte & 0x7f) << 21;
          if (byte >= 0x80) {
            byte = bytes[at++];
            lo |= byte << 28;
            hi = (byte & 0x7f) >> 4;
            for (let shift = 3; byte >= 0x80 && shift <= 24; shift += 7) {
              byte = bytes[at++];
              hi |= (shift < 24 ? byte & 0x7f : byte) << shift;
            }
          }
        }
      }
    }
    this.lo = lo;
    this.hi = hi;
    this.at = at;
    if (at > this.end) this.fail();
  }

  /** Reads a signed integer as the nearest double, which is exact up to 2^53. */
  number(): number {
    this.integer();
    return this.value;
  }

  /** The integer read last, as the nearest double. */
  get value(): number {
    return this.hi * 4_294_967_296 + (this.lo >>> 0);
  }

  /** Reads a number of elements. Fails if they cannot fit, because each has at least one byte. */
  count(): number {
    const count = this.number();
    if (count < 0 || count > this.end - this.at) {
      this.fail();
      return 0;
    }
    return count;
  }

  byte(): number {
    const byte = this.bytes[this.at];
    this.skip(1);
    return byte;
  }

  skip(length: number): void {
    this.at += length;
    if (this.at > this.end) this.fail();
  }

  /**
   * Skips integers. Most of a recording is integers of stacks that are not needed. Reads four bytes at once and counts
   * the integers that end within them without a branch per byte, because those branches would be mispredicted.
   *
   *   AC 02 07 81 │ 03      continuation bits: 1 0 0 1      skipped: AC 02, 07
   */
  skipIntegers(count: number): void {
    const { bytes, end } = this;
    const words = this.#words;
    let at = this.at;
    let left = count;
    while (left > 0 && at < end) {
      while (left >= 4 && at + 4 <= end) {
        const continues = words.getInt32(at, true) & ALL_CONTINUE;
        if (continues === ALL_CONTINUE) break;
        left -= 4 - (Math.imul(continues >>> 7, 0x01010101) >>> 24);
        at += 4 - (Math.clz32(continues ^ ALL_CONTINUE) >>> 3);
      }
      if (left === 0) break;
      for (const last = at + 8; at < last && bytes[at] >= 0x80; at++);
      at++;
      left--;
    }
    this.at = at;
    if (left > 0 || at > end) this.fail();
  }

  skipText(): void {
    switch (this.byte()) {
      case Text.null:
      case Text.empty:
        break;
      case Text.pooled:
        this.integer();
        break;
      case Text.utf8:
      case Text.latin1:
        this.skip(this.count());
        break;
      case Text.chars:
        this.skipIntegers(this.count());
        break;
      default:
        this.fail();
    }
  }

  /**
   * Reads a string; undefined for null. `pooled` returns a string from a constant pool, whose key is in `lo` and `hi`.
   * `decode` decodes modified UTF-8.
   */
  text(pooled: () => string | undefined, decode = decodeModifiedUtf8): string | undefined {
    switch (this.byte()) {
      case Text.null:
        return undefined;
      case Text.empty:
        return '';
      case Text.pooled:
        this.integer();
        return this.#failed ? undefined : pooled();
      case Text.utf8: {
        const length = this.count();
        this.skip(length);
        return this.#failed ? undefined : decode(this.bytes, this.at - length, this.at);
      }
      case Text.latin1: {
        const length = this.count();
        this.skip(length);
        if (this.#failed) return undefined;
        let text = '';
        for (let at = this.at - length; at < this.at; at++) text += String.fromCharCode(this.bytes[at]);
        return text;
      }
      case Text.chars: {
        let text = '';
        for (let left = this.count(); left > 0 && !this.#failed; left--) {
          this.integer();
          text += String.fromCharCode(this.lo & 0xffff);
        }
        return this.#failed ? undefined : text;
      }
      default:
        this.fail();
        return undefined;
    }
  }
}
