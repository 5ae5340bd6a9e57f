import { memo, type ReactNode } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { findCalls, search } from '../../store/actions.ts';
import { selectionOf } from '../../store/selection.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { thenEnter } from '../enter-pane.ts';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { scopeEntries } from '../scope-entries.ts';
import { copyEntries } from './copy-entries.ts';
import { methodEntries, openRow } from './open-row.ts';
import { RowsPane } from './RowsPane.tsx';

/** One row per method, wherever it was called from. */
export const FlatPane = memo(function FlatPane({ log }: { readonly log: PaneLog }): ReactNode {
  return (
    <RowsPane
      pane="flat"
      label="Methods"
      rowsLabel="Methods"
      log={log}
      onOpen={open}
      menuEntries={menuEntries}
    />
  );
}, drawsSame('flat'));

function open(row: Row): void {
  openRow('flat', row);
}

/** Shows the method in the call tree. */
function enterTree(row: Row): void {
  thenEnter('tree', () => findCalls('tree', row))();
}

function menuEntries(row: Row, onCopyRow: () => void): readonly MenuEntry[] {
  return [
    ...methodEntries(selectionOf('flat', row)),
    { text: 'Find in call tree', run: () => enterTree(row) },
    { text: 'Find in flame graph', run: thenEnter('flame', () => findCalls('flame', row)) },
    { text: 'Search for this method', run: () => search(row.label) },
    'separator',
    ...scopeEntries(row),
    'separator',
    ...copyEntries('flat', row, onCopyRow),
  ];
}
