import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useMemo,
  useRef,
  useState,
} from 'react';
import { formatQuantity } from '../../../shared/text/format-value.ts';
import { copyText } from '../../store/actions/actions.ts';
import type { PaneId } from '../../store/panes/panes.ts';
import type { ListSort } from '../../store/panes/pane-views.ts';
import { ElidedText } from '../../widgets/ElidedText.tsx';
import { beginsFind, keyName, take } from '../../widgets/key-name.ts';
import { Menu, type MenuEntry } from '../../widgets/Menu.tsx';
import { VirtualRows } from '../../widgets/VirtualRows.tsx';
import { enterPane } from '../enter-pane.ts';
import { rowsKey } from '../pane-keys.ts';
import { useWidth } from '../use-drawing.ts';
import { CELL_PADDING, SHARE_NUMBER_WIDTH } from './columns.ts';
import { ROW_HEIGHT } from './rows.ts';
import { TypeFind } from './TypeFind.tsx';
import './table.css';
import './list-table.css';
import { placeAfter } from '../../profile-worker/pane-messages.ts';

/** A column of a list. */
export interface ListColumn<Row> {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  /** CSS pixels; a column of texts may become wider. */
  readonly width: number;
  /** The value by which rows are sorted, numbers from the largest on. */
  readonly value: (row: Row) => number | string;
  readonly text: (row: Row) => string;
  /** The length of a bar before the number, 0 to 1. */
  readonly bar?: (row: Row) => number;
  /** Content of the cell instead of its text. */
  readonly draw?: (row: Row) => ReactNode;
  /** Texts stand at the left, and get what space is left. */
  readonly isText?: true;
}

/** Something that is done to a row, with a button in it and an entry in its menu. */
export interface RowAction {
  readonly text: string;
  /** On the button; undefined: it is only in the menu. */
  readonly button?: string;
  readonly hint?: string;
  readonly run: () => void;
}

interface ListTableProps<Row> {
  readonly pane: PaneId;
  readonly label: string;
  readonly rows: readonly Row[];
  /** The title of the names. */
  readonly title: string;
  /** The order of the names; undefined: that of the alphabet. */
  readonly order?: ((row: Row) => number) | undefined;
  readonly columns: readonly ListColumn<Row>[];
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
  /** Another row is selected; undefined: none is. */
  readonly onSelect?: (name: string | undefined) => void;
  /** The row is what the panes show now. */
  readonly isInScope: (row: Row) => boolean;
  /** The first one is that of Enter and of a double click, the second that of Enter with Shift. */
  readonly actions: (row: Row) => readonly RowAction[];
}

/** CSS pixels. */
const LEAST_NAME_WIDTH = 160;
const MOST_NAME_WIDTH = 480;
const NAME = 'name';

/**
 * A list of named rows that the window has as a whole: a column sorts, letters find, keys move, a row has actions. While the
 * pointer or the focus is in it, rows keep their order, and new ones come after them.
 */
