import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import { TIME_PARTS, type TimePattern, timePattern } from '../../../shared/engine/views/time-pattern.ts';
import type { Row, RowId } from '../../profile-worker/pane-messages.ts';
import {
  ask,
  copyOf,
  copyText,
  expand,
  focusPane,
  moveSelection,
  seek,
  select,
  selectRow,
  note,
  prefer,
} from '../../store/actions/actions.ts';
import { toggleLines } from '../../store/actions/scope-actions.ts';
import { type PaneId, PANES, type RowsPaneId } from '../../store/panes/panes.ts';
import { type ShownTimes, withOtherValue } from '../../store/panes/pane-views.ts';
import { selectionOf } from '../../store/state/selection.ts';
import {
  activeLog,
  noStackNote,
  shownColourBy,
  shownSort,
  shownMetric,
} from '../../store/state/selectors.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { beginsFind, take } from '../../widgets/key-name.ts';
import { Menu, type MenuEntry } from '../../widgets/Menu.tsx';
import { VirtualRows } from '../../widgets/VirtualRows.tsx';
import { enterPane, methodEntries, openRow } from '../enter-pane.ts';
import { EmptyPane } from '../EmptyPane.tsx';
import { columnLeft, fittedWidth, guidesOf, indentOf, indentSpace } from '../table/columns.ts';
import { rowsMarkdown, rowText } from '../table/row-text.ts';
import { ROW_HEIGHT } from '../table/rows.ts';
import { TypeFind } from '../table/TypeFind.tsx';
import { TableHeader } from '../table/TableHeader.tsx';
import { TimesColumn, ValueColumns } from '../table/ValueColumns.tsx';
import { useTable } from '../table/use-table.ts';
import { scopeEntries } from '../scope-entries.ts';
import { nameNeeds, rowElementId, RowLine } from './RowLine.tsx';
import { paneAction, rowsKey } from '../pane-keys.ts';
import type { LogKey, LogView } from '../../store/state/window-state.ts';
import '../table/table.css';
import './rows.css';
import { LEAST_COLUMN_WIDTH } from '../../store/state/preferences.ts';
import type { SortColumn } from '../../../shared/engine/columns/column.ts';

const MOST_IN_MARKDOWN = 20;

const NO_ROWS: readonly Row[] = [];

const NO_PATTERNS: ReadonlyMap<RowId, TimePattern | undefined> = new Map();

/** The entries that the menu of a row has in some panes only. */
export interface OwnEntries {
  readonly entries: (pane: RowsPaneId, row: Row) => readonly MenuEntry[];
  /** Further places that show the row. */
  readonly shows: (pane: RowsPaneId, row: Row) => readonly MenuEntry[];
  readonly copies: (pane: RowsPaneId, row: Row) => readonly MenuEntry[];
}

interface RowsPaneProps {
  readonly pane: RowsPaneId;
  readonly label: string;
  /** The name of the rows for a screen reader. */
  readonly rowsLabel: string;
  readonly log: LogView;
  readonly own?: OwnEntries;
  /** The subject of the rows: each has a scroll position of its own. */
  readonly about?: string | undefined;
  /** Shown where there are no rows; by default why the log has none. */
  readonly empty?: ReactNode;
}

