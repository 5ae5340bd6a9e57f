import { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { grown } from '../../profile/columns.ts';

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
  /** Of the chunk's clock. */
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
   * The same with a row for each sample: those of one event follow each other every `period` ticks from its start on, and
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
