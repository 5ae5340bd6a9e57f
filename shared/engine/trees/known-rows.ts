import { grown, nextCapacity } from '../../profile/columns.ts';

/** The column of self values that says where their samples ended. Rows are only appended, and keep their nodes. */
export interface NodeColumn {
  readonly node: Int32Array;
  readonly length: number;
}

/**
 * Row of self values -> the row, of a tree for instance, that its node belongs to. Each is looked up once, because that is
 * a read at a random place of a column as long as the profile. All self values of a profile have the same nodes, so that
 * other values need no look-ups. Four bytes a row.
 */
export class KnownRows {
  readonly #lookUp: (node: Int32Array, length: number, into: Int32Array) => void;
  #rows = new Int32Array(0);
  #node: Int32Array = new Int32Array(0);
  #length = 0;

  constructor(lookUp: (node: Int32Array, length: number, into: Int32Array) => void) {
    this.#lookUp = lookUp;
  }

  /** Of these values. Borrowed until the next call. O(new rows). */
  of({ node, length }: NodeColumn): Int32Array {
    if (node !== this.#node) {
      const common = Math.min(this.#length, length);
      const same = sameNodes(this.#node, node, common);
      if (same < common) this.#length = same;
    }
    const known = this.#length;
    if (length > known) {
      if (length > this.#rows.length)
        this.#rows = grown(this.#rows, nextCapacity(this.#rows.length, length), known);
      this.#lookUp(node.subarray(known, length), length - known, this.#rows.subarray(known, length));
      this.#node = node;
      this.#length = length;
    }
    return this.#rows.subarray(0, length);
  }

  /** Call it when rows were renumbered. */
  forget(): void {
    this.#length = 0;
  }
}

/** How many rows from the first on have the same node: a column that has grown is another array. */
export function sameNodes(a: Int32Array, b: Int32Array, length: number): number {
  let row = 0;
  while (row < length && a[row] === b[row]) row++;
  return row;
}