export function ListTable<Row extends { readonly name: string }>(props: ListTableProps<Row>): ReactNode {
  const { pane, label, columns, sort, order } = props;
  const header = useRef<HTMLDivElement>(null);
  const shown = columnsIn(useWidth(header), columns);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [selected, setSelected] = useState<string>();
  const select = (name: string | undefined): void => {
    setSelected(name);
    if (name !== selected) props.onSelect?.(name);
  };
  const [reveal, setReveal] = useState<{ readonly at: number; readonly start: number }>();
  const [typed, setTyped] = useState<string>();
  const [menu, setMenu] = useState<{ readonly row: Row; readonly x: number; readonly y: number }>();
  const sorted = useMemo(
    () => sortedRows(props.rows, columns, sort, order),
    [props.rows, columns, sort, order],
  );
  const [kept, setKept] = useState({ sort, rows: sorted });
  const isKept = (isPointed || isFocused) && kept.sort === sort;
  const rows = useMemo(() => (isKept ? inOrderOf(sorted, kept.rows) : sorted), [isKept, sorted, kept]);
  if (!isKept && (kept.rows !== sorted || kept.sort !== sort)) setKept({ sort, rows: sorted });
  const displaced = rows.reduce((count, row, at) => count + (row === sorted[at] ? 0 : 1), 0);
  const at = rows.findIndex(({ name }) => name === selected);
  const elementId = (place: number): string => `${pane}-item-${place}`;

  function go(to: number): void {
    const place = Math.min(Math.max(to, 0), rows.length - 1);
    select(rows.at(place)?.name);
    setReveal({ at: place, start: place });
  }

  const contains = (row: Row, text: string): boolean => row.name.toLowerCase().includes(text.toLowerCase());

  function seek(text: string, step: 0 | 1 | -1): void {
    const start = Math.max(at, 0) + step + rows.length;
    for (let each = 0; each < rows.length; each++) {
      const place = (start + (step < 0 ? -each : each)) % rows.length;
      if (contains(rows[place], text)) return go(place);
    }
  }

  function copy({ name }: Row): void {
    const row = rows.find((each) => each.name === name);
    if (row !== undefined) void copyText([name, ...columns.map(({ text }) => text(row))].join('\t'));
  }

  const menuEntries = (row: Row): readonly MenuEntry[] => [
    ...props.actions(row),
    'separator',
    { text: 'Copy row', hint: 'Ctrl C', run: () => copy(row) },
    { text: 'Copy name', run: () => void copyText(row.name) },
  ];

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const { key, shiftKey, currentTarget } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const row = rows.at(at < 0 ? rows.length : at);
    const page = Math.max(1, Math.floor(currentTarget.clientHeight / ROW_HEIGHT) - 1);
    const action = key === 'F10' && shiftKey ? ({ type: 'menu' } as const) : rowsKey(keyName(event), false);
    if (isControl && key === 'c' && row !== undefined) copy(row);
    else if (isControl) return;
    else if (beginsFind(event) && rows.length > 0) setTyped(key);
    else if (action?.type === 'move') go(placeAfter(action.to, at, page, rows.length));
    else if (action?.type === 'sort') setKept({ sort, rows: sorted });
    else if (row === undefined) return;
    else if (action?.type === 'open')
      props
        .actions(row)
        .at(shiftKey ? 1 : 0)
        ?.run();
    else if (action?.type === 'menu') {
      const { left, bottom } = (
        document.getElementById(elementId(at)) ?? currentTarget
      ).getBoundingClientRect();
      setMenu({ row, x: left + 40, y: bottom });
    } else return;
    take(event);
  }

  const titles = [
    { id: NAME, title: props.title, hint: 'Sort by name', width: shown.nameWidth },
    ...shown.columns,
  ];
  return (
    <div
      className="list-table"
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget))}
    >
      <div ref={header} id={`${pane}-titles`} className="table-header" role="row" aria-rowindex={1}>
        {titles.map(({ id, title, hint, width }, column) => {
          const direction = sort.by !== id ? undefined : sort.descending ? 'descending' : 'ascending';
          const isText = id === NAME || shown.columns[column - 1].isText === true;
          return (
            <div
              key={id}
              className={isText ? 'header-cell header-name' : 'header-cell'}
              style={{ width }}
              role="columnheader"
              aria-colindex={column + 1}
              aria-sort={direction}
              aria-label={title}
            >
              <button
                type="button"
                className="header-title"
                data-tip={hint}
                data-column={id}
                data-sorted={direction}
                onClick={() =>
                  props.onSort({ by: id, descending: sort.by === id ? !sort.descending : !isText })
                }
              >
                <span className="header-text">{title}</span>
                <span className="header-arrow" aria-hidden="true">
                  {direction === undefined ? '' : direction === 'descending' ? '▾' : '▴'}
                </span>
              </button>
              {id === NAME && displaced > 0 && (
                <button
                  type="button"
                  className="sort-now"
                  data-tip="Values have changed. Rows keep their places while the pointer or the focus is on the list. Click to re-sort. (Alt O)"
                  onClick={() => setKept({ sort, rows: sorted })}
                >
                  {`Re-sort ${formatQuantity(displaced, 'row')}`}
                </button>
              )}
            </div>
          );
        })}
      </div>
      {typed !== undefined && (
        <TypeFind
          first={typed}
          seek={seek}
          isMissing={(text) => !rows.some((row) => contains(row, text))}
          onEnd={(returns) => {
            setTyped(undefined);
            if (returns) enterPane(pane);
          }}
        />
      )}
      <VirtualRows
        total={rows.length}
        rowHeight={ROW_HEIGHT}
        from={0}
        rows={rows}
        renderRow={(row, place, top) => (
          <div
            id={elementId(place)}
            className="row"
            role="row"
            aria-rowindex={place + 2}
            aria-selected={place === at}
            aria-label={row.name}
            aria-description={[
              ...(props.isInScope(row) ? ['in scope'] : []),
              ...shown.columns.map(({ title, text }) => `${title} ${text(row)}`),
            ].join(', ')}
            data-name={row.name}
            data-related={props.isInScope(row) ? '' : undefined}
            style={{ top }}
            onMouseDown={(event) => {
              event.stopPropagation();
              select(row.name);
            }}
            onDoubleClick={() => props.actions(row).at(0)?.run()}
            onContextMenu={(event: MouseEvent) => {
              event.preventDefault();
              setMenu({ row, x: event.clientX, y: event.clientY });
            }}
          >
            <span role="gridcell" aria-colindex={1} className="list-name" style={{ width: shown.nameWidth }}>
              <span className="list-text" title={row.name}>
                <ElidedText text={row.name} />
              </span>
              <RowButtons actions={props.actions(row)} />
            </span>
            {shown.columns.map(({ id, text, width, bar, draw, isText }, column) => (
              <span
                key={id}
                role="gridcell"
                aria-colindex={column + 2}
                className={isText ? 'list-text list-more' : 'value-column'}
                title={isText ? text(row) : undefined}
                style={{ width, ...(bar && barStyle(bar(row), width)) }}
              >
                {draw === undefined ? text(row) : draw(row)}
              </span>
            ))}
          </div>
        )}
        active={at < 0 ? undefined : { at, elementId: elementId(at) }}
        onWindow={doNothing}
        shift={0}
        reveal={reveal}
        initialPosition={0}
        onPosition={doNothing}
        container={{
          tabIndex: 0,
          role: 'grid',
          'aria-label': label,
          'aria-owns': `${pane}-titles`,
          'aria-rowcount': 1 + rows.length,
          'aria-colcount': titles.length,
          onKeyDown,
          onMouseDown: () => select(undefined),
        }}
      />
      {menu !== undefined && (
        <Menu
          label={`Actions for ${menu.row.name}`}
          entries={menuEntries(menu.row)}
          at={menu}
          onClose={() => setMenu(undefined)}
        />
      )}
    </div>
  );
}

