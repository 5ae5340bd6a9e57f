import { FIRST_ROWS } from '../../profile/columns.ts';

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
