import { type KeyboardEvent, memo, type MouseEvent, type ReactNode, useCallback, useRef } from 'react';
import type { TreeRow } from '../../profile-worker/mirror-messages.ts';
import { ask, copyText, showInFlame, showInFlat } from '../../store/actions.ts';
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

const OWN = ['tree', 'treeShift', 'treeReveal'] as const;

/** The call tree. Rows come from the mirror; this shows them and says what the user does. */
export const TreePane = memo(function TreePane({
  log,
}: {
  readonly log: PaneLog<(typeof OWN)[number]>;
}): ReactNode {
  const header = useRef<HTMLDivElement>(null);
  const table = useTable<TreeRow>(log, 'tree', header);
  const { columns, nameWidth, metric, units, whole } = table;
  const { tree } = log;
  const selectedRow = tree?.rows.find((row) => row.id === tree.selected);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = event.key === 'F10' && event.shiftKey ? { type: 'menu' as const } : treeKey(event.key);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    switch (action.type) {
      case 'move': {
        const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_HEIGHT) - 1);
        ask({ type: 'treeMove', to: action.to, page });
        break;
      }
      case 'expand':
        ask({ type: 'treeExpand', row: undefined, how: action.how });
        break;
      case 'sort':
        ask({ type: 'sortNow', pane: 'tree' });
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
    (row: TreeRow, event: MouseEvent) => {
      ask({ type: 'treeSelect', row: row.id });
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
      shown={tree}
      shift={log.treeShift}
      reveal={log.treeReveal}
      renderRow={(row, index, top) => (
        <TreeRowLine
          row={row}
          index={index}
          top={top}
          indent={indentOf(row.depth, Math.max(40, nameWidth * 0.5))}
          selected={row.id === tree?.selected}
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
        onMouseDown: () => ask({ type: 'treeSelect', row: undefined }),
      }}
    />
  );
}, drawsSame(OWN));

function menuEntries(row: TreeRow): readonly MenuEntry[] {
  const expand = (how: 'all' | 'hot' | 'collapseAll') => () => ask({ type: 'treeExpand', row: row.id, how });
  return [
    { text: 'Expand hot path', hint: 'H', disabled: !row.expandable, run: expand('hot') },
    { text: 'Expand all below', hint: '*', disabled: !row.expandable, run: expand('all') },
    { text: 'Collapse all below', disabled: !row.expandable, run: expand('collapseAll') },
    { text: 'Collapse whole tree', run: () => ask({ type: 'treeReset', to: 'closed' }) },
    'separator',
    { text: 'Show in flame graph', run: thenEnter('flame', () => showInFlame(row.id)) },
    {
      text: 'Find in flat list',
      disabled: row.kind === 'thread' || row.kind === 'all',
      run: thenEnter('flat', () => showInFlat(row.label)),
    },
    'separator',
    { text: 'Copy name', run: () => void copyText(row.label) },
  ];
}
