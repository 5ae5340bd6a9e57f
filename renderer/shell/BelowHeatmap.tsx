import type { ReactNode } from 'react';
import { HeatmapPane } from '../panes/heatmap/HeatmapPane.tsx';
import { RememberedSplit } from '../panes/RememberedSplit.tsx';
import { hasSamples } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { ErrorBoundary } from '../widgets/ErrorBoundary.tsx';
import { FreshLog } from './FreshLog.tsx';

/** The rest of a log's view, below the heatmap if that is wanted. */
export function BelowHeatmap({
  log,
  children,
}: {
  readonly log: LogView;
  readonly children: ReactNode;
}): ReactNode {
  const isWanted = useWindow((state) => state.preferences.heatmap) && hasSamples(log);
  const hasTimes = log.status?.hasSampleTimes;
  if (!isWanted || hasTimes === undefined) return children;
  if (!hasTimes)
    return (
      <>
        <p className="heatmap-missing" data-testid="heatmap-missing">
          No heatmap: this file does not record when samples were taken.
        </p>
        {children}
      </>
    );
  return (
    <RememberedSplit
      name="heatmap"
      direction="rows"
      label="Resize the heatmap"
      usualShare={32}
      leastSize={96}
    >
      <ErrorBoundary what="The heatmap">
        <FreshLog of={log}>{(fresh) => <HeatmapPane log={fresh} />}</FreshLog>
      </ErrorBoundary>
      <div className="below-heatmap">{children}</div>
    </RememberedSplit>
  );
}
