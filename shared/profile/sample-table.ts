import { FIRST_ROWS, grown, nextCapacity, NONE, release } from './columns.ts';
import { ContextTable } from './context-table.ts';
import { TimeColumn } from './time-column.ts';

/** Sums of two such numbers are exact. */
const MOST_NS = Number.MAX_SAFE_INTEGER / 2;

/**
 * When each sample was taken: append-only but for `convert`, in the order of the file, which need not be the order of
 * time. 20 bytes per sample, 12 where all have the same value. A profile has the table only if someone asks for it.
 *
 *   row   at     self   value
 *   0     0      0      4000        0 ns after `origin`: a sample that counts in row 0 of the SelfTable
 *   1     4000   1      5500
 *   2     9500   0      5500        provisional: removed before the next sample
 *
 * The rows of a complete table add up to the SelfTable: for each of its rows the number of samples, and their values.
 * Samples without a time are not in the table.
 *
 * Where a format measures the time between two snapshots of a thread, it belongs to what both have in common, and so to
 * another row of the SelfTable than the sample: `valueSelf`, four bytes more.
 */
export class SampleTable {
  /** Grows whenever a row is appended or withdrawn. */
  revision = 0;
  /** Grows whenever rows that were final become others. */
  conversions = 0;
  length = 0;
  /**
   * Time to which `at` is relative, ns since 1970. Formats that know only the time since the recording began have 0.
   * Undefined until there is a sample.
   */
  origin: bigint | undefined;
  /** ns after `origin`, signed. */
  readonly at: TimeColumn;
  /** -> row of the SelfTable. */
  self = new Int32Array(FIRST_ROWS);
  /** -> row of the SelfTable that has the value; undefined: for all samples the same as `self`. */
  valueSelf: Int32Array<ArrayBuffer> | undefined;
  /** The addition of the sample to the time, or other value, of its row of the SelfTable. */
  readonly value: SampleValues;
  /**
   * Each sample is a call, which is in the table once it has ended, after those that it made. `at` is when it began, its value
   * the time without those.
   */
  areCalls = false;
  /** Contexts of their threads. Empty where the format has none. */
  readonly contexts: ContextTable;
  /** Number of rows at the end that may be withdrawn: those of the last trace, or of calls that have not ended. */
  provisional = 0;

  /** `of`: the times, values and contexts of another table, with rows of another SelfTable; it has its own of what is undefined. */
  constructor(of?: Partial<Pick<SampleTable, 'at' | 'value' | 'contexts'>>) {
    this.at = of?.at ?? new TimeColumn(FIRST_ROWS);
    this.value = of?.value ?? new SampleValues();
    this.contexts = of?.contexts ?? new ContextTable();
  }

  /** Takes the samples of the table whose times it has, with these rows. */
  takeRows(
    { length, origin, provisional }: SampleTable,
    self: Int32Array<ArrayBuffer>,
    valueSelf: Int32Array<ArrayBuffer> | undefined,
  ): void {
    this.self = self;
    this.valueSelf = valueSelf;
    this.length = length;
    this.origin = origin;
    this.provisional = provisional;
    this.conversions++;
    this.revision++;
  }

  /** The rows that never change. */
  get finalLength(): number {
    return this.length - this.provisional;
  }

  append(at: number | bigint, self: number, value: number | bigint, valueSelf = self): void {
    const row = this.length;
    if (row === this.self.length) this.reserve(nextCapacity(row, row + 1));
    if (valueSelf !== self) this.valueSelf ??= this.self.slice();
    if (this.valueSelf !== undefined) this.valueSelf[row] = valueSelf;
    this.at.set(row, at);
    this.self[row] = self;
    this.value.append(row, value, this.self.length);
    this.length = row + 1;
    this.revision++;
  }

