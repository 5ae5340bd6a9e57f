import { extended, grown, release, zeroed } from './columns.ts';

const LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * A column of exact sums of nanoseconds, signed.
 *
 *   row   ns            bigints           exact value
 *   0     4007543       -                 4007543
 *   1     -120          -                 -120          (clocks run backwards: sums may be negative)
 *   2     -1.7e18       -1700000000000000001n           the bigint; `ns` is the nearest double
 *
 * A double holds whole nanoseconds exactly up to 2^53 (104 days). The exact sum of a row outside that range, as in logs
 * with broken clocks, is in the sparse map `bigints`. So the common case costs eight bytes and one addition.
 */
export class TimeColumn {
  ns: Float64Array<ArrayBuffer>;
  /** row -> exact value, only for rows that are not a safe integer. Undefined if there is no such row. */
  bigints: Map<number, bigint> | undefined;

  constructor(capacity: number) {
    this.ns = new Float64Array(capacity);
  }

  reserve(capacity: number): void {
    this.ns = grown(this.ns, capacity);
  }

  /** Frees what is reserved beyond these rows. */
  trim(length: number): void {
    const { ns } = this;
    this.ns = ns.slice(0, length);
    release(ns);
  }

  add(row: number, value: number | bigint): void {
    if (typeof value === 'number' && this.bigints === undefined) {
      const sum = this.ns[row] + value;
      if (sum <= LIMIT && sum >= -LIMIT && value <= LIMIT && value >= -LIMIT) {
        this.ns[row] = sum;
        return;
      }
    }
    this.set(row, this.exact(row) + BigInt(value));
  }

  /** `this[row] += other[otherRow]`, exact. */
  addFrom(row: number, other: Pick<TimeColumn, 'ns' | 'bigints'>, otherRow: number): void {
    this.add(row, other.bigints?.get(otherRow) ?? other.ns[otherRow]);
  }

  set(row: number, value: number | bigint): void {
    if (typeof value === 'number' && this.bigints === undefined && value <= LIMIT && value >= -LIMIT) {
      this.ns[row] = value;
      return;
    }
    const nearest = Number(value);
    this.ns[row] = nearest;
    if (nearest <= LIMIT && nearest >= -LIMIT) {
      if (this.bigints !== undefined && this.bigints.delete(row) && this.bigints.size === 0)
        this.bigints = undefined;
    } else {
      this.bigints ??= new Map();
      this.bigints.set(row, BigInt(value));
    }
  }

  /**
   * True if every sum of distinct rows is exact as a double, because the absolute values of all rows add up to less than
   * 2^53. Then `ns` can be added directly, which costs a fifth of `addFrom`.
   */
  sumsStayExact(length: number): boolean {
    return this.absoluteSum(length) <= LIMIT;
  }

  /** The sum of the rows' absolute values; Infinity if a row is not a safe integer. */
  absoluteSum(length: number): number {
    const { ns } = this;
    if (this.bigints !== undefined) return Infinity;
    let sum = 0;
    for (let row = 0; row < length; row++) sum += Math.abs(ns[row]);
    return sum;
  }

  exact(row: number): bigint {
    return this.bigints?.get(row) ?? BigInt(this.ns[row]);
  }

  /** Decimal digits of the exact value. */
  text(row: number): string {
    const bigint = this.bigints?.get(row);
    // `+ 0` turns -0 into 0.
    return bigint === undefined ? String(this.ns[row] + 0) : String(bigint);
  }

  /** Sets the column to `length` zeros, in the same memory if it is large enough. */
  clear(length: number): void {
    this.ns = zeroed(this.ns, length);
    this.bigints = undefined;
  }

  /** Extends the column to `length` rows, the new ones zero, in the same memory if it is large enough. */
  extend(length: number): void {
    this.ns = extended(this.ns, length);
  }

  /** Copies the values of another column of the same length. */
  copyFrom(other: TimeColumn): void {
    this.ns.set(other.ns);
    this.bigints = other.bigints === undefined ? undefined : new Map(other.bigints);
  }
}
