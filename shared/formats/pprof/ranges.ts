import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';

/** Bytes of a range, while the columns are copied to grow. */
const RANGE_BYTES = 16;

/** Bytes of the input. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Ranges of the input, as columns: there may be millions of empty ones, of two bytes each. */
export class Ranges {
  length = 0;
  from = new Int32Array(FIRST_ROWS);
  to = new Int32Array(FIRST_ROWS);
  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** Nothing is added if the memory budget does not allow it: the sink is full then. */
  push({ from, to }: Range): void {
    const row = this.length;
    if (row === this.from.length) {
      const capacity = nextCapacity(row, row + 1);
      if (!this.#memory.hold((capacity - row) * RANGE_BYTES)) return;
      this.from = grown(this.from, capacity);
      this.to = grown(this.to, capacity);
    }
    this.from[row] = from;
    this.to[row] = to;
    this.length = row + 1;
  }

  at(row: number): Range {
    return { from: this.from[row], to: this.to[row] };
  }
}
