import { nextCapacity, NONE } from '../profile/columns.ts';
import { exactSum } from '../profile/int64.ts';
import { nsOfTicks, type SampleTable } from '../profile/sample-table.ts';
import type { SelfTable } from '../profile/self-table.ts';
import { KeptBytes, type MemoryBudget } from './memory-budget.ts';
import type { GroupedTimes } from './sample-sink.ts';

/** Rows for which memory is reserved at a time. */
const ROW_BLOCK = 256;

/** Fills the SampleTable of a profile within the limit on memory. Its rows count samples that are in the SelfTable. */
export class SampleTimes {
  /** The samples that are counted have a time: they are in the table, too. */
  isKnown = false;

  readonly #table: SampleTable;
  readonly #memory: MemoryBudget;
  /** ns after the origin of the table. */
  #at: number | bigint = 0;
  /** The latest base, and its ns after the origin: a number, so that the common case costs one addition. */
  #base: bigint | undefined;
  #baseAt: number | bigint = 0;

  /** Rows for which there is memory in the budget. */
  #reservedRows = 0;
  /** The latest base of a context, and its ns after the origin of contexts. */
  #contextBase: bigint | undefined;
  #contextBaseAt = 0;
  /** Reused by `addContext`. */
  readonly #attributes = { key: [] as number[], value: [] as number[] };
  /** Reused by `addAll`: group -> its row of the SelfTable. */
  #rows = new Int32Array(0);

  constructor(table: SampleTable, memory: MemoryBudget) {
    this.#table = table;
    this.#memory = memory;
  }

  /** Rows that may be added and leave half of the memory that is still allowed to what else is kept. */
  get allowed(): number {
    return this.#allowedRows() - this.#table.length;
  }

  /** See `SampleSink.takenAt`. */
  set(base: bigint | undefined, offset: number | bigint): void {
    this.isKnown = base !== undefined;
    if (base === undefined) return;
    if (base !== this.#base) {
      const table = this.#table;
      table.origin ??= base;
      const exact = base - table.origin;
      const nearest = Number(exact);
      this.#base = base;
      this.#baseAt = Number.isSafeInteger(nearest) ? nearest : exact;
    }
    this.#at = exactSum(this.#baseAt, offset);
  }

  /** One sample at the time that was set; `reserve` comes first. */
  append(self: number, value: number | bigint, valueSelf = self): void {
    this.#table.append(this.#at, self, value, valueSelf);
  }

  /** See `SampleSink.addTimes`. */
  addAll(base: bigint, times: GroupedTimes, nodes: Int32Array, selfValues: SelfTable): void {
    const table = this.#table;
    this.set(base, 0);
    const from = this.#baseAt;
    if (nodes.length > this.#rows.length)
      this.#rows = new Int32Array(nextCapacity(this.#rows.length, nodes.length));
    const rows = this.#rows;
    for (let of = 0; of < nodes.length; of++)
      rows[of] = nodes[of] === NONE ? NONE : selfValues.rowOf(nodes[of]);
    this.isKnown = false;
    const { length, ticks, clock, group, value } = times;
    if (!this.reserve(length)) return;
    if (typeof from === 'number' && table.appendAll(from, times, rows)) return;
    for (let sample = 0; sample < length; sample++) {
      const self = rows[group[sample]];
      if (self === NONE) continue;
      const ns = nsOfTicks(ticks[sample], clock);
      table.append(exactSum(from, ns), self, typeof value === 'number' ? value : value[sample]);
    }
  }

  /** See `SampleSink.addContext`. One that ends before it begins, or is a hundred days from the first one, is left out. */
  addContext(
    thread: number,
    base: bigint,
    from: number,
    to: number,
    name: string,
    attributes: readonly string[],
  ): void {
    const { contexts } = this.#table;
    if (base !== this.#contextBase) {
      contexts.origin ??= base;
      this.#contextBase = base;
      this.#contextBaseAt = Number(base - contexts.origin);
    }
    const [start, end] = [this.#contextBaseAt + from, this.#contextBaseAt + to];
    if (!(start <= end) || !Number.isSafeInteger(start) || !Number.isSafeInteger(end)) return;
    const count = attributes.length / 2;
    if (!this.#memory.hold(KeptBytes.context + count * KeptBytes.attribute)) return;
    const { key, value } = this.#attributes;
    for (let at = 0; at < count; at++) {
      key[at] = this.#text(attributes[2 * at]);
      value[at] = this.#text(attributes[2 * at + 1]);
    }
    const named = this.#text(name);
    if (!this.#memory.isExceeded) contexts.append(thread, start, end, named, this.#attributes, 0, count);
  }

  #text(text: string): number {
    const { contexts } = this.#table;
    const known = contexts.find(text);
    if (known >= 0) return known;
    return this.#memory.keep(KeptBytes.text + text.length * KeptBytes.character) ? contexts.text(text) : NONE;
  }

  /** See `SampleSink.convertTimes`. */
  convert(convert: (ns: number) => number, from: bigint, to: bigint): boolean {
    this.forget();
    const isConverted = this.#table.convert(convert, from, to);
    // How long calls took is known from their values and times.
    if (!isConverted) this.#table.areCalls = false;
    return isConverted;
  }

  /** Until the next `set`, samples have no time. */
  forget(): void {
    this.isKnown = false;
    this.#base = undefined;
  }

  /**
   * Reserves memory for `length` more rows; false if the budget does not allow them. It counts rows that are used, so that
   * what is read does not depend on estimates. The table grows to twice its size if possible: copying its columns costs
   * more than its capacity, which is physical memory only where it is written.
   */
  reserve(length: number): boolean {
    const table = this.#table;
    const needed = table.length + length;
    if (needed > this.#reservedRows) {
      const wanted = needed + ROW_BLOCK;
      if (!this.#memory.hold((wanted - this.#reservedRows) * KeptBytes.sample)) return false;
      this.#reservedRows = wanted;
    }
    const capacity = table.self.length;
    if (needed > capacity) table.reserve(Math.max(needed, Math.min(this.#allowedRows(), 2 * capacity)));
    return true;
  }

  /** Gives the table capacity for so many rows, or as many of them as leave half of the memory to what else is kept. */
  reserveUpTo(rows: number): void {
    this.#table.reserve(Math.min(rows, this.#allowedRows()));
  }

  #allowedRows(): number {
    return this.#reservedRows + Math.floor(this.#memory.spare / 2 / KeptBytes.sample);
  }
}
