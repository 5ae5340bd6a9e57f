import { TimeColumn } from './time-column.ts';

/**
 * What each sample of a SampleTable adds to the time, or other value, of its row of the SelfTable. Samples that a profiler
 * takes at a fixed period all have the same: then only that of row 0 is stored.
 *
 *   values 20 20 20      column 20             mask 0
 *   values 20 20 35      column 20 20 35       mask -1
 */
export class SampleValues {
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
