import { WideIdIndex } from '../../aggregate/wide-id-index.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';

const SMALL = 1 << 20;

/**
 * Keys of constants that samples refer to, numbered in order of first appearance.
 *
 *   row   key
 *   0     0,18
 *   1     0,31
 */
export class KeyColumn {
  length = 0;
  hi = new Int32Array(64);
  lo = new Int32Array(64);
  /** Keys below SMALL: row + 1, 0 for those that were not met. JVMs number most constants from 1. */
  #small = new Int32Array(256);
  readonly #rows = new WideIdIndex();

  row(hi: number, lo: number): number {
    if (hi !== 0 || lo < 0 || lo >= SMALL) return this.#row(hi, lo);
    if (lo >= this.#small.length)
      this.#small = grown(this.#small, Math.min(SMALL, Math.max(lo + 1, this.#small.length * 4)));
    const known = this.#small[lo] - 1;
    return known >= 0 ? known : (this.#small[lo] = this.#row(hi, lo) + 1) - 1;
  }

  #row(hi: number, lo: number): number {
    let row = this.#rows.find(hi, lo);
    if (row < 0) {
      row = this.#rows.add(hi, lo);
      if (row === this.hi.length) {
        const capacity = nextCapacity(row, row + 1);
        this.hi = grown(this.hi, capacity);
        this.lo = grown(this.lo, capacity);
      }
      this.hi[row] = hi;
      this.lo[row] = lo;
      this.length = row + 1;
    }
    return row;
  }
}
