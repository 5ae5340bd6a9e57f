import { type KeyboardEvent, type MouseEvent, type ReactNode, useCallback, useRef } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import {
  ask,
  expand,
  focusPane,
  holdPane,
  moveSelection,
  select,
  selectRow,
  sortBy,
} from '../../store/actions.ts';
import { LEAST_COLUMN_WIDTH } from '../../store/column-layout.ts';
import { PANES, type RowsPaneId } from '../../store/panes.ts';
import { Menu, type MenuEntry } from '../../widgets/Menu.tsx';
import { VirtualRows } from '../../widgets/VirtualRows.tsx';
import { EmptyPane } from '../EmptyPane.tsx';
import type { PaneLog } from '../pane-log.ts';
import { rememberedPosition, rememberPosition } from '../scroll-memory.ts';
import { indentOf } from '../table/columns.ts';
import { fittedWidth } from '../table/fitted-width.ts';
import { ROW_HEIGHT } from '../table/rows.ts';
import { TableHeader } from '../table/TableHeader.tsx';
import { useTable } from '../table/use-table.ts';
import { ValueColumns } from '../table/ValueColumns.tsx';
import { copyName } from './copy-entries.ts';
import { nameNeeds, RowLine, rowElementId } from './RowLine.tsx';
import { rowsKey } from './rows-keys.ts';
import '../table/table.css';
import './rows.css';

/** Least width of names in a tree beside the indentation: CSS pixels, and a share of their column. */
const LEAST_INDENT = 40;
const MOST_INDENT_SHARE = 0.5;

const NO_ROWS: readonly Row[] = [];

interface RowsPaneProps {
  readonly pane: RowsPaneId;
  readonly label: string;
  /** What the rows are, for a screen reader. */
  readonly rowsLabel: string;
  readonly log: PaneLog;
  /** A double click, or Enter. */
  readonly onOpen: (row: Row) => void;
  readonly menuEntries: (row: Row) => readonly MenuEntry[];
}

/** A pane of rows: titles to sort by, rows with their numbers, a row's menu, keys. Rows come from the mirror. */
export function RowsPane({ pane, label, rowsLabel, log, onOpen, menuEntries }: RowsPaneProps): ReactNode {
  const header = useRef<HTMLDivElement>(null);
  const isTree = PANES[pane].of !== 'methods';
  const table = useTable(log, pane, header);
  const { columns, measure, menu, openMenuFor } = table;
  const { nameWidth } = columns;
  const { shown, shift, reveal, selected } = log.panes[pane];
  const { selection } = log;
  const rows = shown?.rows ?? NO_ROWS;
  const selectedRow = rows.find((row) => row.id === selected);
  const indentRoom = Math.max(LEAST_INDENT, nameWidth * MOST_INDENT_SHARE);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if ((event.ctrlKey || event.metaKey) && event.key === 'c' && selectedRow !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      copyName(selectedRow);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isMenuKey = event.key === 'F10' && event.shiftKey;
    const action = isMenuKey ? { type: 'menu' as const } : rowsKey(event.key, isTree);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    switch (action.type) {
      case 'move': {
        const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_HEIGHT) - 1);
        return moveSelection(pane, action.to, page);
      }
      case 'expand':
        return expand(pane, undefined, action.how);
      case 'open':
        if (selectedRow !== undefined) onOpen(selectedRow);
        return;
      case 'sort':
        return ask({ type: 'sort', pane });
      case 'menu':
        if (selectedRow === undefined) return;
        table.openMenuAt(
          selectedRow,
          document.getElementById(rowElementId(pane, selectedRow.id)) ?? event.currentTarget,
        );
    }
  }

  const onMenu = useCallback(
    (row: Row, event: MouseEvent) => {
      selectRow(pane, row);
      openMenuFor(row, event);
    },
    [pane, openMenuFor],
  );

  return (
    <section
      className={`pane ${pane}-pane`}
      aria-label={label}
      data-testid={`pane-${pane}`}
      onFocus={() => focusPane(pane)}
      onPointerEnter={() => holdPane(pane)}
      onPointerLeave={() => holdPane(undefined)}
    >
      <TableHeader
        ref={header}
        rowsTitle={label}
        columns={columns}
        sort={table.sort}
        onSort={(by) => sortBy(pane, by)}
        inOrder={shown?.inOrder !== false}
        onSortNow={() => ask({ type: 'sort', pane })}
        fit={(id) =>
          id === 'name'
            ? Math.max(LEAST_COLUMN_WIDTH, ...rows.map((row) => nameNeeds(row, isTree)))
            : fittedWidth(columns.available.get(id), rows, measure)
        }
      />
      <VirtualRows
        total={shown?.total ?? 0}
        rowHeight={ROW_HEIGHT}
        from={shown?.from ?? 0}
        rows={rows}
        renderRow={(row, index, top) => (
          <RowLine
            pane={pane}
            isTree={isTree}
            row={row}
            index={index}
            total={shown?.total ?? 0}
            top={top}
            indent={isTree ? indentOf(row.depth, indentRoom) : 0}
            selected={row.id === selected}
            related={row.id !== selected && row.kind !== 'thread' && row.label === selection?.label}
            search={row.match ? log.searchText : ''}
            columns={columns.columns}
            nameWidth={nameWidth}
            measure={measure}
            onOpen={onOpen}
            onMenu={onMenu}
          />
        )}
        renderBeside={(drawn, top) => (
          <ValueColumns columns={columns.columns} rows={drawn} top={top} left={nameWidth} measure={measure} />
        )}
        onWindow={table.onWindow}
        shift={shift}
        reveal={reveal}
        initialPosition={rememberedPosition(log.key, pane)}
        onPosition={(position) => rememberPosition(log.key, pane, position)}
        container={{
          tabIndex: 0,
          role: isTree ? 'tree' : 'listbox',
          'aria-label': rowsLabel,
          'aria-activedescendant': selectedRow && rowElementId(pane, selectedRow.id),
          onKeyDown,
          // A click outside the rows clears the selection.
          onMouseDown: () => select(undefined),
        }}
      />
      {(shown === undefined || shown.total === 0) && <EmptyPane log={log} isFlat={!isTree} />}
      {menu !== undefined && (
        <Menu
          label={`Actions for ${menu.row.label}`}
          entries={menuEntries(menu.row)}
          at={menu}
          onClose={table.closeMenu}
        />
      )}
    </section>
  );
}
