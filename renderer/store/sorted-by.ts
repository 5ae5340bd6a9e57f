import type { Metric } from '../../shared/values/metric.ts';
import type { SortOrder } from '../profile-worker/pane-messages.ts';

/** An order by numbers in the metric: what was sorted by samples is sorted by time, and the other way round. */
export function sortedBy(metric: Metric, sort: SortOrder): SortOrder {
  if (sort.by === 'label') return sort;
  const isSelf = sort.by === 'selfCount' || sort.by === 'selfTime';
  if (metric === 'time') return { ...sort, by: isSelf ? 'selfTime' : 'totalTime' };
  return { ...sort, by: isSelf ? 'selfCount' : 'totalCount' };
}
