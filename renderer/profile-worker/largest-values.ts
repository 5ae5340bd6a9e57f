import type { Values } from './pane-messages.ts';

export const NO_VALUES: Values = { selfCount: 0, totalCount: 0, selfTime: 0, totalTime: 0 };

/** The largest of each value among these rows; 0 where none is positive. */
export function largestValues(
  rows: Iterable<number>,
  selfCount: ArrayLike<number>,
  totalCount: ArrayLike<number>,
  selfTime: ArrayLike<number>,
  totalTime: ArrayLike<number>,
): Values {
  const largest = { ...NO_VALUES };
  for (const row of rows) {
    if (selfCount[row] > largest.selfCount) largest.selfCount = selfCount[row];
    if (totalCount[row] > largest.totalCount) largest.totalCount = totalCount[row];
    if (selfTime[row] > largest.selfTime) largest.selfTime = selfTime[row];
    if (totalTime[row] > largest.totalTime) largest.totalTime = totalTime[row];
  }
  return largest;
}
