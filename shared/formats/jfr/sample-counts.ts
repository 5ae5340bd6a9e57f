import { grown, NONE } from '../../profile/columns.ts';
import { type EventTimes, widenedCell } from './event-times.ts';
import type { KeyColumn } from './key-column.ts';

/** 1 MB. */
const MAX_CELLS = 1 << 20;
/** A cell that reaches this count is emptied: it has one byte. */
const FULL = 256;
/** The key of a column is a thread's key, and in the lowest bits the key of its state + 1: 0 for NONE. */
export const STATE_BITS = 5;
/** State keys are below; see `stateKey`: JVMs number some nine states. */
export const STATES = (1 << STATE_BITS) - 1;
/** Keys of columns are below. Their array takes up to 16 MB. */
const MAX_KEYS = 1 << 22;

/**
 * Receives the count of a thread, a stack and a state: rows of KeyColumns, NONE for a missing state. `cell`: that of its
 * samples in EventTimes.
 */
export type TakeCount = (thread: number, stack: number, state: number, count: number, cell: number) => void;

/** Receives samples that are not counted here; see `SampleGroups.add`. */
interface SampleReceiver {
  ticks: number;
  add(thread: number, stack: number, state: number, klass: number, count: number, value: number): void;
}

/**
 * Counts of samples without class and value, as most samples are, by stack, thread and state. A chunk has few stack
 * keys and even fewer threads and states, so there is a cell for each combination, and a sample costs three lookups by
 * index: row, column and cell. A cell has one byte and is emptied when it is full, so that all cells of a chunk fit the
 * second-level cache. Frequent stacks usually occur early, so their rows are adjacent.
 *
 *   stack     http-1 runnable   http-2 runnable   http-2 sleeping
 *   row 0     17                2                 0
 *   row 1     0                 1                 31
 *
 * Where times are kept, they name the cell of each sample. So that there is one group for a cell, those that were emptied
 * are noted.
 */
export class SampleCounts {
  readonly #stacks: KeyColumn;
  readonly #threads: KeyColumn;
  readonly #states: KeyColumn;
  /** Key of a column -> column + 1; 0 if there is none. */
  #columnOf = new Int32Array(1 << STATE_BITS);
  #columns = 0;
  /** Column -> row of its thread. */
  readonly #threadOf: number[] = [];
  /** Column -> row of its state, NONE for none. */
  readonly #stateOf: number[] = [];
  #columnBits = 3;
  #rows = 0;
  #cells = new Uint8Array(8 << this.#columnBits);
  /** Where times are kept: the cells that were full, once for each time. */
  readonly #full: number[] = [];
  readonly #times: EventTimes | undefined;

  /** The rows of cells are the rows of `stacks`. `times`: takes the time of each sample that is counted here. */
  constructor(stacks: KeyColumn, threads: KeyColumn, states: KeyColumn, times: EventTimes | undefined) {
    this.#times = times;
    this.#stacks = stacks;
    this.#threads = threads;
    this.#states = states;
  }

