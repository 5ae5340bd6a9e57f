import type { ReactNode } from 'react';
import { ErrorBoundary } from '../widgets/ErrorBoundary.tsx';
import { SplitView } from '../widgets/SplitView.tsx';
import { FlamePane } from '../panes/flame/FlamePane.tsx';
import { EmptyPane } from '../panes/EmptyPane.tsx';
import { FlatPane } from '../panes/rows/FlatPane.tsx';
import { TreePane } from '../panes/rows/TreePane.tsx';
import { keepSplit } from '../store/actions.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';

/** Percent that the flame graph has of the height, and the tree of the width beside the flat list. */
const USUAL_SPLITS = { rows: 50, columns: 56 } as const;

/** The panes of a log, one or all. A log's panes are its own: scroll and focus do not leak from tab to tab. */
export function Panes({ log }: { readonly log: LogView }): ReactNode {
  const panes = useWindow((state) => state.preferences.panes);
  const splits = useWindow((state) => state.preferences.splits);
  // Without a sample three panes would say three times why.
  if ((log.summary?.samples ?? 0) === 0) return <EmptyPane log={log} />;
  switch (panes) {
    case 'tree':
      return (
        <ErrorBoundary key={log.key} what="The call tree">
          <TreePane log={log} />
        </ErrorBoundary>
      );
    case 'flat':
      return (
        <ErrorBoundary key={log.key} what="The flat list">
          <FlatPane log={log} />
        </ErrorBoundary>
      );
    case 'flame':
      return (
        <ErrorBoundary key={log.key} what="The flame graph">
          <FlamePane log={log} />
        </ErrorBoundary>
      );
    case 'all':
      return (
        <SplitView
          direction="rows"
          label="Resize the flame graph"
          share={splits.rows ?? USUAL_SPLITS.rows}
          usualShare={USUAL_SPLITS.rows}
          leastSize={80}
          onShare={(share) => keepSplit('rows', share)}
        >
          <ErrorBoundary key={log.key} what="The flame graph">
            <FlamePane log={log} />
          </ErrorBoundary>
          <SplitView
            direction="columns"
            label="Resize tree and flat list"
            share={splits.columns ?? USUAL_SPLITS.columns}
            usualShare={USUAL_SPLITS.columns}
            leastSize={160}
            onShare={(share) => keepSplit('columns', share)}
          >
            <ErrorBoundary key={log.key} what="The call tree">
              <TreePane log={log} />
            </ErrorBoundary>
            <ErrorBoundary key={log.key} what="The flat list">
              <FlatPane log={log} />
            </ErrorBoundary>
          </SplitView>
        </SplitView>
      );
  }
}
