import { type KeyboardEvent, memo, type MouseEvent, type ReactNode, useCallback, useRef } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { ask, copyText, findInTree, moveSelection, search, select, selectRow } from '../../store/actions.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { thenEnter } from '../enter-pane.ts';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { ROW_HEIGHT } from '../table/rows.ts';
import { TablePane } from '../table/TablePane.tsx';
import { useTable } from '../table/use-table.ts';
import { flatKey } from './flat-keys.ts';
import { FlatRowLine, rowId } from './FlatRowLine.tsx';
import '../table/table.css';
import './flat.css';

/** One row per method, wherever it was called from. */
export const FlatPane = memo(function FlatPane({ log }: { readonly log: PaneLog }): ReactNode {
  const header = useRef<HTMLDivElement>(null);
  const table = useTable<Row>(log, 'flat', header);
  const { columns, nameWidth, metric, units, whole } = table;
  const { shown, shift, reveal, selected } = log.panes.flat;
  const rows = shown?.rows ?? [];
  const selectedIndex = rows.findIndex((row) => row.id === selected);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = event.key === 'F10' && event.shiftKey ? { type: 'menu' as const } : flatKey(event.key);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (action.type === 'move') {
      const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_HEIGHT) - 1);
      moveSelection('flat', action.to, page);
    } else if (action.type === 'find') {
      const label = rows.at(selectedIndex)?.label;
      if (selectedIndex >= 0 && label !== undefined) thenEnter('tree', () => findInTree(label))();
    } else if (action.type === 'sort') {
      ask({ type: 'sort', pane: 'flat' });
    } else if (selectedIndex >= 0) {
      const place = (shown?.from ?? 0) + selectedIndex;
      table.openMenuAt(rows[selectedIndex], document.getElementById(rowId(place)) ?? event.currentTarget);
    }
  }

  const { openMenuFor } = table;
  const onMenu = useCallback(
    (row: Row, event: MouseEvent) => {
      selectRow('flat', row);
      openMenuFor(row, event);
    },
    [openMenuFor],
  );

  return (
    <TablePane
      pane="flat"
      label="Flat list"
      header={header}
      log={log}
      table={table}
      shown={shown}
      shift={shift}
      reveal={reveal}
      renderRow={(row, index, top) => (
        <FlatRowLine
          row={row}
          index={index}
          total={shown?.total ?? 0}
          top={top}
          selected={row.id === selected}
          search={log.searchText}
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
        role: 'listbox',
        'aria-label': 'Methods',
        'aria-activedescendant': selectedIndex < 0 ? undefined : rowId((shown?.from ?? 0) + selectedIndex),
        onKeyDown,
        // Beside the rows: nothing is selected any more.
        onMouseDown: () => select(undefined),
      }}
    />
  );
}, drawsSame('flat'));

function menuEntries(row: Row): readonly MenuEntry[] {
  return [
    { text: 'Find in tree', hint: 'Enter', run: thenEnter('tree', () => findInTree(row.label)) },
    { text: 'Search for it', run: () => search(row.label) },
    'separator',
    { text: 'Copy name', run: () => void copyText(row.label) },
  ];
}
