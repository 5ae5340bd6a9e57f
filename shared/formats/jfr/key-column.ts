import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { Int64Index } from '../../aggregate/int64-index.ts';
import { FIRST_ROWS, FIRST_SLOTS, grown, nextCapacity } from '../../profile/columns.ts';

/** Bytes of a key with what is made of it: the number of its stack, or its thread. */
const KEY_BYTES = 100;
/** Keys below it are looked up by index. */
const SMALL = 1 << 20;
/** The short key of the first long key. NONE, -1, is not a key. */
const FIRST_LONG = -2;

/**
 * Keys of constants that samples refer to, numbered in order of first appearance. Keys have 64 bits, but nearly all fit
 * 31: such a key is its own short key. A longer one gets a negative number as its short key.
 *
 *   row   key     short
 *   0     0,18    18
 *   1     7,31    -2
 *   2     0,19    19
 */
export class KeyColumn {
  length = 0;
  readonly #memory: MemoryBudget;
  hi = new Int32Array(FIRST_ROWS);
  lo = new Int32Array(FIRST_ROWS);
  /** Short key below SMALL -> row + 1, 0 if unknown. JVMs number most constants from 1. */
  rowOfSmall = new Int32Array(FIRST_SLOTS);
  /** Other short keys -> row. */
  readonly #others = new Map<number, number>();
  #long = new Int64Index();
  readonly #longHi: number[] = [];
  readonly #longLo: number[] = [];

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  short(hi: number, lo: number): number {
    if (hi === 0 && lo >= 0) return lo;
    let row = this.#long.find(hi, lo);
    if (row < 0) {
      row = this.#long.add(hi, lo);
      this.#longHi.push(hi);
      this.#longLo.push(lo);
    }
    return FIRST_LONG - row;
  }

  /** The row of a short key, which is added if it is unknown. */
  row(short: number): number {
    if (short < 0 || short >= SMALL) {
      const known = this.#others.get(short);
      if (known !== undefined) return known;
      this.#others.set(short, this.length);
      return this.#append(short);
    }
    if (short >= this.rowOfSmall.length)
      this.rowOfSmall = grown(
        this.rowOfSmall,
        Math.min(SMALL, Math.max(short + 1, this.rowOfSmall.length * 4)),
      );
    const known = this.rowOfSmall[short] - 1;
    return known >= 0 ? known : (this.rowOfSmall[short] = this.#append(short) + 1) - 1;
  }

  clear(): void {
    for (let row = 0; row < this.length; row++)
      if (this.hi[row] === 0 && this.lo[row] >= 0 && this.lo[row] < SMALL) this.rowOfSmall[this.lo[row]] = 0;
    this.length = 0;
    this.#others.clear();
    if (this.#longHi.length > 0) this.#long = new Int64Index();
    this.#longHi.length = 0;
    this.#longLo.length = 0;
  }

  #append(short: number): number {
    const row = this.length++;
    if (row === this.hi.length) {
      const capacity = nextCapacity(row, row + 1);
      // If that is refused, the chunk is read no further.
      this.#memory.hold((capacity - row) * KEY_BYTES);
      this.hi = grown(this.hi, capacity);
      this.lo = grown(this.lo, capacity);
    }
    this.hi[row] = short < 0 ? this.#longHi[FIRST_LONG - short] : 0;
    this.lo[row] = short < 0 ? this.#longLo[FIRST_LONG - short] : short;
    return row;
  }
}

/**
 * Hash table with open addressing: key of a constant -> number. It is used for methods: a JVM makes their keys of a
 * class number and a position, so they are too sparse for an array, and there is a lookup for every frame.
 *
 *   slot     0            1      2       3
 *   key      65551 + 1    0      3 + 1   0       0: free
 *   number   12           ·      77      ·
 */
export class KeyNumbers {
  #length = 0;
  #cells = new Int32Array(2 * FIRST_ROWS);
  #shift = 32 - Math.log2(FIRST_ROWS);

  /** The number of a key, which has at most 30 bits; -1 if it is unknown. */
  find(key: number): number {
    const cells = this.#cells;
    const cell = cellOf(cells, this.#shift, key);
    return cells[cell] === 0 ? -1 : cells[cell + 1];
  }

  /** Adds a key that `find` does not know. */
  add(key: number, number: number): void {
    if (++this.#length * 4 > this.#cells.length) this.#grow();
    const cell = cellOf(this.#cells, this.#shift, key);
    this.#cells[cell] = key + 1;
    this.#cells[cell + 1] = number;
  }

  #grow(): void {
    const old = this.#cells;
    this.#cells = new Int32Array(old.length * 2);
    this.#shift--;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue;
      const cell = cellOf(this.#cells, this.#shift, old[from] - 1);
      this.#cells[cell] = old[from];
      this.#cells[cell + 1] = old[from + 1];
    }
  }
}

/** The cell of a key, or the free cell where it is to be added. */
function cellOf(cells: Int32Array, shift: number, key: number): number {
  let cell = (Math.imul(key, 0x9e3779b1) >>> shift) << 1;
  while (cells[cell] !== key + 1 && cells[cell] !== 0) cell = (cell + 2) & (cells.length - 1);
  return cell;
}
