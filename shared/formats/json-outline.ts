import { HeldMemory, type MemoryBudget } from '../aggregate/memory-budget.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../profile/columns.ts';

/** A list of at least so many bytes, whose elements are shorter than LONGEST_ELEMENT, is read in pieces of so many. */
const LONG_LIST = 1 << 16;
const LONGEST_ELEMENT = 1 << 20;

/** Bytes of V8's lists and objects, without their elements and properties. */
const LIST_BYTES = 40;
const OBJECT_BYTES = 56;
const POINTER_BYTES = 8;
/** Bytes of an open list or object in `Levels`, while the columns are copied to grow. */
const LEVEL_BYTES = 48;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where a long list is in a JSON text, in bytes. */
export interface ListBounds {
  /** After the opening bracket. */
  readonly from: number;
  /** The offset of the closing bracket. */
  readonly to: number;
  /** Commas between elements, after which it is divided into pieces. */
  readonly cuts: readonly number[];
  readonly commas: number;
}

/** The long lists of a JSON text, one after the other, and roughly the memory of all other values. */
interface JsonOutline {
  readonly lists: readonly ListBounds[];
  readonly valueBytes: number;
}

/**
 * Finds the long lists of a JSON text in UTF-8, none of which is within another. Profiles of millions of samples consist of
 * some such lists, whose values would take several times the memory of their text. Undefined if the brackets do not match,
 * so that the text is not JSON, or if the memory budget does not allow so many open ones.
 *
 *   {"profiles": [{"name": "main", "samples": [[0, 1], [0, 2], …], "weights": [1, 1, …]}]}
 *                                             └── long ────────┘             └─ long ──┘
 */
export function outlineOf(input: Uint8Array, memory: MemoryBudget): JsonOutline | undefined {
  const levels = new Levels(memory);
  try {
    return outlineIn(input, levels);
  } finally {
    levels.release();
  }
}

function outlineIn(input: Uint8Array, levels: Levels): JsonOutline | undefined {
  const lists: ListBounds[] = [];
  let bytes = 0;
  for (let at = 0; at < input.length; at++) {
    const byte = input[at];
    if (byte > CLOSE_OBJECT || byte < QUOTE) continue;
    if (byte === QUOTE) {
      const from = at++;
      while (at < input.length && input[at] !== QUOTE) at += input[at] === BACKSLASH ? 2 : 1;
      if (at - from > LONGEST_ELEMENT) levels.noteLongElement();
    } else if (byte === COMMA) {
      bytes += POINTER_BYTES;
      levels.comma(at);
    } else if (byte === COLON) {
      bytes += POINTER_BYTES;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (!levels.open(at, byte === OPEN_LIST, bytes)) return undefined;
      bytes += byte === OPEN_LIST ? LIST_BYTES : OBJECT_BYTES;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (levels.depth === 0 || levels.isList !== (byte === CLOSE_LIST)) return undefined;
      const list = levels.close(at);
      if (list === undefined) continue;
      while (lists.length > 0 && lists[lists.length - 1].from > list.from) lists.pop();
      lists.push(list);
      bytes = levels.bytesBefore + LIST_BYTES;
    }
  }
  return levels.depth === 0 ? { lists, valueBytes: bytes } : undefined;
}

/** The open lists and objects, outermost first: columns, because there may be millions. */
class Levels {
  depth = 0;
  /** Memory of all values before the list or object that was closed last. */
  bytesBefore = 0;
  #start = new Int32Array(FIRST_ROWS);
  #isList = new Uint8Array(FIRST_ROWS);
  #hasLongElement = new Uint8Array(FIRST_ROWS);
  #commas = new Int32Array(FIRST_ROWS);
  /** The comma, or the start, after which the latest piece begins. */
  #cut = new Int32Array(FIRST_ROWS);
  #bytes = new Float64Array(FIRST_ROWS);
  /** Level -> its cuts; most lists have none. */
  readonly #cuts = new Map<number, number[]>();
  readonly #held: HeldMemory;

  constructor(memory: MemoryBudget) {
    this.#held = new HeldMemory(memory);
  }

  release(): void {
    this.#held.release();
  }

  /** False if the memory budget allows no more levels. */
  open(at: number, isList: boolean, bytes: number): boolean {
    const level = this.depth;
    if (level === this.#start.length) {
      const capacity = nextCapacity(level, level + 1);
      if (!this.#held.hold((capacity - level) * LEVEL_BYTES)) return false;
      this.#start = grown(this.#start, capacity);
      this.#isList = grown(this.#isList, capacity);
      this.#hasLongElement = grown(this.#hasLongElement, capacity);
      this.#commas = grown(this.#commas, capacity);
      this.#cut = grown(this.#cut, capacity);
      this.#bytes = grown(this.#bytes, capacity);
    }
    this.#start[level] = this.#cut[level] = at;
    this.#isList[level] = isList ? 1 : 0;
    this.#hasLongElement[level] = 0;
    this.#commas[level] = 0;
    this.#bytes[level] = bytes;
    this.depth = level + 1;
    return true;
  }

  get isList(): boolean {
    return this.#isList[this.depth - 1] === 1;
  }

  comma(at: number): void {
    const level = this.depth - 1;
    if (level < 0) return;
    this.#commas[level]++;
    if (at - this.#cut[level] < LONG_LIST || this.#isList[level] === 0) return;
    this.#cut[level] = at;
    const cuts = this.#cuts.get(level);
    if (cuts === undefined) this.#cuts.set(level, [at]);
    else cuts.push(at);
  }

  noteLongElement(): void {
    if (this.depth > 0) this.#hasLongElement[this.depth - 1] = 1;
  }

  /** Closes the innermost list or object. Returns its bounds if it is a long list. */
  close(at: number): ListBounds | undefined {
    const level = --this.depth;
    const from = this.#start[level] + 1;
    const length = at - from;
    const cuts = this.#cuts.get(level) ?? [];
    if (cuts.length > 0) this.#cuts.delete(level);
    this.bytesBefore = this.#bytes[level];
    if (length > LONGEST_ELEMENT) this.noteLongElement();
    const commas = this.#commas[level];
    const isLong =
      this.#isList[level] === 1 && length > LONG_LIST && commas > 0 && this.#hasLongElement[level] === 0;
    return isLong ? { from, to: at, cuts, commas } : undefined;
  }
}
