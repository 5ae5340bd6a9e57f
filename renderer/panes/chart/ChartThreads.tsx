import { type ReactNode, useMemo } from 'react';
import { exactly, selectsThread, threadsText, wholePool } from '../../../shared/scope/thread-pattern.ts';
import { formatCount, formatQuantity } from '../../../shared/text/format-value.ts';
import { threadOrder, threadRows } from '../../../shared/views/thread-list.ts';
import { chartThreads } from '../../store/time-actions.ts';
import type { LogView } from '../../store/window-state.ts';
import { Select } from '../../widgets/Select.tsx';

/** Threads in the list; those with fewest samples are left out. */
const MOST_THREADS = 500;
const ALL = '';

/** The thread of the chart, or the pool. */
export function ChartThreads({ log }: { readonly log: LogView }): ReactNode {
  const { threads: columns } = log;
  const { threads: inScope } = log.scope;
  const choices = useMemo(() => {
    if (columns === undefined) return [];
    const order = threadOrder(columns, { by: 'weight', metric: 'samples' });
    const pools = columns.names.map((name) => `pool ${name}`);
    const view = { groupsPools: true, open: new Set(pools), matches: selectsThread(inScope) };
    return threadRows(columns, view, order)
      .filter(({ samples }) => samples > 0)
      .slice(0, MOST_THREADS)
      .map(({ label, names, isPool, threads, samples, depth }) => ({
        value: isPool ? wholePool(names[0]) : exactly(label),
        text: `${depth === 1 ? '\u2003' : ''}${label}${isPool ? ` (${formatQuantity(threads, 'thread')})` : ''}: ${formatCount(samples)}`,
      }));
  }, [columns, inScope]);
  const { wanted, shown } = log.panes.chart;
  const only = wanted.only ?? shown?.only ?? [];
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
      onChange={(chosen) => chartThreads(chosen === ALL ? [] : [chosen])}
      testId="chart-thread"
    />
  );
}
