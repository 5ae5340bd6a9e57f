import { memo, type ReactNode, useCallback } from 'react';
import { ask, chooseTree, copyOf, expand, showIn, showInFlame } from '../../store/actions.ts';
import type { TreeChoice } from '../../store/preferences.ts';
import { shownBesideMethods } from '../../store/selectors.ts';
import type { LogView } from '../../store/window-state.ts';
import { useWindow } from '../../store/window-store.ts';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';
import { SourcePane } from '../source/SourcePane.tsx';
import { DetailPanes, DetailPath } from './DetailPanes.tsx';
import type { Row } from '../../profile-worker/pane-messages.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { RowsPane } from './RowsPane.tsx';
import { selectionOf } from '../../store/selection.ts';
import { thenEnter } from '../enter-pane.ts';
import { PATTERN_MEANINGS, PATTERN_TEXTS, timePattern } from '../../../shared/engine/views/time-pattern.ts';
import { drawTimes } from '../table/draw-times.ts';
import { type DrawingSize, useDrawing } from '../use-drawing.ts';
import '../pane-bar.css';
import './detail.css';

const CHOICES = [
  { value: 'calls', text: 'Call tree', hint: 'From threads to where samples end' },
  { value: 'bottom-up', text: 'Bottom-up', hint: 'From where samples end to their callers' },
  { value: 'detail', text: 'Callers, callees', hint: 'Of the selected method' },
  { value: 'source', text: 'Source', hint: 'Of the selected method, with its samples by line (6)' },
] as const;
const BESIDE_METHODS = [CHOICES[2], CHOICES[3]] as const;

const OF_DETAIL = 'Callers and callees of';
const OF_SOURCE = 'Source of';

/** The place of the tree: the call tree, the bottom-up tree, or callers and callees of the selected method, or its source. */
export function TreePlace({ log }: { readonly log: LogView }): ReactNode {
  const tree = useWindow((state) => state.preferences.tree);
  return (
    <div className="tree-place">
      <div className="pane-bar">
        <SegmentedControl<TreeChoice>
          label="Tree"
          choices={CHOICES}
          value={tree}
          onChange={chooseTree}
          testId="tree-choice"
        />
        {(tree === 'detail' || tree === 'source') && (
          <>
            <DetailPath path={log.detail} label={tree === 'detail' ? OF_DETAIL : OF_SOURCE} />
            <DetailTimes log={log} />
          </>
        )}
      </div>
      <div className="tree-place-body">
        {tree === 'calls' && <TreePane log={log} />}
        {tree === 'bottom-up' && <BottomUpPane log={log} />}
        {tree === 'detail' && <DetailPanes log={log} />}
        {tree === 'source' && <SourcePane log={log} />}
      </div>
    </div>
  );
}

/** Beside the methods: the callers and callees of the selected one, or its source. */
export function DetailPlace({ log }: { readonly log: LogView }): ReactNode {
  const shown = useWindow((state) => shownBesideMethods(state.preferences));
  return (
    <div className="tree-place">
      <div className="pane-bar">
        <SegmentedControl<TreeChoice>
          label="Beside the methods"
          choices={BESIDE_METHODS}
          value={shown}
          onChange={chooseTree}
          testId="detail-choice"
        />
        <DetailPath path={log.detail} label={shown === 'detail' ? OF_DETAIL : OF_SOURCE} />
        <DetailTimes log={log} />
      </div>
      <div className="tree-place-body">
        {shown === 'detail' ? <DetailPanes log={log} /> : <SourcePane log={log} />}
      </div>
    </div>
  );
}

/** The methods in which samples ended, and below each one its callers. */
const BottomUpPane = memo(function BottomUpPane({ log }: { readonly log: PaneLog }): ReactNode {
  return (
    <RowsPane
      pane="bottomUp"
      label="Bottom-up tree"
      rowsLabel="Bottom-up tree"
      log={log}
      ownEntries={bottomUpEntries}
    />
  );
}, drawsSame('bottomUp'));

const bottomUpEntries = (row: Row): readonly MenuEntry[] => [expandEntries('bottomUp', row)];

function expandEntries(pane: 'tree' | 'bottomUp', row: Row, more: readonly MenuEntry[] = []): MenuEntry {
  const disabled = !row.expandable;
  return {
    text: 'Expand',
    entries: [
      { text: 'Expand hot path', hint: 'Alt ↓', disabled, run: () => expand(pane, row.id, 'hot') },
      { text: 'Expand all below', hint: '*', disabled, run: () => expand(pane, row.id, 'all') },
      { text: 'Collapse all below', disabled, run: () => expand(pane, row.id, 'collapseAll') },
      ...more,
    ],
  };
}

/** The call tree. */
const TreePane = memo(function TreePane({ log }: { readonly log: PaneLog }): ReactNode {
  return (
    <RowsPane
      pane="tree"
      label="Call tree"
      rowsLabel="Call tree"
      log={log}
      ownEntries={ownEntries}
      ownShows={ownShows}
      ownCopyEntries={ownCopyEntries}
    />
  );
}, drawsSame('tree'));

const ownEntries = (row: Row): readonly MenuEntry[] => [
  expandEntries('tree', row, [
    { text: 'Collapse all', run: () => ask({ type: 'reset', pane: 'tree', to: 'closed' }) },
  ]),
];

function ownShows(row: Row): readonly MenuEntry[] {
  return [
    { text: 'Show in flame graph', run: thenEnter('flame', () => showInFlame(row)) },
    {
      text: 'Find in methods',
      disabled: row.kind === 'thread' || row.kind === 'all',
      run: thenEnter('flat', () => showIn('flat', selectionOf('tree', row))),
    },
  ];
}

function ownCopyEntries(row: Row): readonly MenuEntry[] {
  return [
    {
      text: 'Copy subtree as text',
      disabled: !row.expandable,
      run: () => copyOf('tree', row.id, 'subtree'),
    },
  ];
}

/** CSS pixels; as in detail.css. */
const WIDTH = 72;
const HEIGHT = 14;

/** When the method that is shown had its samples, as a drawing and in a word. */
function DetailTimes({ log }: { readonly log: Pick<LogView, 'methodTimes' | 'baseline'> }): ReactNode {
  const { methodTimes, baseline } = log;
  const draw = useCallback(
    (context: CanvasRenderingContext2D, { pixelRatio }: DrawingSize) => {
      if (methodTimes === undefined) return;
      context.scale(pixelRatio, pixelRatio);
      drawTimes(context, methodTimes.counts, { left: 0, top: 0, width: WIDTH, height: HEIGHT });
    },
    [methodTimes],
  );
  const canvas = useDrawing(WIDTH, HEIGHT, draw);
  if (methodTimes === undefined) return null;
  const pattern = timePattern(methodTimes.counts);
  const without = baseline === undefined ? '' : ', without those of the baseline';
  const meaning = pattern === undefined ? '' : ` ${PATTERN_MEANINGS[pattern]}`;
  return (
    <span
      className="detail-times"
      data-testid="detail-times"
      data-tip={`When the method has samples, over the time range${without}.${meaning}`}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {pattern && PATTERN_TEXTS[pattern]}
    </span>
  );
}
