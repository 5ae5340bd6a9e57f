import { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { FIRST_ROWS, FIRST_SLOTS, grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { Int64Index } from '../../aggregate/int64-index.ts';

/** Bytes of a key with what is made of it: the number of its stack, or its thread. */
const KEY_BYTES = 100;
/** Keys below it are looked up by index. */
const SMALL = 1 << 20;
/** The short key of the first long key. NONE, -1, is not a key. */
const FIRST_LONG = -2;

/**
 * Keys of constants that samples refer to, numbered in order of first appearance. Keys have 64 bits, but nearly all fit
 * 31: such a key is its own short key. A longer one gets a negative number as its short key.
 *
 *   row   key     short
 *   0     0,18    18
 *   1     7,31    -2
 *   2     0,19    19
 */
export class KeyColumn {
  length = 0;
  readonly #memory: MemoryBudget;
  hi = new Int32Array(FIRST_ROWS);
  lo = new Int32Array(FIRST_ROWS);
  /** Short key below SMALL -> row + 1, 0 if unknown. JVMs number most constants from 1. */
  rowOfSmall = new Int32Array(FIRST_SLOTS);
  /** Other short keys -> row. */
  readonly #others = new Map<number, number>();
  #long = new Int64Index();
  readonly #longHi: number[] = [];
  readonly #longLo: number[] = [];

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  short(hi: number, lo: number): number {
    if (hi === 0 && lo >= 0) return lo;
    let row = this.#long.find(hi, lo);
    if (row < 0) {
      row = this.#long.add(hi, lo);
      this.#longHi.push(hi);
      this.#longLo.push(lo);
    }
    return FIRST_LONG - row;
  }

  /** The row of a short key, which is added if it is unknown. */
  row(short: number): number {
    if (short < 0 || short >= SMALL) {
      const known = this.#others.get(short);
      if (known !== undefined) return known;
      this.#others.set(short, this.length);
      return this.#append(short);
    }
    if (short >= this.rowOfSmall.length)
      this.rowOfSmall = grown(
        this.rowOfSmall,
        Math.min(SMALL, Math.max(short + 1, this.rowOfSmall.length * 4)),
      );
    const known = this.rowOfSmall[short] - 1;
    return known >= 0 ? known : (this.rowOfSmall[short] = this.#append(short) + 1) - 1;
  }

  clear(): void {
    for (let row = 0; row < this.length; row++)
      if (this.hi[row] === 0 && this.lo[row] >= 0 && this.lo[row] < SMALL) this.rowOfSmall[this.lo[row]] = 0;
    this.length = 0;
    this.#others.clear();
    if (this.#longHi.length > 0) this.#long = new Int64Index();
    this.#longHi.length = 0;
    this.#longLo.length = 0;
  }

  #append(short: number): number {
    const row = this.length++;
    if (row === this.hi.length) {
      const capacity = nextCapacity(row, row + 1);
      // If that is refused, the chunk is read no further.
      this.#memory.hold((capacity - row) * KEY_BYTES);
      this.hi = grown(this.hi, capacity);
      this.lo = grown(this.lo, capacity);
    }
    this.hi[row] = short < 0 ? this.#longHi[FIRST_LONG - short] : 0;
    this.lo[row] = short < 0 ? this.#longLo[FIRST_LONG - short] : short;
    return row;
  }
}

/** Thread, stack, state, class. */
const KEYS_PER_ROW = 4;
/** 32-bit cells of a slot: four keys, then two doubles. */
const CELL_BITS = 3;
const SLOT_CELLS = 1 << CELL_BITS;
/** Index of the count and of the value among the doubles of a slot. */
const COUNT = 2;
const VALUE = 3;
const INITIAL_SLOTS = 1 << 4;
/** Bytes of a group, without its keys. */
const GROUP_BYTES = 100;
/**
 * The key of a state, with the number of its event type in the lowest bit, because the samples of each stand for another
 * time: `SampleEvent.number`. The highest bit of the 64 is lost.
 */
export const stateKey = {
  hi: (hi: number, lo: number): number => (hi << 1) | (lo >>> 31),
  lo: (lo: number, event: 0 | 1): number => (lo << 1) | event,
  stateHi: (hi: number): number => hi >>> 1,
  stateLo: (hi: number, lo: number): number => (hi << 31) | (lo >>> 1),
  eventOf: (lo: number): 0 | 1 => (lo & 1) as 0 | 1,
} as const;
/** A larger number of samples in one event is invalid. */
export const MAX_SAMPLES = 1e9;

/**
 * Receives the number and the sum of samples with equal keys: rows of KeyColumns, NONE for a missing key. `group`: that of
 * these samples in EventTimes.
 */
type TakeGroup = (
  thread: number,
  stack: number,
  state: number,
  klass: number,
  count: number,
  value: number,
  group: number,
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
  /** Start of the event that is added next; only needed where times are kept, and for `noteCount`. */
  ticks = 0;
  /** Of events that stand for several samples: how many -> the start of the latest such event, in ticks. */
  readonly latestOf = new Map<number, number>();
  /** Undefined unless the time of each sample is kept. */
  readonly times: EventTimes | undefined;
  /** Keys of the constants that samples refer to; those of states are `stateKey`s. */
  readonly threads: KeyColumn;
  readonly stacks: KeyColumn;
  readonly states: KeyColumn;
  readonly classes: KeyColumn;
  readonly memory: MemoryBudget;
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

  constructor(memory: MemoryBudget, keepTimes = false) {
    this.memory = memory;
    this.threads = new KeyColumn(memory);
    this.stacks = new KeyColumn(memory);
    this.states = new KeyColumn(memory);
    this.classes = new KeyColumn(memory);
    this.times = keepTimes ? new EventTimes(memory) : undefined;
    this.#groups = new Int32Array(keepTimes ? INITIAL_SLOTS : 0);
  }

  noteTicks(ticks: number): void {
    if (ticks < this.firstTicks) this.firstTicks = ticks;
    if (ticks > this.lastTicks) this.lastTicks = ticks;
  }

  /** The event whose start is `ticks` stands for `count` samples. */
  noteCount(count: number): void {
    if (count !== 1) this.latestOf.set(count, Math.max(this.latestOf.get(count) ?? -Infinity, this.ticks));
  }

  get isEmpty(): boolean {
    return this.stacks.length === 0;
  }

  get length(): number {
    return this.#length;
  }

  /** Emits all groups and removes them; keys keep their rows. */
  takeAll(take: TakeGroup): void {
    const rows = this.#rows;
    for (let row = 0; row < this.#length; row++) {
      const first = row * KEYS_PER_ROW;
      const sum = this.#cells[row] >> 1;
      const count = this.#sums[sum + COUNT];
      this.#sums[sum + COUNT] = 0;
      const value = this.#sums[sum + VALUE];
      take(rows[first], rows[first + 1], rows[first + 2], rows[first + 3], count, value, row);
    }
    this.#length = 0;
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
        this.times?.add(this.ticks, this.#groups[cell >> CELL_BITS], value, count);
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
      this.times.add(this.ticks, this.#length, value, count);
      this.#groups[cell >> CELL_BITS] = this.#length;
    }
    this.#append(thread, stack, state, klass, cell);
  }

  /** Removes everything, and keeps the memory for the next chunk. */
  clear(): void {
    this.takeAll(() => undefined);
    this.firstTicks = Infinity;
    this.lastTicks = -Infinity;
    this.latestOf.clear();
    this.times?.clear();
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
    this.memory.hold(this.#length * GROUP_BYTES);
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

/** Rows for which memory is taken from the budget at a time. */
const ROW_BLOCK = 64;
/** Bytes of a row, while the columns are copied to grow. */
const ROW_BYTES = 24;

/**
 * When each sample of a chunk was taken, in the order of the chunk; 12 bytes per sample. Events of some types have a
 * `value`, eight bytes more, and may stand for several samples: `count`, four bytes more.
 *
 *   row   ticks   group   value
 *   0     5120    0       0
 *   1     5391    1       0
 *   2     5660    0       0
 */
export class EventTimes {
  length = 0;
  /** Ticks of the chunk's clock. */
  ticks = new Float64Array(0);
  /** -> group of SampleGroups. */
  group = new Int32Array(0);
  /** In the unit of the events; undefined: all are 0. */
  value: Float64Array<ArrayBuffer> | undefined;
  /** How many samples the event stands for; undefined: one each. */
  count: Int32Array<ArrayBuffer> | undefined;
  readonly #memory: MemoryBudget;
  /** Rows for which memory was taken from the budget. It is kept for the next chunk. */
  #heldRows = 0;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  add(ticks: number, group: number, value: number, count: number): void {
    const row = this.length;
    if (row >= this.#heldRows) this.hold(row + 1);
    this.length++;
    if (count !== 1) this.count ??= new Int32Array(this.group.length).fill(1, 0, row);
    if (this.count !== undefined) this.count[row] = count;
    if (value !== 0) this.value ??= new Float64Array(this.group.length);
    if (this.value !== undefined) this.value[row] = value;
    this.ticks[row] = ticks;
    this.group[row] = group;
  }

  /**
   * Makes room for so many rows in the table and in the memory budget. If that is refused, the chunk is read no further.
   */
  hold(rows: number): void {
    if (rows <= this.#heldRows) return;
    const held = rows + ROW_BLOCK;
    this.#memory.hold((held - this.#heldRows) * ROW_BYTES);
    this.#heldRows = held;
    this.reserve(held);
  }

  /**
   * Reserves capacity for so many rows, because copying the columns costs more than what is never written. The budget
   * counts the rows that are used, so that what is read does not depend on estimates.
   */
  reserve(rows: number): void {
    if (rows <= this.group.length) return;
    const capacity = Math.max(rows, 2 * this.group.length);
    this.ticks = grown(this.ticks, capacity);
    this.group = grown(this.group, capacity);
    if (this.value !== undefined) this.value = grown(this.value, capacity);
    if (this.count !== undefined) this.count = grown(this.count, capacity);
  }

  clear(): void {
    this.length = 0;
    this.value = undefined;
    this.count = undefined;
  }

  /**
   * A table with a row for each sample: those of one event follow each other every `period` ticks from its start on, and
   * share its value. Samples of an event that stands for several are left out if `allows` does not let them through;
   * `rows`: what the table has without them, with the samples of all events that stand for one. The new table is needed
   * until the sink has the samples, and takes no more memory than there.
   */
  repeated(period: number, allows: (count: number, rows: number) => boolean): EventTimes {
    const { count } = this;
    if (count === undefined) return this;
    let rows = 0;
    for (let row = 0; row < this.length; row++) if (count[row] === 1) rows++;
    for (let row = 0; row < this.length; row++) {
      if (count[row] === 1) continue;
      if (!allows(count[row], rows)) count[row] = 0;
      rows += count[row];
    }
    const all = new EventTimes(new MemoryBudget());
    all.hold(rows);
    for (let row = 0; row < this.length; row++) {
      let given = 0;
      for (let sample = 0; sample < count[row]; sample++) {
        const until = Math.round(((this.value?.[row] ?? 0) * (sample + 1)) / count[row]);
        all.add(this.ticks[row] + sample * period, this.group[row], until - given, 1);
        given = until;
      }
    }
    return all;
  }
}
