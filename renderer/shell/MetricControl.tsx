import type { ReactNode } from 'react';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { capitalised } from '../../shared/text/format-value.ts';
import type { Metric } from '../../shared/values/metric.ts';
import { chooseMetric } from '../store/actions.ts';
import { hasSamples, shownMetric, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { type SegmentedChoice, SegmentedControl } from '../widgets/SegmentedControl.tsx';

/** There is a metric to choose: the file sums more than its samples. */
export function hasMetrics(log: LogView): boolean {
  return unitsOf(log).value !== undefined;
}

/** Chooses the metric of shares, widths and order: samples, or the value that the file sums. */
export function MetricControl({ log }: { readonly log: LogView }): ReactNode {
  const metric = useWindow((state) => state.preferences.metric);
  return (
    <SegmentedControl
      label="Metric"
      choices={metricChoices(unitsOf(log))}
      value={shownMetric(log, metric)}
      onChange={chooseMetric}
      disabled={!hasSamples(log)}
      testId="metric"
    />
  );
}

function metricChoices({ counted, value }: ProfileUnits): readonly SegmentedChoice<Metric>[] {
  const name = value?.name ?? '';
  return [
    {
      value: 'samples',
      text: capitalised(counted.many),
      hint: `Shares, widths and order by number of ${counted.many}`,
    },
    {
      value: 'time',
      text: name,
      hint: `Shares, widths and order by ${value?.meaning ?? name.toLowerCase()}`,
    },
  ];
}
