const TWO_32 = 4_294_967_296;

/** Parses decimal numbers in bytes without creating strings or objects. */
export class DecimalCursor {
  /** The number read last, at most 2^53 - 1. */
  value = 0;
  /** Its halves, for ids. */
  hi = 0;
  lo = 0;
  /** Offset after its last digit. */
  at = 0;

  /** Reads the digits at `from`; false if there are none. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from;
    let value = 0;
    for (; at < to; at++) {
      const digit = bytes[at] - 0x30;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === from) return false;
    this.value = Math.min(value, Number.MAX_SAFE_INTEGER);
    this.hi = (this.value / TWO_32) | 0;
    this.lo = this.value | 0;
    this.at = at;
    return true;
  }
}
