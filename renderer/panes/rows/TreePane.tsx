import { memo, type ReactNode } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { ask, copyOf, expand, showIn, showInFlame } from '../../store/actions.ts';
import { selectionOf } from '../../store/selection.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { thenEnter } from '../enter-pane.ts';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { RowsPane } from './RowsPane.tsx';

/** The call tree. */
export const TreePane = memo(function TreePane({ log }: { readonly log: PaneLog }): ReactNode {
  return (
    <RowsPane
      pane="tree"
      label="Call tree"
      rowsLabel="Call tree"
      log={log}
      ownEntries={ownEntries}
      ownCopyEntries={ownCopyEntries}
    />
  );
}, drawsSame('tree'));

function ownEntries(row: Row): readonly MenuEntry[] {
  const toExpand = (how: 'all' | 'hot' | 'collapseAll') => () => expand('tree', row.id, how);
  return [
    { text: 'Expand hot path', hint: 'Alt ↓', disabled: !row.expandable, run: toExpand('hot') },
    { text: 'Expand all below', hint: '*', disabled: !row.expandable, run: toExpand('all') },
    { text: 'Collapse all below', disabled: !row.expandable, run: toExpand('collapseAll') },
    { text: 'Collapse all', run: () => ask({ type: 'reset', pane: 'tree', to: 'closed' }) },
    'separator',
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
