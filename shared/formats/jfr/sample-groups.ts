import { grown, NONE } from '../../profile/columns.ts';
import { KeyColumn } from './key-column.ts';
import { SampleCounts } from './sample-counts.ts';

const PARTS = 4;
/** Cells of a place, in 32 bits; in 64 bits, which of them are the sums. */
const CELL_BITS = 3;
const CELLS = 1 << CELL_BITS;
const COUNT = 2;
const VALUE = 3;
const FIRST_PLACES = 1 << 10;
/** Of one event; more would be a broken count. */
export const MOST_SAMPLES = 1e9;

/**
 * Receives samples with equal keys: rows of their keys, NONE where an event has no such part, how many, and their
 * sum.
 */
export type TakeGroup = (
  thread: number,
  stack: number,
  state: number,
  klass: number,
  count: number,
  value: number,
) => void;

/**
 * Sums of the samples of one chunk with equal keys. A JVM writes each stack trace once and then only its key, so most
 * samples equal an earlier one.
 *
 *   row   thread   stack   state   class   count   value
 *   0     0        0       0       -1      17      0
 *   1     1        0       0       -1       2      0
 *
 * What a sample is compared with and what it is added to lie in one place of 32 bytes, found by its hash. A place
 * without samples is free.
 *
 *   place   thread stack state class │ count │ value      short keys, two doubles
 */
export class SampleGroups {
  /** Ticks of the chunk's clock; Infinity and -Infinity while there are none. */
  firstTicks = Infinity;
  lastTicks = -Infinity;
  /** What samples refer to. */
  readonly threads = new KeyColumn();
  readonly stacks = new KeyColumn();
  readonly states = new KeyColumn();
  readonly classes = new KeyColumn();
  /** Open addressing at half load; the same memory as whole numbers and as doubles. */
  #keys = new Int32Array(FIRST_PLACES * CELLS);
  #sums = new Float64Array(this.#keys.buffer);
  /** Rows of the four parts of each row; and its first cell in the table. */
  #parts = new Int32Array((FIRST_PLACES / 2) * PARTS);
  #cells = new Int32Array(FIRST_PLACES / 2);
  #length = 0;
  readonly #counts = new SampleCounts(this.stacks, this.threads, this.states);

  noteTicks(ticks: number): void {
    if (ticks < this.firstTicks) this.firstTicks = ticks;
    if (ticks > this.lastTicks) this.lastTicks = ticks;
  }

  get isEmpty(): boolean {
    return this.stacks.length === 0;
  }

  /** A sample that only counts; no key is long, and a state may be NONE. */
  addOne(thread: number, stack: number, state: number): void {
    const left = this.#counts.add(stack, thread, state);
    if (left > 0) this.add(thread, stack, state, NONE, left, 0);
  }

  /** Many samples that only count; see `SampleCounts.addBatch`. */
  addBatch(batch: Int32Array, cells: number): void {
    this.#counts.addBatch(batch, cells, this);
  }

  /**
   * Hands all samples on and forgets them; the keys stay. Of those that only count some groups may come twice: to find
   * each again in the table would cost more than to count it in two steps.
   */
  takeAll(take: TakeGroup): void {
    const parts = this.#parts;
    for (let row = 0; row < this.#length; row++) {
      const part = row * PARTS;
      const sum = this.#cells[row] >> 1;
      const count = this.#sums[sum + COUNT];
      this.#sums[sum + COUNT] = 0;
      take(parts[part], parts[part + 1], parts[part + 2], parts[part + 3], count, this.#sums[sum + VALUE]);
    }
    this.#length = 0;
    this.#counts.takeAll((thread, stack, state, count) => take(thread, stack, state, NONE, count, 0));
  }

  /** Samples of short keys, NONE for a part that there is not. A count is more than 0. */
  add(thread: number, stack: number, state: number, klass: number, count: number, value: number): void {
    const keys = this.#keys;
    const sums = this.#sums;
    const mask = keys.length - 1;
    let cell = (hashOf(thread, stack, state, klass) << CELL_BITS) & mask;
    for (; sums[(cell >> 1) + COUNT] !== 0; cell = (cell + CELLS) & mask) {
      if (
        keys[cell + 1] === stack &&
        keys[cell] === thread &&
        keys[cell + 2] === state &&
        keys[cell + 3] === klass
      ) {
        sums[(cell >> 1) + COUNT] += count;
        sums[(cell >> 1) + VALUE] += value;
        return;
      }
    }
    keys[cell] = thread;
    keys[cell + 1] = stack;
    keys[cell + 2] = state;
    keys[cell + 3] = klass;
    sums[(cell >> 1) + COUNT] = count;
    sums[(cell >> 1) + VALUE] = value;
    this.#append(thread, stack, state, klass, cell);
  }

  /** For the next chunk, in the memory of this one. What was not taken is dropped. */
  clear(): void {
    this.takeAll(() => undefined);
    this.firstTicks = Infinity;
    this.lastTicks = -Infinity;
    for (const keys of [this.threads, this.stacks, this.states, this.classes]) keys.clear();
  }

  #append(thread: number, stack: number, state: number, klass: number, cell: number): void {
    const row = this.#length++;
    const part = row * PARTS;
    this.#parts[part] = this.threads.row(thread);
    this.#parts[part + 1] = this.stacks.row(stack);
    this.#parts[part + 2] = state === NONE ? NONE : this.states.row(state);
    this.#parts[part + 3] = klass === NONE ? NONE : this.classes.row(klass);
    this.#cells[row] = cell;
    if (this.#length === this.#cells.length) this.#grow();
  }

  #grow(): void {
    const [keys, sums] = [this.#keys, this.#sums];
    this.#parts = grown(this.#parts, this.#parts.length * 2);
    this.#cells = grown(this.#cells, this.#cells.length * 2);
    this.#keys = new Int32Array(keys.length * 2);
    this.#sums = new Float64Array(this.#keys.buffer);
    const mask = this.#keys.length - 1;
    for (let row = 0; row < this.#length; row++) {
      const from = this.#cells[row];
      let cell = (hashOf(keys[from], keys[from + 1], keys[from + 2], keys[from + 3]) << CELL_BITS) & mask;
      while (this.#sums[(cell >> 1) + COUNT] !== 0) cell = (cell + CELLS) & mask;
      for (let at = 0; at < PARTS; at++) this.#keys[cell + at] = keys[from + at];
      this.#sums[(cell >> 1) + COUNT] = sums[(from >> 1) + COUNT];
      this.#sums[(cell >> 1) + VALUE] = sums[(from >> 1) + VALUE];
      this.#cells[row] = cell;
    }
  }
}

function hashOf(thread: number, stack: number, state: number, klass: number): number {
  let hash = Math.imul(stack, 0x9e3779b1) + Math.imul(thread, 0x85ebca6b);
  hash = Math.imul(hash ^ (state << 20) ^ (klass << 11), 0xc2b2ae35);
  return hash ^ (hash >>> 15);
}