/** The buttons of a row, which only the pointer sees: the menu and the keys have the same. */
function RowButtons({ actions }: { readonly actions: readonly RowAction[] }): ReactNode {
  return (
    <span className="list-actions" role="presentation">
      {actions.map(
        ({ text, button, run }) =>
          button !== undefined && (
            <button key={text} type="button" tabIndex={-1} aria-hidden="true" data-tip={text} onClick={run}>
              {button}
            </button>
          ),
      )}
    </span>
  );
}

function doNothing(): void {
  // All rows are here, and begin at the top.
}

/** The columns that fit beside the names, from the left on. A column of texts gets what is left. */
function columnsIn<Row>(
  width: number,
  columns: readonly ListColumn<Row>[],
): { readonly nameWidth: number; readonly columns: readonly ListColumn<Row>[] } {
  let free = width - LEAST_NAME_WIDTH;
  const beyond = columns.findIndex((column) => (free -= column.width) < 0);
  const shown = beyond < 0 ? columns : columns.slice(0, beyond);
  const rest = shown.reduce((left, column) => left - column.width, width);
  const last = shown.at(-1);
  if (last?.isText !== true)
    return { nameWidth: Math.min(MOST_NAME_WIDTH, Math.max(0, rest)), columns: shown };
  const nameWidth = Math.min(
    MOST_NAME_WIDTH,
    Math.max(LEAST_NAME_WIDTH, Math.round((rest + last.width) / 2)),
  );
  const more = { ...last, width: rest + last.width - nameWidth };
  return { nameWidth, columns: [...shown.slice(0, -1), more] };
}

/** Equal values keep the order in which they came. */
export function sortedRows<Row extends { readonly name: string }>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  { by, descending }: ListSort,
  order: (row: Row) => number | string = ({ name }) => name,
): readonly Row[] {
  const { value } = columns.find(({ id }) => id === by) ?? { value: order };
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)];
    return one === other ? 0 : one < other ? -sign : sign;
  });
}

/** The rows in the order that they had before; new ones come last. */
export function inOrderOf<Row extends { readonly name: string }>(
  rows: readonly Row[],
  before: readonly Row[],
): readonly Row[] {
  const places = new Map(before.map(({ name }, at) => [name, at]));
  const placeOf = ({ name }: Row): number => places.get(name) ?? before.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** CSS pixels. */
const BAR_HEIGHT = 8;

function barStyle(share: number, width: number): CSSProperties {
  const length = share > 0 ? Math.max(1, Math.round(share * (width - SHARE_NUMBER_WIDTH - CELL_PADDING))) : 0;
  return { backgroundSize: `${length}px ${BAR_HEIGHT}px` };
}
