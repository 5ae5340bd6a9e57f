import { grown, NONE } from '../../profile/columns.ts';
import { EventTimes } from './event-times.ts';
import { KeyColumn } from './key-column.ts';
import { SampleCounts, STATE_BITS, STATES } from './sample-counts.ts';

/** Thread, stack, state, class. */
const KEYS_PER_ROW = 4;
/** 32-bit cells of a slot: four keys, then two doubles. */
const CELL_BITS = 3;
const SLOT_CELLS = 1 << CELL_BITS;
/** Index of the count and of the value among the doubles of a slot. */
const COUNT = 2;
const VALUE = 3;
const INITIAL_SLOTS = 1 << 10;
/** A larger number of samples in one event is invalid. */
export const MAX_SAMPLES = 1e9;

/**
 * Receives the number and the sum of samples with equal keys: rows of KeyColumns, NONE for a missing key. Groups come in
 * the order of their rows in EventTimes.
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
 * A hash table with open addressing finds the group of a sample. A slot has 32 bytes, so keys and sums are in one cache
 * line. A slot without samples is free.
 *
 *   slot   thread stack state class │ count │ value      short keys, two doubles
 */
export class SampleGroups {
  /** In ticks of the chunk's clock; Infinity and -Infinity without samples. */
  firstTicks = Infinity;
  lastTicks = -Infinity;
  /** Start of the event that is added next; only needed where times are kept. */
  ticks = 0;
  /** An event stands for several samples, so that the time of each is not known. */
  hasWeights = false;
  /** Undefined unless the time of each sample is kept. */
  readonly times: EventTimes | undefined;
  /** Keys of the constants that samples refer to. */
  readonly threads = new KeyColumn();
  readonly stacks = new KeyColumn();
  readonly states = new KeyColumn();
  readonly classes = new KeyColumn();
  /** The slots, at most half of them used. Both arrays are the same memory. */
  #keys = new Int32Array(INITIAL_SLOTS * SLOT_CELLS);
  #sums = new Float64Array(this.#keys.buffer);
  /** Per group: its four rows of KeyColumns. */
  #rows = new Int32Array((INITIAL_SLOTS / 2) * KEYS_PER_ROW);
  /** Per group: the first cell of its slot. */
  #cells = new Int32Array(INITIAL_SLOTS / 2);
  #length = 0;
  /** Slot -> its group; empty unless times are kept. */
  #groups: Int32Array;
  readonly #counts = new SampleCounts(this.stacks, this.threads, this.states);

  /** `keepTimes`: every sample then takes the slower way, through the table of groups. */
  constructor(keepTimes = false) {
    this.times = keepTimes ? new EventTimes() : undefined;
    this.#groups = new Int32Array(keepTimes ? INITIAL_SLOTS : 0);
  }

  noteTicks(ticks: number): void {
    if (ticks < this.firstTicks) this.firstTicks = ticks;
    if (ticks > this.lastTicks) this.lastTicks = ticks;
  }

  get isEmpty(): boolean {
    return this.stacks.length === 0;
  }

  /** Adds a sample without class and value. Its short keys are not negative, but the state may be NONE. */
  addOne(thread: number, stack: number, state: number): void {
    const left = this.times === undefined ? this.#counts.add(stack, thread, state) : 1;
    if (left > 0) this.add(thread, stack, state, NONE, left, 0);
  }

  /** Adds many such samples; see `SampleCounts.addBatch`. `ticks`: the start of each, only used where times are kept. */
  addBatch(batch: Int32Array, cells: number, ticks: Float64Array): void {
    if (this.times === undefined) {
      this.#counts.addBatch(batch, cells, this);
      return;
    }
    this.times.reserve(this.times.length + (cells >> 1));
    for (let at = 0; at < cells; at += 2) {
      at = this.#addKnown(this.times, batch, at, cells, ticks);
      if (at === cells) return;
      const keys = batch[at + 1];
      this.ticks = ticks[at >> 1];
      this.add(keys >> STATE_BITS, batch[at], (keys & STATES) - 1, NONE, 1, 0);
    }
  }

