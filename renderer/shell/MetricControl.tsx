import type { ReactNode } from 'react';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { capitalised } from '../../shared/text/capitalised.ts';
import type { Metric } from '../../shared/values/metric.ts';
import { chooseMetric } from '../store/actions.ts';
import { shownMetric, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { type SegmentedChoice, SegmentedControl } from '../widgets/SegmentedControl.tsx';

/** Chooses the metric of shares, widths and order: samples, or the value that the file sums. */
export function MetricControl({ log }: { readonly log: LogView }): ReactNode {
  const metric = useWindow((state) => state.preferences.metric);
  return (
    <SegmentedControl
      label="Metric"
      choices={metricChoices(unitsOf(log))}
      value={shownMetric(log, metric)}
      onChange={chooseMetric}
      testId="metric"
    />
  );
}

function metricChoices({ counted, value }: ProfileUnits): readonly SegmentedChoice<Metric>[] {
  const counts = {
    value: 'samples' as const,
    text: capitalised(counted.many),
    hint: `Shares, widths and order by number of ${counted.many}`,
  };
  if (value === undefined) return [counts];
  const hint = `Shares, widths and order by ${value.meaning ?? value.name.toLowerCase()}`;
  return [counts, { value: 'time', text: value.name, hint }];
}
