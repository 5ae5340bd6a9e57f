import { Int64Index } from '../../aggregate/int64-index.ts';
import type { KeepBytes } from '../../bytes/keep-bytes.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';

/** Bytes of an id in the index, and of a cell, while the table is copied to grow. */
const ID_BYTES = 40;
const CELL_BYTES = 8;

/** Rows of `width` cells each, found by an id of up to 8 bytes. */
export class IdCells {
  length = 0;
  cells: Int32Array<ArrayBuffer>;
  readonly width: number;
  readonly #ids = new Int64Index();
  readonly #keeps: KeepBytes | undefined;

  constructor(width: number, keeps?: KeepBytes) {
    this.width = width;
    this.#keeps = keeps;
    this.cells = new Int32Array(FIRST_ROWS * width);
  }

  /** The row of an id, or -1. */
  find(hi: number, lo: number): number {
    return this.#ids.find(hi, lo);
  }

  /** The row of an id; a new row has zeros. The first row if the memory budget allows no more. */
  row(hi: number, lo: number): number {
    const known = this.#ids.find(hi, lo);
    if (known >= 0) return known;
    if (this.#keeps?.(ID_BYTES + this.width * CELL_BYTES) === false && this.length > 0) return 0;
    const row = this.#ids.add(hi, lo);
    this.length = row + 1;
    const { width } = this;
    if (this.length * width > this.cells.length)
      this.cells = grown(this.cells, nextCapacity(this.cells.length, this.length * width));
    return row;
  }
}
