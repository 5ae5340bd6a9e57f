import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { ErrorBoundary } from '../widgets/ErrorBoundary.tsx';
import { FlamePane } from '../panes/flame/FlamePane.tsx';
import { EmptyPane } from '../panes/EmptyPane.tsx';
import { FlatPane } from '../panes/flat/FlatPane.tsx';
import { TreePane } from '../panes/tree/TreePane.tsx';
import { keepSplit } from '../store/actions.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';

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
        <Group
          orientation="vertical"
          disableCursor
          {...(splits.rows && { defaultLayout: splits.rows })}
          onLayoutChanged={(sizes, { isUserInteraction }) => {
            if (isUserInteraction) keepSplit('rows', sizes);
          }}
        >
          <Panel id="flame" defaultSize="50%" minSize="80px">
            <ErrorBoundary key={log.key} what="The flame graph">
              <FlamePane log={log} />
            </ErrorBoundary>
          </Panel>
          <Separator className="split split-rows" aria-label="Resize the flame graph" />
          <Panel id="tables" minSize="80px">
            <Group
              orientation="horizontal"
              disableCursor
              {...(splits.columns && { defaultLayout: splits.columns })}
              onLayoutChanged={(sizes, { isUserInteraction }) => {
                if (isUserInteraction) keepSplit('columns', sizes);
              }}
            >
              <Panel id="tree" defaultSize="56%" minSize="160px">
                <ErrorBoundary key={log.key} what="The call tree">
                  <TreePane log={log} />
                </ErrorBoundary>
              </Panel>
              <Separator className="split split-columns" aria-label="Resize tree and flat list" />
              <Panel id="flat" minSize="160px">
                <ErrorBoundary key={log.key} what="The flat list">
                  <FlatPane log={log} />
                </ErrorBoundary>
              </Panel>
            </Group>
          </Panel>
        </Group>
      );
  }
}