/** A table: column titles, rows with their numbers, the menu of a row, keys. The mirror computes the rows. */
export function RowsPane({ pane, label, rowsLabel, log, own, about = '', empty }: RowsPaneProps): ReactNode {
  const header = useRef<HTMLDivElement>(null);
  /** The first letter of what is being found by typing. */
  const [typed, setTyped] = useState<string>();
  const isTree = PANES[pane].of !== 'methods';
  const table = useTable(log, pane, header);
  const { columns, measure, menu, openMenuFor } = table;
  const colourBy = useWindow((state) => shownColourBy(activeLog(state), state.preferences));
  const { nameWidth } = columns;
  const { shown, shift, reveal, selected } = log.panes[pane];
  const { selection } = log;
  const rows = shown?.rows ?? NO_ROWS;
  const selectedRow = rows.find((row) => row.id === selected);
  const timesAt = columnLeft(columns, ({ draws }) => draws === 'times');
  const { times } = log.panes[pane];
  const patterns = useMemo(() => (timesAt === undefined ? NO_PATTERNS : patternsOf(times)), [timesAt, times]);
  const forIndent = indentSpace(nameWidth);

  // A pane that vanishes under the pointer is left without an event.
  useEffect(() => () => releasePane(pane), [pane]);

  function copyRow(row: Row): void {
    void copyText(rowText(row, columns.columns, measure));
  }

  /** Copies a row and those displayed below it, as many as an issue shows without scrolling. */
  function copyMarkdown(row: Row): void {
    const from = rows.slice(Math.max(0, rows.indexOf(row)));
    void copyText(rowsMarkdown(from.slice(0, MOST_IN_MARKDOWN), columns.columns, measure));
  }

  function menuEntries(row: Row): readonly MenuEntry[] {
    return [
      ...methodEntries(selectionOf(pane, row), own?.shows(pane, row) ?? []),
      ...(own?.entries(pane, row) ?? []),
      'separator',
      ...scopeEntries(row),
      'separator',
      {
        text: 'Copy',
        entries: [
          { text: 'Copy row', hint: 'Ctrl C', run: () => copyRow(row) },
          { text: 'Copy rows from here as Markdown', run: () => copyMarkdown(row) },
          { text: 'Copy name', run: () => void copyText(shownLabel(row.label)) },
          {
            text: 'Copy name and file',
            disabled: row.kind !== 'frame',
            run: () => copyOf(pane, row.id, 'location'),
          },
          ...(own?.copies(pane, row) ?? []),
        ],
      },
    ];
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (beginsFind(event) && rows.length > 0) {
      take(event);
      setTyped(event.key);
      return;
    }
    const copy = selectedRow && ((): void => copyRow(selectedRow));
    const action = paneAction(event, selectedRow, copy, (key) =>
      key === 'F10' && event.shiftKey ? { type: 'menu' as const } : rowsKey(key, isTree),
    );
    switch (action?.type) {
      case 'move': {
        const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_HEIGHT) - 1);
        return moveSelection(pane, action.to, page);
      }
      case 'expand':
        return expand(pane, undefined, action.how);
      case 'open':
        if (selectedRow !== undefined) openRow(pane, selectedRow);
        return;
      case 'lines':
        if (selectedRow?.kind === 'frame') toggleLines(selectedRow.label);
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
      data-pane={pane}
      data-testid={`pane-${pane}`}
      onFocus={() => focusPane(pane)}
      onPointerEnter={() => note({ heldPane: pane })}
      onPointerLeave={() => releasePane(pane)}
    >
      <TableHeader
        ref={header}
        id={titlesId(pane)}
        rowsTitle={label}
        columns={columns}
        sort={table.sort}
        onSort={(by) => sortBy(pane, by)}
        displaced={shown?.displaced ?? 0}
        onSortNow={() => ask({ type: 'sort', pane })}
        fit={(id) =>
          id === 'name'
            ? Math.max(LEAST_COLUMN_WIDTH, ...rows.map((row) => nameNeeds(row, isTree)))
            : fittedWidth(columns.available.get(id), rows, measure)
        }
      />
      {typed !== undefined && (
        <TypeFind
          first={typed}
          seek={(text, step) => seek(pane, text, step)}
          isMissing={(text) => log.sought?.pane === pane && log.sought.text === text && !log.sought.found}
          onEnd={(returns) => {
            setTyped(undefined);
            if (returns) enterPane(pane);
          }}
        />
      )}
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
            top={top}
            indent={indentOf(row.depth, forIndent)}
            guides={guidesOf(row.depth, forIndent)}
            selected={row.id === selected}
            related={row.id !== selected && row.kind !== 'thread' && row.label === selection?.label}
            pattern={patterns.get(row.id)}
            note={row.kind === 'error' ? noStackNote(log) : undefined}
            columns={columns.columns}
            nameWidth={nameWidth}
            measure={measure}
            colourBy={colourBy}
            onMenu={onMenu}
          />
        )}
        renderBeside={(drawn, top) => (
          <>
            <ValueColumns
              columns={columns.columns}
              rows={drawn}
              top={top}
              left={nameWidth}
              measure={measure}
            />
            {timesAt !== undefined && (
              <TimesColumn
                rows={drawn}
                times={times}
                top={top}
                left={timesAt}
                width={columns.columns.find(({ draws }) => draws === 'times')?.width ?? 0}
              />
            )}
          </>
        )}
        active={
          selectedRow && {
            at: (shown?.from ?? 0) + rows.indexOf(selectedRow),
            elementId: rowElementId(pane, selectedRow.id),
          }
        }
        onWindow={table.onWindow}
        shift={shift}
        reveal={reveal}
        initialPosition={rememberedPosition(log.key, pane, about)}
        onPosition={(position) => rememberPosition(log.key, pane, about, position)}
        container={{
          tabIndex: 0,
          role: isTree ? 'treegrid' : 'grid',
          // The titles stay in place while rows scroll.
          'aria-owns': titlesId(pane),
          'aria-rowcount': 1 + (shown?.total ?? 0),
          'aria-colcount': 1 + columns.columns.length,
          'aria-label': rowsLabel,
          onKeyDown,
          // A click outside the rows clears the selection.
          onMouseDown: () => select(undefined),
        }}
      />
      {(shown === undefined || shown.total === 0) && (empty ?? <EmptyPane log={log} isFlat={!isTree} />)}
      {menu !== undefined && (
        <Menu
          label={`Actions for ${shownLabel(menu.row.label)}`}
          entries={menuEntries(menu.row)}
          at={menu}
          onClose={table.closeMenu}
        />
      )}
    </section>
  );
}

/** Id of the element with the titles of columns. */
function titlesId(pane: RowsPaneId): string {
  return `${pane}-titles`;
}

function patternsOf(times: ShownTimes | undefined): typeof NO_PATTERNS {
  return new Map(times?.ids.map((id, at) => [id, timePattern(times.counts, at * TIME_PARTS)]));
}

/** Where each pane of each log was scrolled to when it was last on screen, in pixels of rows. */
const positions = new Map<string, number>();

function rememberedPosition(log: LogKey, pane: PaneId, about: string): number {
  return positions.get(`${pane} ${log} ${about}`) ?? 0;
}

function rememberPosition(log: LogKey, pane: PaneId, about: string, position: number): void {
  positions.set(`${pane} ${log} ${about}`, position);
}

/** The first click on a column sorts descending, names ascending; the second reverses the order. */
function sortBy(pane: RowsPaneId, by: SortColumn): void {
  const log = activeLog(useWindow.getState());
  const name = log?.baseline === undefined ? 'sorts' : 'comparedSorts';
  const { preferences } = useWindow.getState();
  const sorts = preferences[name];
  const now = shownSort(log, preferences, pane);
  const sort = { by, descending: now.by === by ? !now.descending : by !== 'label' };
  const kept = shownMetric(log, preferences) === 'time' ? withOtherValue(sort) : sort;
  prefer({ [name]: { ...sorts, [pane]: kept } });
}

/** The pointer has left a pane, or the pane the window. */
function releasePane(pane: PaneId): void {
  if (useWindow.getState().heldPane === pane) note({ heldPane: undefined });
}