  /**
   * Counts one sample. Returns how many equal samples the caller must count: usually 0, 1 if there is no cell for it,
   * 256 if its cell was full and is now empty. Short keys are not negative, but `state` may be NONE. `ticks`: its start,
   * only used where times are kept.
   */
  add(stack: number, thread: number, state: number, ticks: number): number {
    if (state >= STATES || thread >= MAX_KEYS >> STATE_BITS) return 1;
    const key = (thread << STATE_BITS) | (state + 1);
    const column = this.#column(key, thread, state);
    const row = this.#stacks.row(stack);
    if (column < 0 || !this.#holds(row)) return 1;
    const cell = (row << this.#columnBits) + column;
    const count = this.#cells[cell] + 1;
    this.#cells[cell] = count;
    if (this.#times !== undefined) {
      this.#times.add(ticks, cell, 0, 1);
      if (count === FULL) this.#full.push(cell);
      return 0;
    }
    return count === FULL ? FULL : 0;
  }

  /**
   * Counts many samples. Each has two entries in `batch[0 … cells)`: the stack's key and the column's key. `uncounted`
   * receives those that the caller of `add` would have to count. Most samples cost no call. `ticks`: the start of each.
   */
  addBatch(batch: Int32Array, cells: number, ticks: Float64Array, uncounted: SampleReceiver): void {
    const times = this.#times;
    times?.hold(times.length + (cells >> 1));
    let at = 0;
    while (at < cells) {
      at =
        times === undefined
          ? this.#countKnown(batch, at, cells)
          : this.#timeKnown(times, batch, at, cells, ticks);
      if (at === cells) break;
      const stack = batch[at];
      const thread = batch[at + 1] >> STATE_BITS;
      const state = (batch[at + 1] & STATES) - 1;
      const left = this.add(stack, thread, state, ticks[at >> 1]);
      uncounted.ticks = ticks[at >> 1];
      if (left > 0) uncounted.add(thread, stack, state, NONE, left, 0);
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

  /** The same where times are kept, for which `times` has room. A full cell is noted and emptied. */
  #timeKnown(times: EventTimes, batch: Int32Array, from: number, to: number, ticks: Float64Array): number {
    const rowOf = this.#stacks.rowOfSmall;
    const columnOf = this.#columnOf;
    const cells = this.#cells;
    const bits = this.#columnBits;
    const rows = this.#rows;
    const { ticks: ticksOf, group: cellOf } = times;
    const full = this.#full;
    let timed = times.length;
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
      cells[cell] = count + 1;
      if (count === FULL - 1) full.push(cell);
      ticksOf[timed] = ticks[at >> 1];
      cellOf[timed++] = cell;
    }
    times.value?.fill(0, times.length, timed);
    times.count?.fill(1, times.length, timed);
    times.length = timed;
    return at;
  }

  /** Cells are below. */
  get size(): number {
    return this.#rows << this.#columnBits;
  }

  /** Emits all counts, row by row, and removes them. */
  takeAll(take: TakeCount): void {
    const cells = this.#full.length === 0 ? this.#cells : this.#takeCells();
    for (let row = 0; row < this.#rows; row++) {
      const first = row << this.#columnBits;
      for (let column = 0; column < this.#columns; column++) {
        const count = cells[first + column];
        if (count === 0) continue;
        cells[first + column] = 0;
        take(this.#threadOf[column], row, this.#stateOf[column], count, first + column);
      }
    }
    this.#rows = 0;
    this.#columns = 0;
    this.#columnOf.fill(0);
    this.#threadOf.length = 0;
    this.#stateOf.length = 0;
  }

  /** What was counted in each cell since they were empty. */
  #takeCells(): Uint32Array {
    const cells = this.#cells.subarray(0, this.size);
    const counts = Uint32Array.from(cells);
    cells.fill(0);
    for (const cell of this.#full) counts[cell] += FULL;
    this.#full.length = 0;
    return counts;
  }

  /** Makes cells for a row; false if there is no memory left for it. */
  #holds(row: number): boolean {
    const end = (row + 1) << this.#columnBits;
    if (row >= MAX_CELLS || end > MAX_CELLS) return false;
    if (end > this.#cells.length) this.#cells = grown(this.#cells, Math.max(end, this.#cells.length * 2));
    if (row >= this.#rows) this.#rows = row + 1;
    return true;
  }

  /** The column of a key, which is added if necessary; -1 if there are too many columns. */
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

  /** Doubles the number of columns, if the rows then fit the memory limit. */
  #widen(): boolean {
    const bits = this.#columnBits;
    if (this.#rows << (bits + 1) > MAX_CELLS) return false;
    const cells = new Uint8Array(Math.max(8, this.#rows) << (bits + 1));
    for (let row = 0; row < this.#rows; row++)
      cells.set(this.#cells.subarray(row << bits, (row + 1) << bits), row << (bits + 1));
    this.#cells = cells;
    this.#columnBits = bits + 1;
    this.#times?.widenCells(bits);
    this.#full.forEach((cell, at) => (this.#full[at] = widenedCell(cell, bits)));
    return true;
  }
}
