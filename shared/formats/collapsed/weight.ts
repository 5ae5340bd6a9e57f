const BLANK = 0x20;
const TAB = 0x09;
const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;

/**
 * Where the stack of a line ends and what it weighs: the line is split at its last blank.
 *
 *   bytes   java.lang.Thread.run;Shop.a b 17
 *                                      ^ stackEnd   ^ weight 17
 */
export class LineWeight {
  stackEnd = 0;
  weight = 0;

  /** False when bytes[from … to) is no stack, a blank and a number that is neither negative nor beyond 2^53. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    let end = to;
    while (end > from && isBlank(bytes[end - 1])) end--;
    let at = end;
    let weight = 0;
    let scale = 1;
    while (at > from && bytes[at - 1] >= ZERO && bytes[at - 1] <= NINE) {
      weight += (bytes[--at] - ZERO) * scale;
      scale *= 10;
    }
    if (at > from && !isBlank(bytes[at - 1])) {
      while (at > from && !isBlank(bytes[at - 1])) at--;
      weight = decimal(bytes, at, end);
    } else if (at === end) {
      return false;
    }
    while (at > from && isBlank(bytes[at - 1])) at--;
    this.stackEnd = at;
    this.weight = weight;
    return at > from && weight <= Number.MAX_SAFE_INTEGER;
  }
}

function isBlank(byte: number): boolean {
  return byte === BLANK || byte === TAB;
}

/** Anything longer is no number that a tool wrote. */
const LONGEST_NUMBER = 40;

/** The number that is written there, with a point or an exponent (awk writes 1.5e+10); else NaN. */
function decimal(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > LONGEST_NUMBER || bytes[from] > NINE || bytes[from] < POINT) return NaN;
  const text = String.fromCharCode(...bytes.subarray(from, to));
  return /^(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : NaN;
}