  /**
   * Appends many samples, for which capacity is reserved: `base` + the ns of `ticks` after the origin each, in the row
   * `selfOf[group]` of the SelfTable; NONE: not counted. False, and nothing is appended, where a time or value needs exact
   * sums.
   */
  appendAll(
    base: number,
    {
      length: added,
      ticks,
      clock,
      group,
      value,
    }: {
      readonly length: number;
      readonly ticks: Float64Array;
      readonly clock: TickClock;
      readonly group: Int32Array;
      readonly value: Float64Array | number;
    },
    selfOf: Int32Array,
  ): boolean {
    const isExact = this.at.bigints === undefined && this.value.column.bigints === undefined;
    if (!isExact || this.valueSelf !== undefined || Math.abs(base) > MOST_NS) return false;
    const from = this.length;
    const { start, perSecond } = clock;
    const end = appendTimes(added, ticks, group, selfOf, base, start, perSecond, from, this.at.ns, this.self);
    if (end === NONE) return false;
    if (typeof value === 'number') {
      if (!(Math.abs(value) <= MOST_NS)) return false;
      if (end > from) this.value.append(from, value, this.self.length);
      if (this.value.mask !== 0) this.value.column.ns.fill(value, from, end);
    } else {
      this.value.separate(from, this.self.length);
      if (!appendValues(added, value, group, selfOf, this.value.column.ns, from)) return false;
    }
    this.length = end;
    this.revision++;
    return true;
  }

  /**
   * Converts all times and values; see `SampleSink.convertTimes`. Values are converted as sums of their row of the
   * SelfTable, so that they still add up to it: thirds of 100 and 4 are 33 and 2, because a third of 104 is 35. False, and nothing is
   * converted, where sums would not be exact.
   */
  convert(convert: (ns: number) => number, from: bigint, to: bigint): boolean {
    const { length, self, valueSelf = self } = this;
    const shift = Number((this.origin ?? from) - from);
    const at = new TimeColumn(this.self.length);
    const value = new TimeColumn(this.self.length);
    const before = new Map<number, number>();
    if (this.at.bigints !== undefined || !this.value.sumsStayExact(length)) return false;
    this.value.separate(length, this.self.length);
    for (let row = 0; row < length; row++) {
      const sum = before.get(valueSelf[row]) ?? 0;
      const next = sum + this.value.column.ns[row];
      before.set(valueSelf[row], next);
      value.set(row, convert(next) - convert(sum));
      at.set(row, convert(this.at.ns[row] + shift));
    }
    if (at.bigints !== undefined || !value.sumsStayExact(length)) return false;
    this.at.copyFrom(at);
    this.value.column.copyFrom(value);
    if (this.origin !== undefined) this.origin = to;
    this.conversions++;
    this.revision++;
    return true;
  }

  /** Removes the rows from `length` on. */
  truncate(length: number): void {
    for (let row = length; row < this.length; row++) this.at.set(row, 0);
    this.value.truncate(length, this.length);
    this.length = Math.min(this.length, length);
    this.provisional = 0;
    this.revision++;
  }

  reserve(capacity: number): void {
    if (capacity <= this.self.length) return;
    this.at.reserve(capacity);
    this.self = grown(this.self, capacity);
    if (this.valueSelf !== undefined) this.valueSelf = grown(this.valueSelf, capacity);
    this.value.reserve(capacity);
  }

  /** Frees what is reserved beyond the rows, unless it is very little. To be called when few more are expected. */
  trim(): void {
    const { length, at, value, self, valueSelf } = this;
    if (self.length - length <= length >>> 6) return;
    this.self = self.slice(0, length);
    this.valueSelf = valueSelf?.slice(0, length);
    at.trim(length);
    value.trim(length);
    release(self, ...(valueSelf === undefined ? [] : [valueSelf]));
  }

  /** The time of a row, ns since 1970, or since the recording began. */
  timeOf(row: number): bigint {
    return (this.origin ?? 0n) + this.at.exact(row);
  }
}

/** A clock that counted `start` ticks at some moment, and counts `perSecond` of them a second. */
export interface TickClock {
  readonly start: number;
  readonly perSecond: number;
}

/** Whole ns since that moment. */
export function nsOfTicks(ticks: number, { start, perSecond }: TickClock): number {
  return Math.round(((ticks - start) / perSecond) * 1e9);
}

// Functions of their own, with arrays only, so that V8 compiles their loops early. Rows beyond the length have no meaning,
// so that what is checked only while it is written is not appended by leaving the length as it was.

/** Writes times and rows of the SelfTable from `row` on; returns the row after the last one, NONE if sums are not exact. */
function appendTimes(
  added: number,
  ticks: Float64Array,
  group: Int32Array,
  selfOf: Int32Array,
  base: number,
  start: number,
  perSecond: number,
  row: number,
  ns: Float64Array,
  self: Int32Array,
): number {
  for (let each = 0; each < added; each++) {
    const of = selfOf[group[each]];
    if (of === NONE) continue;
    const at = Math.round(((ticks[each] - start) / perSecond) * 1e9);
    if (!(at <= MOST_NS && at >= -MOST_NS)) return NONE;
    ns[row] = base + at;
    self[row++] = of;
  }
  return row;
}

