import type { ReactNode } from 'react';
import { ErrorBoundary } from '../widgets/ErrorBoundary.tsx';
import { SplitView } from '../widgets/SplitView.tsx';
import { FlamePlace, SandwichPlace } from '../panes/flame/FlamePlace.tsx';
import { EmptyPane } from '../panes/EmptyPane.tsx';
import { FlatPane } from '../panes/rows/FlatPane.tsx';
import { DetailPlace, TreePlace } from '../panes/rows/TreePlace.tsx';
import { keepSplit } from '../store/actions.ts';
import type { PaneChoice } from '../store/preferences.ts';
import { hasSamples, shownPanes } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';

/** Default percent of the height for the flame graph, and of the width for the methods below it. */
const USUAL_SPLITS = { rows: 52, columns: 46 } as const;

/**
 * The panes of a log, one or all: the flame graph on top, below it the methods and, to their right, the call tree. Each
 * log has its own panes: scroll position and focus are not shared between tabs.
 */
export function Panes({ log }: { readonly log: LogView }): ReactNode {
  const shown = useWindow(shownPanes);
  const isSmall = useWindow((state) => state.isSmall);
  const splits = useWindow((state) => state.preferences.splits);
  // Without samples, three panes would show the same reason.
  if (!hasSamples(log)) return <EmptyPane log={log} />;
  if (shown === 'flat' && !isSmall) {
    return (
      <SplitView
        direction="columns"
        label="Resize the methods"
        share={splits.columns ?? USUAL_SPLITS.columns}
        usualShare={USUAL_SPLITS.columns}
        leastSize={160}
        onShare={(share) => keepSplit('columns', share)}
      >
        <Pane key={log.key} pane="flat" log={log} />
        <ErrorBoundary what="The callers and callees">
          <DetailPlace key={log.key} log={log} />
        </ErrorBoundary>
      </SplitView>
    );
  }
  if (shown !== 'all') return <Pane key={`${log.key} ${shown}`} pane={shown} log={log} />;
  return (
    <SplitView
      direction="rows"
      label="Resize the flame graph"
      share={splits.rows ?? USUAL_SPLITS.rows}
      usualShare={USUAL_SPLITS.rows}
      leastSize={80}
      onShare={(share) => keepSplit('rows', share)}
    >
      <Pane key={log.key} pane="flame" log={log} />
      <SplitView
        direction="columns"
        label="Resize the methods"
        share={splits.columns ?? USUAL_SPLITS.columns}
        usualShare={USUAL_SPLITS.columns}
        leastSize={160}
        onShare={(share) => keepSplit('columns', share)}
      >
        <Pane key={log.key} pane="flat" log={log} />
        <Pane key={log.key} pane="tree" log={log} />
      </SplitView>
    </SplitView>
  );
}

type Place = Exclude<PaneChoice, 'all'>;

const NAMES: Readonly<Record<Place, string>> = {
  flame: 'The flame graph',
  flat: 'The methods',
  tree: 'The call tree',
  sandwich: 'The callers and callees',
};

function Pane({ pane, log }: { readonly pane: Place; readonly log: LogView }): ReactNode {
  return <ErrorBoundary what={NAMES[pane]}>{paneOf(pane, log)}</ErrorBoundary>;
}

function paneOf(pane: Place, log: LogView): ReactNode {
  switch (pane) {
    case 'flame':
      return <FlamePlace log={log} />;
    case 'flat':
      return <FlatPane log={log} />;
    case 'sandwich':
      return <SandwichPlace log={log} />;
    case 'tree':
      return <TreePlace log={log} />;
  }
}
