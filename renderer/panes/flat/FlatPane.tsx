import { type KeyboardEvent, memo, type MouseEvent, type ReactNode, useCallback, useRef } from 'react';
import type { FlatRow } from '../../profile-worker/mirror-messages.ts';
import { ask, copyText, findInTree, search } from '../../store/actions.ts';
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

const OWN = ['flat', 'flatShift', 'flatReveal'] as const;

/** One row per method, wherever it was called from. */
export const FlatPane = memo(function FlatPane({
  log,
}: {
  readonly log: PaneLog<(typeof OWN)[number]>;
}): ReactNode {
  const header = useRef<HTMLDivElement>(null);
  const table = useTable<FlatRow>(log, 'flat', header);
  const { columns, nameWidth, metric, units, whole } = table;
  const { flat } = log;
  const rows = flat?.rows ?? [];
  const selected = flat?.selected;
  const selectedIndex = rows.findIndex((row) => row.label === selected);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = event.key === 'F10' && event.shiftKey ? { type: 'menu' as const } : flatKey(event.key);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (action.type === 'move') {
      const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_HEIGHT) - 1);
      ask({ type: 'flatMove', to: action.to, page });
    } else if (action.type === 'find') {
      if (selected !== undefined) thenEnter('tree', () => findInTree(selected))();
    } else if (action.type === 'sort') {
      ask({ type: 'sortNow', pane: 'flat' });
    } else if (selectedIndex >= 0) {
      const place = (flat?.from ?? 0) + selectedIndex;
      table.openMenuAt(rows[selectedIndex], document.getElementById(rowId(place)) ?? event.currentTarget);
    }
  }

  const { openMenuFor } = table;
  const onMenu = useCallback(
    (row: FlatRow, event: MouseEvent) => {
      ask({ type: 'flatSelect', label: row.label });
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
      shown={flat}
      shift={log.flatShift}
      reveal={log.flatReveal}
      renderRow={(row, index, top) => (
        <FlatRowLine
          row={row}
          index={index}
          total={flat?.total ?? 0}
          top={top}
          selected={row.label === selected}
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
        'aria-activedescendant': selectedIndex < 0 ? undefined : rowId((flat?.from ?? 0) + selectedIndex),
        onKeyDown,
        // Beside the rows: nothing is selected any more.
        onMouseDown: () => ask({ type: 'flatSelect', label: undefined }),
      }}
    />
  );
}, drawsSame(OWN));

function menuEntries(row: FlatRow): readonly MenuEntry[] {
  return [
    { text: 'Find in tree', hint: 'Enter', run: thenEnter('tree', () => findInTree(row.label)) },
    { text: 'Search for it', run: () => search(row.label) },
    'separator',
    { text: 'Copy name', run: () => void copyText(row.label) },
  ];
}
