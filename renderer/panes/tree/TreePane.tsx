import { type KeyboardEvent, memo, type MouseEvent, type ReactNode, useCallback, useRef } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import {
  ask,
  copyText,
  expand,
  moveSelection,
  select,
  selectRow,
  showIn,
  showInFlame,
} from '../../store/actions.ts';
import { selectionOf } from '../../store/selection.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { thenEnter } from '../enter-pane.ts';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { indentOf } from '../table/columns.ts';
import { TablePane } from '../table/TablePane.tsx';
import { useTable } from '../table/use-table.ts';
import { ROW_HEIGHT } from '../table/rows.ts';
import { rowId, TreeRowLine } from './TreeRowLine.tsx';
import { treeKey } from './tree-keys.ts';
import '../table/table.css';
import './tree.css';

/** The call tree. Rows come from the mirror; this shows them and says what the user does. */
export const TreePane = memo(function TreePane({ log }: { readonly log: PaneLog }): ReactNode {
  const header = useRef<HTMLDivElement>(null);
  const table = useTable<Row>(log, 'tree', header);
  const { columns, nameWidth, metric, units, whole } = table;
  const { shown, shift, reveal, selected } = log.panes.tree;
  const selectedRow = shown?.rows.find((row) => row.id === selected);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = event.key === 'F10' && event.shiftKey ? { type: 'menu' as const } : treeKey(event.key);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    switch (action.type) {
      case 'move': {
        const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_HEIGHT) - 1);
        moveSelection('tree', action.to, page);
        break;
      }
      case 'expand':
        expand('tree', undefined, action.how);
        break;
      case 'sort':
        ask({ type: 'sort', pane: 'tree' });
        break;
      case 'menu':
        if (selectedRow !== undefined) {
          table.openMenuAt(
            selectedRow,
            document.getElementById(rowId(selectedRow.id)) ?? event.currentTarget,
          );
        }
    }
  }

  const { openMenuFor } = table;
  const onMenu = useCallback(
    (row: Row, event: MouseEvent) => {
      selectRow('tree', row);
      openMenuFor(row, event);
    },
    [openMenuFor],
  );

  return (
    <TablePane
      pane="tree"
      label="Call tree"
      header={header}
      log={log}
      table={table}
      shown={shown}
      shift={shift}
      reveal={reveal}
      renderRow={(row, index, top) => (
        <TreeRowLine
          row={row}
          index={index}
          top={top}
          indent={indentOf(row.depth, Math.max(40, nameWidth * 0.5))}
          selected={row.id === selected}
          search={row.match ? log.searchText : ''}
          columns={columns}
          nameWidth={nameWidth}
          metric={metric}
          units={units}
          whole={whole}
          onMenu={onMenu}
        />
      )}
      menuEntries={menuEntries}
      container={{
        role: 'tree',
        'aria-label': 'Call tree',
        'aria-activedescendant': selectedRow === undefined ? undefined : rowId(selectedRow.id),
        onKeyDown,
        // Beside the rows: nothing is selected any more.
        onMouseDown: () => select(undefined),
      }}
    />
  );
}, drawsSame('tree'));

function menuEntries(row: Row): readonly MenuEntry[] {
  const toExpand = (how: 'all' | 'hot' | 'collapseAll') => () => expand('tree', row.id, how);
  return [
    { text: 'Expand hot path', hint: 'H', disabled: !row.expandable, run: toExpand('hot') },
    { text: 'Expand all below', hint: '*', disabled: !row.expandable, run: toExpand('all') },
    { text: 'Collapse all below', disabled: !row.expandable, run: toExpand('collapseAll') },
    { text: 'Collapse whole tree', run: () => ask({ type: 'reset', pane: 'tree', to: 'closed' }) },
    'separator',
    { text: 'Show in flame graph', run: thenEnter('flame', () => showInFlame(row.id)) },
    {
      text: 'Find in flat list',
      disabled: row.kind === 'thread' || row.kind === 'all',
      run: thenEnter('flat', () => showIn('flat', selectionOf('tree', row))),
    },
    'separator',
    { text: 'Copy name', run: () => void copyText(row.label) },
  ];
}
