import { memo, type ReactNode } from 'react';
import { elideMiddle, shownLabel, splitFrameLabel } from '../../../shared/text/format-frame.ts';
import {
  ask,
  copyOf,
  expand,
  search,
  showIn,
  changeScope,
  showPlace,
  zoomTo,
  changeActive,
  findIn,
} from '../../store/actions/actions.ts';
import { definitionOf, type RowsPaneId } from '../../store/panes/panes.ts';
import { NO_CONDITIONS } from '../../../shared/engine/views/row-conditions.ts';
import { selectionOf } from '../../store/state/selection.ts';
import { activeLog, detailOf, shownMetric } from '../../store/state/selectors.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { EmptyState } from '../../widgets/EmptyState.tsx';
import { thenEnter } from '../enter-pane.ts';
import { whyLeftOut } from '../EmptyPane.tsx';
import { drawsSame } from '../../store/state/quiet-log.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { type OwnEntries, RowsPane } from './RowsPane.tsx';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { sampleTypeChoice } from '../../../shared/facts/choice.ts';

/** Longest name in a title, characters. */
const MOST_SHOWN = 60;

interface LogRowsProps {
  readonly pane: RowsPaneId;
  readonly log: LogView;
}

/** Any pane of rows: a tree, the methods, or the callers or callees of a method. */
export const LogRows = memo(
  function LogRows({ pane, log }: LogRowsProps): ReactNode {
    const { title, isOfMethod } = definitionOf(pane);
    // Another sample type has other rows, with a scroll position of their own.
    const type = sampleTypeChoice(log.status?.choices ?? [])?.chosen;
    if (isOfMethod !== true)
      return (
        <RowsPane key={type} pane={pane} label={title} rowsLabel={title} log={log} about={type} own={OWN} />
      );
    const method = detailOf(log);
    const name = elideMiddle(shownLabel(method?.label ?? ''), MOST_SHOWN);
    const isLoaded = log.panes[pane].shown !== undefined;
    const empty = <EmptyState title={`\u201c${name}\u201d is not here`} text={whyLeftOut(log)} />;
    return (
      <RowsPane
        // Another method starts at the top.
        key={`${method?.of} ${method?.id} ${method?.label}`}
        pane={pane}
        label={title}
        rowsLabel={`${title} of ${name}`}
        log={log}
        about={method?.label}
        empty={isLoaded && empty}
      />
    );
  },
  (before, after) => before.pane === after.pane && drawsSame(after.pane)(before, after),
);

/** A filter of rows, which is seen and removed as any other: rows with a hundredth of what is shown stay. */
function hideLightRows(): void {
  const state = useWindow.getState();
  const log = activeLog(state);
  const of = shownMetric(log, state.preferences) === 'time' ? 'totalTimeShare' : 'totalShare';
  const light = { of, comparison: '>=', value: 1 } as const;
  const { where = NO_CONDITIONS } = log ?? {};
  changeScope({ where: where.length === 0 ? [[light]] : where.map((group) => [...group, light]) });
}

/** Entries of menus that depend on what the rows of a pane are. */
const OWN: OwnEntries = {
  entries: (pane, row) => {
    const { of } = definitionOf(pane);
    if (of !== 'calls' && of !== 'bottom-up') return [];
    const disabled = !row.expandable;
    return [
      {
        text: 'Expand',
        entries: [
          { text: 'Expand hot path', hint: 'Alt ↓', disabled, run: () => expand(pane, row.id, 'hot') },
          { text: 'Expand all below', hint: '*', disabled, run: () => expand(pane, row.id, 'all') },
          { text: 'Expand to 5 %', disabled, run: () => expand(pane, row.id, 'heavy') },
          { text: 'Hide rows below 1 %', run: hideLightRows },
          { text: 'Collapse all below', disabled, run: () => expand(pane, row.id, 'collapseAll') },
          ...(of === 'calls'
            ? [{ text: 'Collapse all', run: () => ask({ type: 'reset', pane, to: 'closed' }) }]
            : []),
        ],
      },
    ];
  },
  shows: (pane, row) => {
    switch (definitionOf(pane).of) {
      case 'calls':
        return [
          { text: 'Show in flame graph', run: thenEnter('flame', () => showInFlame(row)) },
          {
            text: 'Find in methods',
            disabled: row.kind === 'thread' || row.kind === 'all',
            run: thenEnter('flat', () => showIn('flat', selectionOf(pane, row))),
          },
        ];
      case 'methods':
        return [
          { text: 'Find in call tree', run: thenEnter('tree', () => findCalls('tree', row)) },
          { text: 'Find in flame graph', run: thenEnter('flame', () => findCalls('flame', row)) },
          { text: `Find ${splitFrameLabel(row.label).name}`, run: () => search(row.label) },
        ];
      default:
        return [];
    }
  },
  copies: (pane, row) =>
    definitionOf(pane).of === 'calls'
      ? [
          {
            text: 'Copy subtree as text',
            disabled: !row.expandable,
            run: () => copyOf(pane, row.id, 'subtree'),
          },
        ]
      : [],
};

/** Both panes use the same thread grouping, so that a row has the same values in both, a thread's row too. */
function showInFlame({ id, kind }: Pick<Row, 'id' | 'kind'>): void {
  showPlace('flame');
  zoomTo(kind === 'all' ? undefined : { row: id, run: undefined });
}

/**
 * Selects the heaviest call of a method in a pane of calls. The find field stays as it is; until something else is typed
 * there, the next match is the next heaviest call of this method.
 */
function findCalls(pane: 'tree' | 'flame', { id }: Pick<Row, 'id'>): void {
  showPlace(pane);
  changeActive((log) => ({ ...log, foundMethod: id, match: undefined }));
  findIn(pane, 1);
}
