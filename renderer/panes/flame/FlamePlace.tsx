import type { ReactNode } from 'react';
import { detailOf, flamePlace } from '../../store/selectors.ts';
import type { LogView } from '../../store/window-state.ts';
import { useWindow } from '../../store/window-store.ts';
import { ChartPane } from '../chart/ChartPane.tsx';
import { RememberedSplit } from '../RememberedSplit.tsx';
import { NoDetail } from '../rows/DetailPanes.tsx';
import { FlamePane } from './FlamePane.tsx';

/** The place of the flame graph: top-down, bottom-up, or the chart. */
export function FlamePlace({ log }: { readonly log: LogView }): ReactNode {
  const pane = useWindow(flamePlace);
  if (pane === 'chart') return <ChartPane log={log} />;
  return <FlamePane key={pane} pane={pane} log={log} />;
}

/** The callers of a method as a flame graph, and below it, from the same frame on, what it calls. */
export function SandwichPlace({ log }: { readonly log: LogView }): ReactNode {
  if (detailOf(log) === undefined) return <NoDetail />;
  return (
    <RememberedSplit
      name="sandwich"
      direction="rows"
      label="Resize the callers"
      usualShare={50}
      leastSize={80}
    >
      <FlamePane pane="callersFlame" log={log} />
      <FlamePane pane="calleesFlame" log={log} />
    </RememberedSplit>
  );
}
