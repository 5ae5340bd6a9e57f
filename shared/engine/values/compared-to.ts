import type { TimeColumn } from '../../profile/time-column.ts';
import type { Metric } from './metric.ts';

/**
 * What is compared: shares of the own total of each side; numbers as they are; numbers per second of the time that each
 * side covers.
 */
export type CompareBy = 'share' | 'amount' | 'rate';

export const COMPARE_BY: readonly CompareBy[] = ['share', 'amount', 'rate'];

/** Self and total values by row number. */
export interface ComparedColumns {
  readonly selfCount: ArrayLike<number>;
  readonly totalCount: ArrayLike<number>;
  readonly selfTime: TimeColumn;
  readonly totalTime: TimeColumn;
}

/** By what the values of each side are divided before they are subtracted; 0 where a side has no samples, or nothing to divide by. */
export interface ComparedScale {
  readonly metric: Metric;
  readonly base: number;
  readonly next: number;
}

/** What values are compared with. */
export interface ComparedTo {
  /** The values of the same rows in the baseline. */
  readonly base: ComparedColumns;
  readonly scale: ComparedScale;
}

/** `self`: samples that ended in the row. `total`: those that passed through it, too. */
export type ComparedPart = 'self' | 'total';

/**
 * row -> the scaled value of the new side minus that of the base. While the new side has nothing, that of the base: the
 * largest ones are first, as they were before.
 */
export function changesOf(
  next: ComparedColumns,
  { base, scale }: ComparedTo,
  part: ComparedPart,
): (row: number) => number {
  const before = columnOf(base, scale.metric, part);
  const after = columnOf(next, scale.metric, part);
  if (scale.next === 0) return (row) => scaled(before[row], scale.base);
  return (row) => scaled(after[row], scale.next) - scaled(before[row], scale.base);
}

/** row -> the value of one side by a metric. */
export function columnOf(columns: ComparedColumns, metric: Metric, part: ComparedPart): ArrayLike<number> {
  return metric === 'samples' ? columns[`${part}Count`] : columns[`${part}Time`].ns;
}

/** Nothing of nothing is nothing. */
export function scaled(value: number, by: number): number {
  return by === 0 ? 0 : value / by;
}
