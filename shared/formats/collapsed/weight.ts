const BLANK = 0x20;
const TAB = 0x09;
const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const SEMICOLON = 0x3b;
const SLASH = 0x2f;
const HASH = 0x23;

/**
 * The end of a line's stack, and its weight: the line is split at its last space or tab.
 *
 *   bytes   java.lang.Thread.run;Shop.a b 17
 *                                      ^ stackEnd   ^ weight 17
 *
 * Blanks before that space are left out, unless they are all that the last frame has.
 */
export class LineWeight {
  stackEnd = 0;
  weight = 0;

  /** False if bytes[from … to) is not a stack, a space or tab, and a number from 0 to 2^53. */
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
    const separator = at - 1;
    while (at > from && isBlank(bytes[at - 1])) at--;
    if (at > from && bytes[at - 1] === SEMICOLON) at = separator;
    this.stackEnd = at;
    this.weight = weight;
    return at > from && weight <= Number.MAX_SAFE_INTEGER;
  }
}

function isBlank(byte: number): boolean {
  return byte === BLANK || byte === TAB;
}

/** Tools write shorter numbers. */
const MAX_NUMBER_LENGTH = 40;

/** Parses a number with a decimal point or an exponent (awk writes 1.5e+10); NaN if it is not a number. */
function decimal(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > MAX_NUMBER_LENGTH || bytes[from] > NINE || bytes[from] < POINT) return NaN;
  const text = String.fromCharCode(...bytes.subarray(from, to));
  return /^(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : NaN;
}

/** Whether the line bytes[from … to) has no stack. */
export function isEmptyOrComment(bytes: Uint8Array, from: number, to: number): boolean {
  if (from === to || bytes[from] === HASH) return true;
  if (bytes[from] === SLASH && to - from > 1 && bytes[from + 1] === SLASH) return true;
  for (let at = from; at < to; at++) if (!isBlank(bytes[at])) return false;
  return true;
}

/** So many bytes of lines are looked at, if a stack is among them. */
const EXAMINED_BYTES = 4096;
/** So many are looked at in any case. */
const MOST_EXAMINED_BYTES = 1 << 20;

/** The number of counts of a stack: two in a file that compares two profiles, as `difffolded.pl` writes it. */
export type CountsOfStack = 1 | 2;

/**
 * Tells from the first lines whether each stack has two counts:
 *
 *   Shop.main;Shop.price 10 12
 *
 * A frame may end with a space and a number, too, so all of them must have two.
 */
export class CountsOfStacks {
  readonly #weight = new LineWeight();
  #bytes = 0;
  #hasTwo = false;

  /** Looks at the next line. Undefined if further ones are needed. */
  after(bytes: Uint8Array, from: number, to: number): CountsOfStack | undefined {
    this.#bytes += to - from + 1;
    if (!isEmptyOrComment(bytes, from, to) && this.#weight.read(bytes, from, to)) {
      if (!this.#weight.read(bytes, from, this.#weight.stackEnd)) return 1;
      this.#hasTwo = true;
    }
    return this.#bytes >= (this.#hasTwo ? EXAMINED_BYTES : MOST_EXAMINED_BYTES) ? this.atEnd : undefined;
  }

  /** If no further line follows. */
  get atEnd(): CountsOfStack {
    return this.#hasTwo ? 2 : 1;
  }
}
