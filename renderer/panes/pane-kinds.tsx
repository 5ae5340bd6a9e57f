import type { ReactNode } from 'react';
import type { PaneSpec } from '../profile-worker/pane-specs.ts';
import { type PaneId, definitionOf } from '../store/panes/panes.ts';
import type { LogView } from '../store/state/window-state.ts';
import type { KeyHelp } from '../widgets/key-name.ts';
import { ChartPane } from './chart/ChartPane.tsx';
import { FlamePane } from './flame/FlamePane.tsx';
import { OperationsBar, OperationsPane } from './operations/OperationsPane.tsx';
import { LogRows } from './rows/LogRows.tsx';
import { SummaryPane } from './summary/SummaryPane.tsx';
import { SourcePane } from './source/SourcePane.tsx';
import { SpreadPane } from './spread/SpreadPane.tsx';

interface PaneProps {
  readonly pane: never;
  readonly log: LogView;
}

interface PaneKind {
  readonly Component: (props: PaneProps) => ReactNode;
  /** Its controls in the bar of its place, beside the choices. */
  readonly Bar?: (props: { readonly log: LogView }) => ReactNode;
  /** The keys that it handles itself; `control` names a key with Ctrl or Command. */
  readonly keys: (control: (key: string) => string) => KeyHelp;
}

/** The drawing of the panes of each kind, and their keys on the sheet. */
export const PANE_KINDS: Readonly<Record<PaneSpec['kind'], PaneKind>> = {
  rows: {
    Component: LogRows,
    keys: (control) => ({
      title: 'Call tree and methods',
      keys: [
        [['↑', '↓', 'PgUp', 'PgDn', 'Home', 'End'], 'Move'],
        [['→', '←'], 'Expand; collapse or go to the caller'],
        [['Space'], 'Call tree: expand or collapse'],
        [['*'], 'Expand all below'],
        [['Alt ↓'], 'Expand the hot path'],
        [['Enter'], 'Callers and callees'],
        [['Alt L'], 'Split the method into its lines, or join them'],
        [['Alt O'], 'Re-sort'],
        [['A to Z'], 'Find a row by its name; ↑ ↓ to the others, Esc ends'],
        [['Shift F10', 'Menu'], 'Menu of the row'],
        [[control('C')], 'Copy the row: its name and numbers'],
      ],
    }),
  },
  operations: {
    Component: OperationsPane,
    Bar: OperationsBar,
    keys: (control) => ({
      title: 'Operations',
      keys: [
        [['↑', '↓', 'PgUp', 'PgDn', 'Home', 'End'], 'Move'],
        [['Enter'], 'Only its samples'],
        [['Shift Enter'], 'Its slow ones against the rest'],
        [['Alt O'], 'Re-sort'],
        [['A to Z'], 'Find a row by its name; ↑ ↓ to the others, Esc ends'],
        [['Shift F10', 'Menu'], 'Menu of the row'],
        [[control('C')], 'Copy the row'],
      ],
    }),
  },
  answer: {
    Component: SummaryPane,
    keys: () => ({
      title: 'Summary',
      keys: [
        [['↑', '↓', 'Home', 'End'], 'Move to an answer'],
        [['PgUp', 'PgDn'], 'Move to the first of a part'],
        [['Enter'], 'Go where it is about'],
      ],
    }),
  },
  chart: {
    Component: ChartPane,
    keys: () => ({
      title: 'Chart: as in a flame graph, and',
      keys: [
        [['+', '-'], 'Zoom in and out at the frame'],
        [['Shift ←', 'Shift →'], 'Earlier, later'],
        [['Space', 'Backspace'], 'Zoom into the frame, zoom out'],
      ],
    }),
  },
  lines: {
    Component: SourcePane,
    keys: (control) => ({
      title: 'Source',
      keys: [
        [['↑', '↓', 'PgUp', 'PgDn', 'Home', 'End'], 'Move'],
        [['←', '→'], 'Previous, next line with samples'],
        [['Alt ↓'], 'Hottest line'],
        [['Enter'], 'Open in the editor'],
        [[control('C')], 'Copy the method with its file and line'],
      ],
    }),
  },
  spread: {
    Component: SpreadPane,
    keys: () => ({
      title: 'Spread',
      keys: [
        [['↑', '↓', 'PgUp', 'PgDn', 'Home', 'End'], 'Move'],
        [['Enter'], 'The parts of a method; only this part, or all again'],
        [['Shift Enter'], 'Compare the part with the others'],
        [['Backspace'], 'All methods'],
      ],
    }),
  },
  flame: {
    Component: FlamePane,
    keys: (control) => ({
      title: 'Flame graph',
      keys: [
        [['↑', '↓', '←', '→'], 'Move between frames'],
        [['Home'], 'Go to the root'],
        [['Enter'], 'Callers and callees'],
        [['Space'], 'Zoom into the frame'],
        [['Alt L'], 'Split the method into its lines, or join them'],
        [['Backspace'], 'Zoom out by one frame'],
        [[control('C')], 'Copy the frame: its name and numbers'],
        [[control('wheel')], 'Zoom in and out at the pointer'],
        [['Shift F10', 'Menu'], 'Menu of the frame'],
      ],
    }),
  },
};

export function PaneOf({ pane, log }: { readonly pane: PaneId; readonly log: LogView }): ReactNode {
  const { Component } = PANE_KINDS[definitionOf(pane).kind];
  return <Component pane={pane as never} log={log} />;
}
