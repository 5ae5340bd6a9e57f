import type { HTMLAttributes, ReactNode, RefObject } from 'react';
import type { Values } from '../../profile-worker/pane-messages.ts';
import { ask, focusPane, holdPane, sortBy } from '../../store/actions.ts';
import type { RowsPaneId } from '../../store/panes.ts';
import { Menu, type MenuEntry } from '../../widgets/Menu.tsx';
import { VirtualRows } from '../../widgets/VirtualRows.tsx';
import { EmptyPane } from '../EmptyPane.tsx';
import type { PaneLog } from '../pane-log.ts';
import { rememberedPosition, rememberPosition } from '../scroll-memory.ts';
import { ROW_HEIGHT } from './rows.ts';
import { TableHeader } from './TableHeader.tsx';
import { ValueColumns } from './ValueColumns.tsx';
import type { Table } from './use-table.ts';

interface TablePaneProps<Row> {
  readonly pane: RowsPaneId;
  readonly label: string;
  readonly header: RefObject<HTMLDivElement | null>;
  readonly log: PaneLog;
  readonly table: Table<Row>;
  /** Rows as the mirror last sent them; undefined before it did. */
  readonly shown:
    | {
        readonly total: number;
        readonly from: number;
        readonly rows: readonly Row[];
        readonly inOrder: boolean;
      }
    | undefined;
  /** See `RowsView`. */
  readonly shift: number;
  readonly reveal: { readonly at: number; readonly start: number } | undefined;
  readonly renderRow: (row: Row, index: number, top: number) => ReactNode;
  readonly menuEntries: (row: Row) => readonly MenuEntry[];
  /** Role, name and keys of the element that holds the rows. */
  readonly container: HTMLAttributes<HTMLDivElement>;
}

/** The frame that tree and flat list share: titles to sort by, rows, what stands in for none, a row's menu. */
export function TablePane<Row extends Values & { readonly label: string }>(
  props: TablePaneProps<Row>,
): ReactNode {
  const { pane, label, header, log, table, shown, shift, reveal, renderRow, menuEntries, container } = props;
  const { menu } = table;
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
        columns={table.columns}
        sort={table.sort}
        onSort={(by) => sortBy(pane, by)}
        inOrder={shown?.inOrder !== false}
        onSortNow={() => ask({ type: 'sort', pane })}
      />
      <VirtualRows
        total={shown?.total ?? 0}
        rowHeight={ROW_HEIGHT}
        from={shown?.from ?? 0}
        rows={shown?.rows ?? []}
        renderRow={renderRow}
        renderBeside={(rows, top) => (
          <ValueColumns
            columns={table.columns}
            rows={rows}
            top={top}
            left={table.nameWidth}
            metric={table.metric}
            units={table.units}
            whole={table.whole}
          />
        )}
        onWindow={table.onWindow}
        shift={shift}
        reveal={reveal}
        initialPosition={rememberedPosition(log.key, pane)}
        onPosition={(position) => rememberPosition(log.key, pane, position)}
        container={{ tabIndex: 0, ...container }}
      />
      {(shown === undefined || shown.total === 0) && <EmptyPane log={log} isFlat={pane === 'flat'} />}
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
