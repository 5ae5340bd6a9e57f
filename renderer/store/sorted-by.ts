import type { Metric } from '../../shared/values/metric.ts';
import type { SortColumn, SortOrder } from '../profile-worker/pane-messages.ts';

/** An order with its value changed to the metric: samples to time, or vice versa. */
export function sortedBy(metric: Metric, sort: SortOrder): SortOrder {
  if (sort.by === 'label' || isCompared(sort.by)) return sort;
  const isSelf = sort.by === 'selfCount' || sort.by === 'selfTime' || sort.by === 'selfRate';
  if (metric === 'time') return { ...sort, by: isSelf ? 'selfTime' : 'totalTime' };
  return { ...sort, by: isSelf ? 'selfCount' : 'totalCount' };
}

/** A column of a comparison: it is by the metric, whichever that is. */
function isCompared(by: SortColumn): boolean {
  return by === 'selfBase' || by === 'totalBase' || by === 'selfChange' || by === 'totalChange';
}
