import type { ComparedColumns } from '../../shared/engine/values/compared-to.ts';
import type { Row, Values } from './pane-messages.ts';

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

/** The values of a row in a baseline; none where nothing is compared. */
export function baseValues(
  base: ComparedColumns | undefined,
  row: number,
): Pick<Row, 'baseSelfCount' | 'baseTotalCount' | 'baseSelfTime' | 'baseTotalTime'> {
  if (base === undefined) return {};
  return {
    baseSelfCount: base.selfCount[row],
    baseTotalCount: base.totalCount[row],
    baseSelfTime: base.selfTime.ns[row],
    baseTotalTime: base.totalTime.ns[row],
  };
}
