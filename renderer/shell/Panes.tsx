import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { EmptyPane } from '../panes/EmptyPane.tsx';
import { BesideMethods, PlaceOfPanes } from '../panes/Places.tsx';
import { RememberedSplit } from '../panes/RememberedSplit.tsx';
import { type Place, PLACES } from '../store/panes/pane-list.ts';
import { hasSamples } from '../store/state/selectors.ts';
import { shownPanes } from '../store/state/shown-panes.ts';
import type { LogView } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { ErrorBoundary } from '../widgets/EmptyState.tsx';

/**
 * The panes of a log, one or all: the flame graph on top, below it the methods and, to their right, the call tree. Each
 * log has its own panes: scroll position and focus are not shared between tabs.
 */
export function Panes({ log }: { readonly log: LogView }): ReactNode {
  const shown = useWindow(shownPanes);
  const isSmall = useWindow((state) => state.isSmall);
  const hasSummary = useWindow((state) => state.preferences.summary);
  // Without samples, three panes would show the same reason.
  if (!hasSamples(log)) return <EmptyPane log={log} />;
  const pane = (place: Place): ReactNode => <Pane key={`${log.key} ${place}`} pane={place} log={log} />;
  /** The methods, and another pane to their right. */
  const beside = (other: ReactNode): ReactNode => (
    <RememberedSplit
      name="columns"
      direction="columns"
      label="Resize the methods"
      usualShare={46}
      leastSize={160}
    >
      {pane('flat')}
      {other}
    </RememberedSplit>
  );
  let panes: ReactNode;
  if (shown === 'all')
    panes = (
      <RememberedSplit
        name="rows"
        direction="rows"
        label="Resize the flame graph"
        usualShare={52}
        leastSize={80}
      >
        {pane('flame')}
        {beside(pane('tree'))}
      </RememberedSplit>
    );
  else if (shown === 'flat' && !isSmall)
    panes = beside(
      <ErrorBoundary what="The callers and callees">
        <FreshLog key={log.key} of={log}>
          {(fresh) => <BesideMethods log={fresh} />}
        </FreshLog>
      </ErrorBoundary>,
    );
  else panes = pane(shown);
  if (isSmall || !hasSummary) return panes;
  return (
    <RememberedSplit
      name="summary"
      direction="columns"
      label="Resize the summary"
      usualShare={usualShare(window.innerWidth)}
      leastSize={200}
    >
      <SummaryColumn key={`${log.key} summary`} log={log} />
      {panes}
    </RememberedSplit>
  );
}

/** The summary beside the panes. Names of tracks are as wide as it is: so the time axis begins where the chart does. */
function SummaryColumn({ log }: { readonly log: LogView }): ReactNode {
  const column = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([{ contentRect }]) => {
      // The line behind it is a pixel wide.
      style.setProperty('--track-names', `${contentRect.width + 1}px`);
      style.setProperty('--chart-names', '0px');
    });
    if (column.current !== null) observer.observe(column.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--track-names');
      style.removeProperty('--chart-names');
    };
  }, []);
  return (
    <div ref={column} className="summary-column">
      <Pane pane="summary" log={log} />
    </div>
  );
}

/** Percent of the width that the summary has at first: 280 to 380 pixels. */
function usualShare(width: number): number {
  return (100 * Math.min(380, Math.max(280, width * 0.22))) / Math.max(width, 1);
}

function Pane({ pane, log }: { readonly pane: Place; readonly log: LogView }): ReactNode {
  return (
    <ErrorBoundary what={PLACES.find(({ id }) => id === pane)?.name ?? ''}>
      <FreshLog of={log}>{(fresh) => <PlaceOfPanes place={pane} log={fresh} />}</FreshLog>
    </ErrorBoundary>
  );
}

interface FreshLogProps {
  /** May be older in what only panes read. */
  readonly of: LogView;
  readonly children: (log: LogView) => ReactNode;
}

/** Draws what needs each change of a log, so that what is around it need not. */
export function FreshLog({ of, children }: FreshLogProps): ReactNode {
  const log = useWindow((state) => state.logs.find(({ key }) => key === of.key));
  return log === undefined ? null : children(log);
}
