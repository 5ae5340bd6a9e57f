import { grown, NONE } from '../../profile/columns.ts';
import type { KeyColumn } from './key-column.ts';

/** Cells at most, 1 MB. */
const MOST_CELLS = 1 << 20;
/** What a cell cannot hold. */
const FULL = 256;
/** States that a column may have, NONE among them: JVMs number them from 1. Above as many bits, a thread. */
export const STATE_BITS = 4;
export const STATES = (1 << STATE_BITS) - 1;
/** Threads by their states: 16 MB where a recording has such threads. */
const MOST_KEYS = 1 << 22;

/** Gets what was counted of a stack, a thread and a state: rows of their keys, NONE for no state. */
export type TakeCount = (thread: number, stack: number, state: number, count: number) => void;

/** Gets samples that are not counted here; see `SampleGroups.add`. */
interface HandOn {
  add(thread: number, stack: number, state: number, klass: number, count: number, value: number): void;
}

/**
 * Counts of samples without values, which most are, by stack, thread and state. A chunk has few stack keys and even
 * fewer threads and states, so there is a cell for each combination, and a sample costs three lookups by index. A cell
 * is one byte, emitted when it is full, so that all cells of a chunk fit the second-level cache. Frequent stacks
 * usually occur early, so their rows are adjacent.
 *
 *   stack     http-1 runnable   http-2 runnable   http-2 sleeping
 *   row 0     17                2                 0
 *   row 1     0                 1                 31
 */
export class SampleCounts {
  readonly #stacks: KeyColumn;
  readonly #threads: KeyColumn;
  readonly #states: KeyColumn;
  /** Key of a thread, and state + 1 -> column + 1. */
  #columnOf = new Int32Array(64 << STATE_BITS);
  #columns = 0;
  /** Rows of a column's thread and state, NONE for no state. */
  readonly #threadOf: number[] = [];
  readonly #stateOf: number[] = [];
  #columnBits = 3;
  #rows = 0;
  #cells = new Uint8Array(64 << this.#columnBits);

  /** The rows are those of `stacks`; the others number threads and states. */
  constructor(stacks: KeyColumn, threads: KeyColumn, states: KeyColumn) {
    this.#stacks = stacks;
    this.#threads = threads;
    this.#states = states;
  }

  /**
   * Counts one sample. Returns how many samples like it are not counted here: itself where there is no cell for it, all
   * of a cell that was full, mostly none. No short key is negative, but a state may be NONE.
   */
  add(stack: number, thread: number, state: number): number {
    if (state >= STATES || thread >= MOST_KEYS >> STATE_BITS) return 1;
    const key = (thread << STATE_BITS) | (state + 1);
    const column = this.#column(key, thread, state);
    const row = this.#stacks.row(stack);
    if (column < 0 || !this.#holds(row)) return 1;
    const cell = (row << this.#columnBits) + column;
    const count = this.#cells[cell] + 1;
    this.#cells[cell] = count;
    return count === FULL ? FULL : 0;
  }

  /**
   * The same for many samples, two cells each: stack; thread << STATE_BITS | state + 1. Samples that cannot be counted
   * here go to `handOn`. Nearly every sample costs four lookups and no call.
   */
  addBatch(batch: Int32Array, cells: number, handOn: HandOn): void {
    let at = 0;
    while (at < cells) {
      at = this.#countKnown(batch, at, cells);
      if (at === cells) break;
      const stack = batch[at];
      const thread = batch[at + 1] >> STATE_BITS;
      const state = (batch[at + 1] & STATES) - 1;
      const left = this.add(stack, thread, state);
      if (left > 0) handOn.add(thread, stack, state, NONE, left, 0);
      at += 2;
    }
  }

  /** Counts samples up to the first with a new stack, a new thread and state, or a full cell. */
  #countKnown(batch: Int32Array, from: number, to: number): number {
    const rowOf = this.#stacks.rowOfSmall;
    const columnOf = this.#columnOf;
    const cells = this.#cells;
    const bits = this.#columnBits;
    const rows = this.#rows;
    let at = from;
    for (; at < to; at += 2) {
      const stack = batch[at];
      const key = batch[at + 1];
      if (stack >= rowOf.length || key >= columnOf.length) break;
      const row = rowOf[stack] - 1;
      const column = columnOf[key] - 1;
      if (row < 0 || row >= rows || column < 0) break;
      const cell = (row << bits) + column;
      const count = cells[cell];
      if (count === FULL - 1) break;
      cells[cell] = count + 1;
    }
    return at;
  }

  /** Hands every count on, by row, and forgets it. */
  takeAll(take: TakeCount): void {
    const cells = this.#cells;
    for (let row = 0; row < this.#rows; row++) {
      const first = row << this.#columnBits;
      for (let column = 0; column < this.#columns; column++) {
        const count = cells[first + column];
        if (count === 0) continue;
        cells[first + column] = 0;
        take(this.#threadOf[column], row, this.#stateOf[column], count);
      }
    }
    this.#rows = 0;
    this.#columns = 0;
    this.#columnOf.fill(0);
    this.#threadOf.length = 0;
    this.#stateOf.length = 0;
  }

  /** Whether there are cells for a row. */
  #holds(row: number): boolean {
    const end = (row + 1) << this.#columnBits;
    if (row >= MOST_CELLS || end > MOST_CELLS) return false;
    if (end > this.#cells.length) this.#cells = grown(this.#cells, Math.max(end, this.#cells.length * 2));
    if (row >= this.#rows) this.#rows = row + 1;
    return true;
  }

  /** -1 when there are too many. */
  #column(key: number, thread: number, state: number): number {
    if (key >= this.#columnOf.length)
      this.#columnOf = grown(this.#columnOf, Math.max(key + 1, this.#columnOf.length * 2));
    const known = this.#columnOf[key] - 1;
    if (known >= 0) return known;
    if (this.#columns === 1 << this.#columnBits && !this.#widen()) return -1;
    this.#threadOf.push(this.#threads.row(thread));
    this.#stateOf.push(state === NONE ? NONE : this.#states.row(state));
    this.#columnOf[key] = ++this.#columns;
    return this.#columns - 1;
  }

  /** Doubles the columns, if the existing rows leave enough memory. */
  #widen(): boolean {
    const bits = this.#columnBits;
    if (this.#rows << (bits + 1) > MOST_CELLS) return false;
    const cells = new Uint8Array(Math.max(64, this.#rows) << (bits + 1));
    for (let row = 0; row < this.#rows; row++)
      cells.set(this.#cells.subarray(row << bits, (row + 1) << bits), row << (bits + 1));
    this.#cells = cells;
    this.#columnBits = bits + 1;
    return true;
  }
}
