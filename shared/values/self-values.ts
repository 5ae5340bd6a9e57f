import { TimeColumn } from '../profile/time-column.ts';

/**
 * How many samples ended where, and their time: one row per call node. The profile's own SelfTable is one; others are
 * derived from it, such as `ValuesWithoutErrors`. Structure (nodes, trees) is separate from values, so that other
 * values over the same tree cost only a new sum.
 */
export interface SelfValues {
  /** Grows whenever a row is added or changed. */
  readonly revision: number;
  readonly length: number;
  /** Nothing of the profile is left out. */
  readonly isComplete: boolean;
  /** -> row of the NodeTable; each node at most once. Rows are only ever appended. */
  readonly node: Int32Array;
  /** Samples, whole or fractions. */
  readonly count: Float64Array;
  /** Nanoseconds, signed, or the profile's other unit. */
  readonly time: TimeColumn;
}

/** A number of samples and their time (ns, or the profile's other unit; the nearest double). */
export interface SampleSum {
  readonly samples: number;
  readonly time: number;
}

/** All samples, and their time. O(rows). */
export function sumSelfValues({ length, count, time }: SelfValues): SampleSum {
  const timeSum = new TimeColumn(1);
  let samples = 0;
  for (let row = 0; row < length; row++) {
    samples += count[row];
    timeSum.addFrom(0, time, row);
  }
  return { samples, time: timeSum.ns[0] };
}
