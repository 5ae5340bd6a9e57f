import { type ReactNode, useMemo } from 'react';
import { exactly, selectsThread, threadsText, wholePool } from '../../../shared/scope/thread-pattern.ts';
import { formatCount, formatQuantity } from '../../../shared/text/format-value.ts';
import { threadOrder, threadRows } from '../../../shared/engine/views/thread-list.ts';
import { isSearching, parseSearch } from '../../../shared/engine/views/search.ts';
import { EMPTY_FLAME } from '../../../shared/engine/views/flame-columns.ts';
import { prefer, changeActive } from '../../store/actions/actions.ts';
import { selectedMethod } from '../../store/state/selection.ts';
import { zoomTimeline } from '../../store/actions/time-actions.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';
import { Select } from '../../widgets/Select.tsx';
import { EmptyPane } from '../EmptyPane.tsx';
import { FlameChoices } from '../flame/FlameHeader.tsx';
import { useScheme } from '../flame/Graph.tsx';
import { FrameLegend } from '../legend/FrameLegend.tsx';
import '../flame/flame.css';
import '../pane-bar.css';
import { ChartGraph } from './ChartGraph.tsx';
import './chart.css';
import { withChartThreads } from '../../store/panes/pane-views.ts';

/** The stacks of some threads in the order in which they were sampled: equal neighbours are one frame. */
export function ChartPane({ log }: { readonly log: LogView }): ReactNode {
  const searching = isSearching(useMemo(() => parseSearch(log.searchText), [log.searchText]));
  const scheme = useScheme(searching, selectedMethod(log));
  const chart = log.panes.chart.shown;
  const isEqual = useWindow(({ preferences }) => preferences.chartIsEqual);
  return (
    <section
      className="pane flame-pane chart-pane"
      aria-label="Chart"
      data-pane="chart"
      data-testid="pane-chart"
      data-linear={isEqual ? undefined : ''}
    >
      <div className="pane-bar">
        <ChartThreads log={log} />
        {log.baseline !== undefined && (
          <span className="chart-side" data-testid="chart-side">
            without the baseline
          </span>
        )}
        <span className="chart-space" />
        {log.timelineZoom !== undefined && (
          <button
            type="button"
            className="button button-small"
            data-testid="chart-reset"
            onClick={() => zoomTimeline(undefined)}
          >
            Reset zoom <kbd>0</kbd>
          </button>
        )}
        <SegmentedControl<'time' | 'samples'>
          label="Width of a sample"
          choices={WIDTHS}
          value={isEqual ? 'samples' : 'time'}
          onChange={(value) => prefer({ chartIsEqual: value === 'samples' })}
          testId="chart-widths"
        />
        <FrameLegend layout={chart?.layout ?? EMPTY_FLAME} thread={undefined} scheme={scheme} />
        <FlameChoices />
      </div>
      <ChartGraph key={log.key} log={log} scheme={scheme} />
      {chart?.count === 0 && <EmptyPane log={log} />}
    </section>
  );
}

const WIDTHS = [
  { value: 'time', text: 'Linear', hint: 'On the axis of the timeline: as wide as its time' },
  { value: 'samples', text: 'Equal width', hint: 'All samples are equally wide' },
] as const;

/** Threads in the list; those with fewest samples are left out. */
const MOST_THREADS = 500;
const ALL = '';

/** The thread of the chart, or the pool. */
function ChartThreads({ log }: { readonly log: LogView }): ReactNode {
  const { threads: columns } = log;
  const { threads: inScope } = log.scope;
  const choices = useMemo(() => {
    if (columns === undefined) return [];
    const order = threadOrder(columns, { by: 'weight', metric: 'samples' });
    const pools = columns.names.map((name) => `pool ${name}`);
    const view = { groupsPools: true, open: new Set(pools), matches: selectsThread(inScope, columns.typed) };
    return threadRows(columns, view, order)
      .filter(({ samples }) => samples > 0)
      .slice(0, MOST_THREADS)
      .map(({ label, names, isPool, threads, samples, depth }) => ({
        value: isPool ? wholePool(names[0]) : exactly(label),
        text: `${depth === 1 ? '\u2003' : ''}${label}${isPool ? ` (${formatQuantity(threads, 'thread')})` : ''}: ${formatCount(samples)}`,
      }));
  }, [columns, inScope]);
  const { only: wanted, shown } = log.panes.chart;
  const only = wanted ?? shown?.only ?? [];
  const value = only[0] ?? ALL;
  const isListed = value === ALL || choices.some((choice) => choice.value === value);
  return (
    <Select<string>
      label="Thread"
      hint="Whose stacks the chart shows"
      choices={[
        { value: ALL, text: 'All threads' },
        ...(isListed ? [] : [{ value, text: threadsText(value) }]),
        ...choices,
      ]}
      value={value}
      onChange={(chosen) =>
        changeActive((each) => ({
          ...each,
          panes: withChartThreads(each.panes, chosen === ALL ? [] : [chosen]),
        }))
      }
      testId="chart-thread"
    />
  );
}
