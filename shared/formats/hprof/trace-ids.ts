import { Int64Index } from '../../aggregate/int64-index.ts';
import { NONE } from '../../profile/columns.ts';

/** Number of cells that is always allowed, 4 MB: pages that are never written cost no memory. */
const CELLS = 1 << 20;
/** If there are many traces, this number of cells is allowed per trace. */
const CELLS_PER_TRACE = 8;

/**
 * Ids of traces -> rows. Writers number traces consecutively, but omit some and write them in another order (specs:
 * hprof, sections 2 and 4). So there is a cell for each number. If an id is too far from the others, a hash table is
 * used instead.
 *
 *   ids 300017, 300045, 300018       from 300017   rows   1 3 0 … 0 2 0 …
 */
export class TraceIds {
  length = 0;
  /** The id of the first cell. */
  #from = 0;
  /** Cell -> row + 1, 0 for none. */
  #rows = new Int32Array(0);
  /** Used instead of cells if it is defined. */
  #hashed: Int64Index | undefined;

  /** The row of an id, or NONE. */
  find(idHi: number, idLo: number): number {
    if (this.#hashed !== undefined) return this.#hashed.find(idHi, idLo);
    const cell = (idLo >>> 0) - this.#from;
    return idHi === 0 && cell >= 0 && cell < this.#rows.length ? this.#rows[cell] - 1 : NONE;
  }

  /** Adds a new id; its row is the number of ids before it. */
  add(idHi: number, idLo: number): number {
    const row = this.length++;
    const id = idLo >>> 0;
    if (this.#hashed === undefined && (idHi !== 0 || !this.#reserveCell(id))) this.#hashed = this.#hash(row);
    if (this.#hashed === undefined) this.#rows[id - this.#from] = row + 1;
    else this.#hashed.add(idHi, idLo);
    return row;
  }

  /** Makes a cell for an id; false if this would take too many cells. */
  #reserveCell(id: number): boolean {
    const end = this.#from + this.#rows.length;
    if (id >= this.#from && id < end) return true;
    const isFirst = this.#rows.length === 0;
    const low = isFirst ? id : Math.min(id, this.#from);
    const high = isFirst ? id + 64 : Math.max(id + 1, end);
    const most = Math.max(CELLS, CELLS_PER_TRACE * this.length);
    if (high - low > most) return false;
    // Half as many cells again, on the side of the new id.
    const rows = new Int32Array(Math.min(most, Math.ceil(1.5 * (high - low))));
    const from = id < this.#from ? high - rows.length : low;
    if (!isFirst) rows.set(this.#rows, this.#from - from);
    this.#rows = rows;
    this.#from = from;
    return true;
  }

  /** Moves the ids from the cells to a hash table, in the order of their rows. */
  #hash(length: number): Int64Index {
    const ids = new Uint32Array(length);
    for (const [cell, row] of this.#rows.entries()) if (row !== 0) ids[row - 1] = this.#from + cell;
    const hashed = new Int64Index();
    for (const id of ids) hashed.add(0, id | 0);
    this.#rows = new Int32Array(0);
    return hashed;
  }
}
