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

/** `self`: samples that ended in the row. `total`: those that passed through it, too. */
export type ComparedPart = 'self' | 'total';

/** row -> the value of one side by a metric. */
export function columnOf(columns: ComparedColumns, metric: Metric, part: ComparedPart): ArrayLike<number> {
  return metric === 'samples' ? columns[`${part}Count`] : columns[`${part}Time`].ns;
}

/** Nothing of nothing is nothing. */
export function scaled(value: number, by: number): number {
  return by === 0 ? 0 : value / by;
}
