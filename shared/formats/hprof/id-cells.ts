import { Int64Index } from '../../aggregate/int64-index.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';

/** Rows of `width` cells each, found by an id of up to 8 bytes. */
export class IdCells {
  length = 0;
  cells: Int32Array<ArrayBuffer>;
  readonly width: number;
  readonly #ids = new Int64Index();

  constructor(width: number) {
    this.width = width;
    this.cells = new Int32Array(64 * width);
  }

  /** The row of an id, or -1. */
  find(hi: number, lo: number): number {
    return this.#ids.find(hi, lo);
  }

  /** The row of an id; a new row has zeros. */
  row(hi: number, lo: number): number {
    const known = this.#ids.find(hi, lo);
    if (known >= 0) return known;
    const row = this.#ids.add(hi, lo);
    this.length = row + 1;
    const { width } = this;
    if (this.length * width > this.cells.length)
      this.cells = grown(this.cells, nextCapacity(this.cells.length, this.length * width));
    return row;
  }
}