  /**
   * Adds the samples of a batch from `from` on whose groups exist, for which `times` has room. Returns the place of the
   * first one without a group. Nearly all have one, and the loop with arrays only takes half the time of `add`.
   */
  #addKnown(times: EventTimes, batch: Int32Array, from: number, cells: number, ticks: Float64Array): number {
    const keysOf = this.#keys;
    const sums = this.#sums;
    const groups = this.#groups;
    const mask = keysOf.length - 1;
    const { at: ticksOf, group: groupOf, value: valueOf } = times;
    let row = times.length;
    let at = from;
    for (; at < cells; at += 2) {
      const stack = batch[at];
      const keys = batch[at + 1];
      const thread = keys >> STATE_BITS;
      const state = (keys & STATES) - 1;
      let cell = (hashOf(thread, stack, state, NONE) << CELL_BITS) & mask;
      while (
        sums[(cell >> 1) + COUNT] !== 0 &&
        (keysOf[cell + 1] !== stack ||
          keysOf[cell] !== thread ||
          keysOf[cell + 2] !== state ||
          keysOf[cell + 3] !== NONE)
      )
        cell = (cell + SLOT_CELLS) & mask;
      if (sums[(cell >> 1) + COUNT] === 0) break;
      sums[(cell >> 1) + COUNT]++;
      ticksOf[row] = ticks[at >> 1];
      groupOf[row] = groups[cell >> CELL_BITS];
      valueOf[row++] = 0;
    }
    times.length = row;
    return at;
  }

  /**
   * Emits all groups and removes them; keys keep their rows. Samples without value are in both tables, so a group of
   * them may be emitted twice: merging would cost more than counting it in two steps.
   */
  takeAll(take: TakeGroup): void {
    const rows = this.#rows;
    for (let row = 0; row < this.#length; row++) {
      const first = row * KEYS_PER_ROW;
      const sum = this.#cells[row] >> 1;
      const count = this.#sums[sum + COUNT];
      this.#sums[sum + COUNT] = 0;
      take(rows[first], rows[first + 1], rows[first + 2], rows[first + 3], count, this.#sums[sum + VALUE]);
    }
    this.#length = 0;
    this.#counts.takeAll((thread, stack, state, count) => take(thread, stack, state, NONE, count, 0));
  }

  /** Adds samples with these short keys, NONE for a missing one. `count` is more than 0. */
  add(thread: number, stack: number, state: number, klass: number, count: number, value: number): void {
    const keys = this.#keys;
    const sums = this.#sums;
    const mask = keys.length - 1;
    let cell = (hashOf(thread, stack, state, klass) << CELL_BITS) & mask;
    for (; sums[(cell >> 1) + COUNT] !== 0; cell = (cell + SLOT_CELLS) & mask) {
      if (
        keys[cell + 1] === stack &&
        keys[cell] === thread &&
        keys[cell + 2] === state &&
        keys[cell + 3] === klass
      ) {
        sums[(cell >> 1) + COUNT] += count;
        sums[(cell >> 1) + VALUE] += value;
        this.times?.add(this.ticks, this.#groups[cell >> CELL_BITS], value);
        return;
      }
    }
    keys[cell] = thread;
    keys[cell + 1] = stack;
    keys[cell + 2] = state;
    keys[cell + 3] = klass;
    sums[(cell >> 1) + COUNT] = count;
    sums[(cell >> 1) + VALUE] = value;
    if (this.times !== undefined) {
      this.times.add(this.ticks, this.#length, value);
      this.#groups[cell >> CELL_BITS] = this.#length;
    }
    this.#append(thread, stack, state, klass, cell);
  }

  /** Removes everything, and keeps the memory for the next chunk. */
  clear(): void {
    this.takeAll(() => undefined);
    this.firstTicks = Infinity;
    this.lastTicks = -Infinity;
    this.hasWeights = false;
    if (this.times !== undefined) this.times.length = 0;
    for (const keys of [this.threads, this.stacks, this.states, this.classes]) keys.clear();
  }

  #append(thread: number, stack: number, state: number, klass: number, cell: number): void {
    const row = this.#length++;
    const first = row * KEYS_PER_ROW;
    this.#rows[first] = this.threads.row(thread);
    this.#rows[first + 1] = this.stacks.row(stack);
    this.#rows[first + 2] = state === NONE ? NONE : this.states.row(state);
    this.#rows[first + 3] = klass === NONE ? NONE : this.classes.row(klass);
    this.#cells[row] = cell;
    if (this.#length === this.#cells.length) this.#grow();
  }

  #grow(): void {
    const [keys, sums] = [this.#keys, this.#sums];
    this.#rows = grown(this.#rows, this.#rows.length * 2);
    this.#cells = grown(this.#cells, this.#cells.length * 2);
    this.#keys = new Int32Array(keys.length * 2);
    this.#sums = new Float64Array(this.#keys.buffer);
    if (this.times !== undefined) this.#groups = new Int32Array(this.#keys.length >> CELL_BITS);
    const mask = this.#keys.length - 1;
    for (let row = 0; row < this.#length; row++) {
      const from = this.#cells[row];
      let cell = (hashOf(keys[from], keys[from + 1], keys[from + 2], keys[from + 3]) << CELL_BITS) & mask;
      while (this.#sums[(cell >> 1) + COUNT] !== 0) cell = (cell + SLOT_CELLS) & mask;
      for (let at = 0; at < KEYS_PER_ROW; at++) this.#keys[cell + at] = keys[from + at];
      this.#sums[(cell >> 1) + COUNT] = sums[(from >> 1) + COUNT];
      this.#sums[(cell >> 1) + VALUE] = sums[(from >> 1) + VALUE];
      this.#cells[row] = cell;
      if (this.times !== undefined) this.#groups[cell >> CELL_BITS] = row;
    }
  }
}

function hashOf(thread: number, stack: number, state: number, klass: number): number {
  let hash = Math.imul(stack, 0x9e3779b1) + Math.imul(thread, 0x85ebca6b);
  hash = Math.imul(hash ^ (state << 20) ^ (klass << 11), 0xc2b2ae35);
  return hash ^ (hash >>> 15);
}
