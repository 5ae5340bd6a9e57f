import { hasIntervals } from '../../../shared/profile/profile-units.ts';
import { isRankUndecided } from '../../../shared/engine/values/share-interval.ts';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import type { SortColumn, Values } from '../../profile-worker/pane-messages.ts';

/** The row's own part of all, 0 to 1; 0 where a time is negative. */
export function selfShare({ selfCount, selfTime }: Values, { metric, whole }: Measure): number {
  const [part, all] = metric === 'time' ? [selfTime, whole.totalTime] : [selfCount, whole.samples];
  return part > 0 && all > 0 ? part / all : 0;
}

/**
 * Whether another recording could put a row before the one above it, by the values by which rows are sorted. False for
 * rows that are sorted by names or times.
 */
export function isUndecided(
  by: SortColumn,
  above: Values | undefined,
  row: Values,
  { units, whole }: Pick<Measure, 'units' | 'whole'>,
): boolean {
  if (above === undefined || !hasIntervals(units) || (by !== 'selfCount' && by !== 'totalCount'))
    return false;
  return row[by] > 0 && isRankUndecided(above[by], row[by], whole.samples);
}
