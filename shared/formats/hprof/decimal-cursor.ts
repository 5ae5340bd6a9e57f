const TWO_32 = 4_294_967_296;

/** Reads decimal numbers out of bytes, without a string or an object for each. */
export class DecimalCursor {
  /** The number; beyond 2^53 the largest whole one. */
  value = 0;
  /** Its halves, for ids. */
  hi = 0;
  lo = 0;
  /** What follows its last digit. */
  at = 0;

  /** Reads the digits at `from`; false when there are none. */
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