/** Writes the values of the same samples; false if sums are not exact. */
function appendValues(
  added: number,
  value: Float64Array,
  group: Int32Array,
  selfOf: Int32Array,
  values: Float64Array,
  row: number,
): boolean {
  for (let each = 0; each < added; each++) {
    if (selfOf[group[each]] === NONE) continue;
    if (!(Math.abs(value[each]) <= MOST_NS)) return false;
    values[row++] = value[each];
  }
  return true;
}

/**
 * The times of the earliest and the latest sample, as `SampleTable.timeOf`; undefined without samples. O(samples).
 *
 * Most tables are nearly in the order of time. The latest sample is searched from the end, where it is found at once: from
 * the start, every other row would be a new latest one, which no branch predictor foresees.
 */
export function sampleSpan(
  samples: SampleTable,
): { readonly first: bigint; readonly last: bigint } | undefined {
  const { length, at } = samples;
  if (length === 0) return undefined;
  let first = 0;
  let last = length - 1;
  if (at.bigints === undefined) {
    const { ns } = at;
    for (let row = 0, fromEnd = last; row < length; row++, fromEnd--) {
      if (ns[row] < ns[first]) first = row;
      if (ns[fromEnd] > ns[last]) last = fromEnd;
    }
  } else {
    for (let row = 0; row < length; row++) {
      if (at.exact(row) < at.exact(first)) first = row;
      if (at.exact(row) > at.exact(last)) last = row;
    }
  }
  return { first: samples.timeOf(first), last: samples.timeOf(last) };
}

/**
 * The addition of each sample of a SampleTable to the time, or other value, of its row of the SelfTable. Samples that a
 * profiler takes at a fixed period all have the same: then only that of row 0 is stored.
 *
 *   values 20 20 20      column 20             mask 0
 *   values 20 20 35      column 20 20 35       mask -1
 */
class SampleValues {
  /** The value of a row is in row `row & mask` of it. */
  readonly column = new TimeColumn(1);
  mask = 0;

  /** Sets the value of the row after the last of `length`, all of which have a value. `capacity`: rows to reserve. */
  append(length: number, value: number | bigint, capacity: number): void {
    if (length === 0) this.mask = 0;
    if (length > 0 && this.mask === 0) {
      const same = this.column.bigints === undefined ? this.column.ns[0] : this.column.exact(0);
      if (value === same) return;
      this.separate(length, capacity);
    }
    this.column.set(length, value);
  }

  /** Stores the value of each row apart, of `length` rows. */
  separate(length: number, capacity: number): void {
    if (this.mask !== 0) return;
    this.mask = -1;
    const { column } = this;
    column.reserve(capacity);
    if (column.bigints === undefined) column.ns.fill(column.ns[0], 1, length);
    else for (let row = 1; row < length; row++) column.set(row, column.exact(0));
  }

  reserve(capacity: number): void {
    if (this.mask !== 0) this.column.reserve(capacity);
  }

  /** Frees what is reserved beyond these rows. */
  trim(length: number): void {
    this.column.trim(this.mask === 0 ? 1 : length);
  }

  /** Removes the rows of [length, end). */
  truncate(length: number, end: number): void {
    for (let row = this.mask === 0 && length > 0 ? end : length; row < end; row++)
      this.column.set(row & this.mask, 0);
  }

  /** See `TimeColumn.sumsStayExact`. */
  sumsStayExact(length: number): boolean {
    if (this.mask !== 0) return this.column.sumsStayExact(length);
    return this.column.absoluteSum(1) * length <= Number.MAX_SAFE_INTEGER;
  }

  /** Adds the value of a row to `sums[at]`, exactly. */
  addTo(sums: TimeColumn, at: number, row: number): void {
    sums.addFrom(at, this.column, row & this.mask);
  }

  exact(row: number): bigint {
    return this.column.exact(row & this.mask);
  }

  /** Decimal digits of the exact value. */
  text(row: number): string {
    return this.column.text(row & this.mask);
  }
}
