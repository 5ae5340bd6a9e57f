import { MemoryBudget } from '../../../aggregate/memory-budget.ts';
import { FIRST_ROWS, FIRST_SLOTS, grown, nextCapacity, NONE } from '../../../profile/columns.ts';
import { Int64Index } from '../../../aggregate/int64-index.ts';

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
/** 32-bit cells of a group: four keys, then two doubles. */
const GROUP_CELLS = 8;
/** Its doubles: the keys take the place of two, then its count and its value. */
const GROUP_DOUBLES = 4;
const COUNT = 2;
const VALUE = 3;
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
 * A hash table with open addressing finds the group of a sample. Groups are numbered in order of first appearance, so
 * that those of most samples, which appear early, are next to each other. Keys and sums of a group are in one cache line.
 *
 *   group   thread stack state class │ count │ value      short keys, two doubles
 */
export class SampleGroups {
  /** In ticks of the chunk's clock; Infinity and -Infinity without samples. */
  firstTicks = Infinity;
  lastTicks = -Infinity;
  /** Start of the event that is added next; only needed where times are kept, and for `noteCount`. */
  ticks = 0;
  /** Samples that an event stands for, if several -> the start of the latest such event, in ticks. */
  readonly latestOf = new Map<number, number>();
  /** Undefined unless the time of each sample is kept. */
  readonly times: EventTimes | undefined;
  /** Keys of the constants that samples refer to; those of states are `stateKey`s. */
  readonly threads: KeyColumn;
  readonly stacks: KeyColumn;
  readonly states: KeyColumn;
  readonly classes: KeyColumn;
  readonly memory: MemoryBudget;
  /** group + 1, 0 for a free slot; at most half of them are used. */
  #slots = new Int32Array(2 * FIRST_ROWS);
  /** Per group: its keys and its sums. Both arrays are the same memory. */
  #keys = new Int32Array(FIRST_ROWS * GROUP_CELLS);
  #sums = new Float64Array(this.#keys.buffer);
  /** Per group: its four rows of KeyColumns. */
  #rows = new Int32Array(FIRST_ROWS * KEYS_PER_ROW);
  #length = 0;

  constructor(memory: MemoryBudget, keepTimes = false) {
    this.memory = memory;
    this.threads = new KeyColumn(memory);
    this.stacks = new KeyColumn(memory);
    this.states = new KeyColumn(memory);
    this.classes = new KeyColumn(memory);
    this.times = keepTimes ? new EventTimes(memory) : undefined;
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
    const sums = this.#sums;
    for (let group = 0; group < this.#length; group++) {
      const first = group * KEYS_PER_ROW;
      const sum = group * GROUP_DOUBLES;
      const [count, value] = [sums[sum + COUNT], sums[sum + VALUE]];
      take(rows[first], rows[first + 1], rows[first + 2], rows[first + 3], count, value, group);
    }
    this.#slots.fill(0);
    this.#length = 0;
  }

  /** Adds samples with these short keys, NONE for a missing one. */
  add(thread: number, stack: number, state: number, klass: number, count: number, value: number): void {
    const group = this.#group(thread, stack, state, klass);
    const sum = group * GROUP_DOUBLES;
    this.#sums[sum + COUNT] += count;
    this.#sums[sum + VALUE] += value;
    this.times?.add(this.ticks, group, value, count);
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

  /** The group of these keys, which is added if it is new. */
  #group(thread: number, stack: number, state: number, klass: number): number {
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    let slot = hashOf(thread, stack, state, klass) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const group = slots[slot] - 1;
      const at = group * GROUP_CELLS;
      if (keys[at + 1] === stack && keys[at] === thread && keys[at + 2] === state && keys[at + 3] === klass)
        return group;
    }
    const group = this.#length++;
    slots[slot] = group + 1;
    const at = group * GROUP_CELLS;
    keys[at] = thread;
    keys[at + 1] = stack;
    keys[at + 2] = state;
    keys[at + 3] = klass;
    const sum = group * GROUP_DOUBLES;
    this.#sums[sum + COUNT] = 0;
    this.#sums[sum + VALUE] = 0;
    const first = group * KEYS_PER_ROW;
    this.#rows[first] = this.threads.row(thread);
    this.#rows[first + 1] = this.stacks.row(stack);
    this.#rows[first + 2] = state === NONE ? NONE : this.states.row(state);
    this.#rows[first + 3] = klass === NONE ? NONE : this.classes.row(klass);
    if (this.#length * 2 === slots.length) this.#grow();
    return group;
  }

  #grow(): void {
    this.memory.hold(this.#length * GROUP_BYTES);
    this.#rows = grown(this.#rows, this.#rows.length * 2);
    const keys = grown(this.#keys, this.#keys.length * 2);
    this.#keys = keys;
    this.#sums = new Float64Array(keys.buffer);
    const slots = new Int32Array(this.#slots.length * 2);
    this.#slots = slots;
    const mask = slots.length - 1;
    for (let group = 0; group < this.#length; group++) {
      const at = group * GROUP_CELLS;
      let slot = hashOf(keys[at], keys[at + 1], keys[at + 2], keys[at + 3]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = group + 1;
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
  /** The number of samples that the event stands for; undefined: one each. */
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
