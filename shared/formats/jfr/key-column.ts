import { WideIdIndex } from '../../aggregate/wide-id-index.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';

/**
 * Keys of constants that samples refer to, numbered in order of first appearance. Most samples have the key of the
 * sample before them.
 *
 *   row   key
 *   0     0,18
 *   1     0,31
 */
export class KeyColumn {
  length = 0;
  hi = new Int32Array(64);
  lo = new Int32Array(64);
  readonly #rows = new WideIdIndex();
  #latest = 0;

  row(hi: number, lo: number): number {
    const latest = this.#latest;
    if (latest < this.length && this.lo[latest] === lo && this.hi[latest] === hi) return latest;
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
    this.#latest = row;
    return row;
  }
}
