import { Int64Index } from '../../aggregate/int64-index.ts';
import { NONE } from '../../profile/columns.ts';

/** What is never written of so many cells, 4 MB, costs no memory; beyond them a trace is worth so many. */
const CELLS = 1 << 20;
const CELLS_OF_A_TRACE = 8;

/**
 * Ids of traces -> rows. Writers number traces one after the other, though they leave some out and write them in another
 * order (specs: hprof, sections 2 and 4). So there is a cell for each number, until an id lies too far from the others:
 * then all are hashed.
 *
 *   ids 300017, 300045, 300018       from 300017   rows   1 3 0 … 0 2 0 …
 */
export class TraceIds {
  length = 0;
  /** The id of the first cell. */
  #from = 0;
  /** One more than the row. */
  #rows = new Int32Array(0);
  /** Present when ids are hashed. */
  #hashed: Int64Index | undefined;

  /** The row of an id, or NONE. */
  find(idHi: number, idLo: number): number {
    if (this.#hashed !== undefined) return this.#hashed.find(idHi, idLo);
    const cell = (idLo >>> 0) - this.#from;
    return idHi === 0 && cell >= 0 && cell < this.#rows.length ? this.#rows[cell] - 1 : NONE;
  }

  /** Adds an id that `find` does not know; its row is the number of ids before it. */
  add(idHi: number, idLo: number): number {
    const row = this.length++;
    const id = idLo >>> 0;
    if (this.#hashed === undefined && (idHi !== 0 || !this.#makeRoom(id))) this.#hashed = this.#hash(row);
    if (this.#hashed === undefined) this.#rows[id - this.#from] = row + 1;
    else this.#hashed.add(idHi, idLo);
    return row;
  }

  /** False when that would take too many cells. */
  #makeRoom(id: number): boolean {
    const end = this.#from + this.#rows.length;
    if (id >= this.#from && id < end) return true;
    const isFirst = this.#rows.length === 0;
    const low = isFirst ? id : Math.min(id, this.#from);
    const high = isFirst ? id + 64 : Math.max(id + 1, end);
    const most = Math.max(CELLS, CELLS_OF_A_TRACE * this.length);
    if (high - low > most) return false;
    // Half as much again, on the side where it was too little.
    const rows = new Int32Array(Math.min(most, Math.ceil(1.5 * (high - low))));
    const from = id < this.#from ? high - rows.length : low;
    if (!isFirst) rows.set(this.#rows, this.#from - from);
    this.#rows = rows;
    this.#from = from;
    return true;
  }

  /** The ids of the rows so far, in their order. */
  #hash(length: number): Int64Index {
    const ids = new Uint32Array(length);
    for (const [cell, row] of this.#rows.entries()) if (row !== 0) ids[row - 1] = this.#from + cell;
    const hashed = new Int64Index();
    for (const id of ids) hashed.add(0, id | 0);
    this.#rows = new Int32Array(0);
    return hashed;
  }
}
