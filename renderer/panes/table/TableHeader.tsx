import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useState } from 'react';
import { formatQuantity } from '../../../shared/text/format-value.ts';
import type { SortColumn, ColumnId } from '../../../shared/engine/columns/column.ts';
import type { SortOrder } from '../../../shared/engine/views/sort-order.ts';
import { showsPart } from '../../store/state/selectors.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { Icon } from '../../widgets/icons.tsx';
import { Menu, atMostEight, type MenuEntry, type MenuItem } from '../../widgets/Menu.tsx';
import { type ShownColumn, headingOf, placeAfterMove } from './columns.ts';
import { HeaderCell } from './HeaderCell.tsx';
import { headerKey } from '../pane-keys.ts';
import type { Columns } from './use-table.ts';
import { COLUMNS } from '../../../shared/engine/columns/column-list.ts';
import { take } from '../../widgets/key-name.ts';
import type { SizedColumn } from './column-layout.ts';

interface TableHeaderProps {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly id: string;
  /** The title of the column of names. */
  readonly rowsTitle: string;
  readonly columns: Columns;
  readonly sort: SortOrder;
  readonly onSort: (by: SortColumn) => void;
  /** Rows that keep their places, because one is selected or pointed at, and would have others in the sort order. */
  readonly displaced: number;
  readonly onSortNow: () => void;
  /** The width that a column needs for what is on screen, CSS pixels. */
  readonly fit: (id: SizedColumn) => number;
}

/** CSS pixels that a key makes a column wider or narrower. */
const WIDTH_STEP = 8;

/** Drop position of a dragged column. */
interface Drop {
  /** undefined: behind all. */
  readonly before: ColumnId | undefined;
  /** CSS pixels from the header's left edge. */
  readonly x: number;
}

interface HeaderMenu {
  readonly id: SizedColumn | undefined;
  readonly x: number;
  readonly y: number;
}

/**
 * Column titles: a click sorts, an edge is dragged to resize and double-clicked to fit, a title is dragged to move its
 * column. One stop for the Tab key: arrow keys move between titles, with Shift they resize, with Control and Shift they
 * move the column. A menu offers the same and chooses columns.
 */
export function TableHeader(props: TableHeaderProps): ReactNode {
  const { ref, rowsTitle, columns, sort, onSort, displaced, onSortNow, fit } = props;
  const [current, setCurrent] = useState<SizedColumn>('name');
  const [menu, setMenu] = useState<HeaderMenu>();
  const isOfPart = useWindow(showsPart);
  const closeMenu = useCallback(() => setMenu(undefined), []);
  const [drop, setDrop] = useState<Drop>();
  const titles: readonly Title[] = [
    { id: 'name', title: rowsTitle, hint: 'Sort by name', width: columns.nameWidth, sort: 'label' },
    ...columns.columns,
  ];
  const tabStop = titles.some(({ id }) => id === current) ? current : 'name';
  // Two columns may have the same order (Total % and Total #): only the first shows the arrow.
  const sorted = titles.find((column) => column.sort === sort.by);

  function openMenu(id: SizedColumn | undefined, below: Element): void {
    const { left, bottom } = below.getBoundingClientRect();
    setMenu({ id, x: left, y: bottom });
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>, at: number): void {
    const action = headerKey(event);
    if (action === undefined) return;
    take(event);
    const { id, width } = titles[at];
    switch (action.type) {
      case 'go': {
        const next = titles[Math.min(Math.max(at + action.step, 0), titles.length - 1)];
        ref.current?.querySelector<HTMLElement>(`[data-column=${next.id}]`)?.focus();
        break;
      }
      case 'resize':
        columns.resize(id, width + action.step * WIDTH_STEP);
        break;
      case 'move': {
        const place = id === 'name' ? undefined : placeAfterMove(columns.columns, id, action.step);
        if (id !== 'name' && place !== undefined) columns.move(id, place.before);
        break;
      }
      case 'menu':
        openMenu(id, event.currentTarget);
    }
  }

  function onDrag(id: SizedColumn, to: number | undefined, isDropped: boolean): void {
    const left = ref.current?.getBoundingClientRect().left ?? 0;
    const next = to === undefined ? undefined : dropAt(columns.columns, columns.nameWidth, to - left);
    if (isDropped && next !== undefined && id !== 'name') columns.move(id, next.before);
    setDrop(isDropped ? undefined : next);
  }

  const ofRows = (
    <div className="header-tools">
      {displaced === 0 ? (
        isOfPart && <span className="header-note">so far</span>
      ) : (
        <button
          type="button"
          className="sort-now"
          data-testid="sort-now"
          data-tip="Values have changed. Rows keep their places while one is selected or hovered. Click to re-sort. (Alt O)"
          onClick={onSortNow}
        >
          {`Re-sort ${formatQuantity(displaced, 'row')}`}
        </button>
      )}
      <button
        type="button"
        className="header-button"
        aria-label="Choose columns"
        aria-haspopup="menu"
        aria-expanded={menu !== undefined}
        data-testid="choose-columns"
        data-tip="Choose columns"
        onClick={(event) => openMenu(undefined, event.currentTarget)}
      >
        <Icon name="columns" />
      </button>
    </div>
  );

  return (
    <>
      <div ref={ref} id={props.id} className="table-header" role="row" aria-rowindex={1}>
        {titles.map(({ id, title, shortTitle, hint, sort: by, width }, at) => (
          <HeaderCell
            key={id}
            id={id}
            position={at + 1}
            title={title}
            heading={headingOf({ title, shortTitle, width })}
            hint={hint}
            by={by}
            sort={sorted?.id === id ? sort : undefined}
            width={width}
            isTabStop={id === tabStop}
            onSort={onSort}
            onFocus={() => setCurrent(id)}
            onKeyDown={(event) => onKeyDown(event, at)}
            onMenu={(event) => {
              event.preventDefault();
              setMenu({ id, x: event.clientX, y: event.clientY });
            }}
            onDrag={(to, isDropped) => onDrag(id, to, isDropped)}
            onWidth={(tried, isDropped) => {
              columns.tryWidth(tried === undefined || isDropped ? undefined : { id, width: tried });
              if (tried !== undefined && isDropped) columns.resize(id, tried);
            }}
            onFit={() => columns.resize(id, fit(id))}
          >
            {id === 'name' && ofRows}
          </HeaderCell>
        ))}
        {drop !== undefined && <span className="header-drop" style={{ left: drop.x }} />}
      </div>
      {menu !== undefined && (
        <Menu label="Columns" entries={columnMenu(columns, menu.id, fit)} at={menu} onClose={closeMenu} />
      )}
    </>
  );
}

type Title = Omit<ShownColumn, 'draws' | 'givesWay'>;

/** The drop position nearest to x, CSS pixels from the left edge. */
function dropAt(columns: readonly ShownColumn[], nameWidth: number, x: number): Drop {
  let edge = nameWidth;
  for (const { id, width } of columns) {
    if (x < edge + width / 2) return { before: id, x: edge };
    edge += width;
  }
  return { before: undefined, x: edge };
}

/** The menus of further columns. Those of the first group are in the menu itself. */
const GROUP_TEXTS = {
  samples: 'Samples',
  value: 'Values',
  rates: 'Per second',
  times: 'Times',
  compared: 'Comparison',
} as const;

/** The list of columns, or the actions on the one whose title was clicked. */
export function columnMenu(
  columns: Columns,
  id: SizedColumn | undefined,
  fit: (id: SizedColumn) => number,
): readonly MenuEntry[] {
  const groups = new Map<keyof typeof GROUP_TEXTS, MenuItem[]>();
  for (const { id: each, group } of COLUMNS) {
    const column = columns.available.get(each);
    if (column === undefined) continue;
    const isShown = columns.isShown(each);
    const ofGroup = groups.get(group) ?? [];
    groups.set(group, ofGroup);
    ofGroup.push({
      text: column.title,
      checked: isShown,
      ...(columns.withoutSpace.includes(each) ? { hint: 'No space' } : {}),
      disabled: isShown && columns.columns.length + columns.withoutSpace.length === 1,
      run: () => columns.show([each], !isShown),
    });
  }
  const chosen = [...groups].flatMap(([group, entries], at): readonly MenuEntry[] =>
    at === 0 || entries.length === 1 ? entries : [{ text: GROUP_TEXTS[group], entries }],
  );
  const reset = { text: 'Reset columns', disabled: !columns.isChanged, run: columns.reset };
  if (id === undefined) return atMostEight([...chosen, reset]);
  const step = (by: 1 | -1): MenuItem => {
    const before = id === 'name' ? undefined : placeAfterMove(columns.columns, id, by);
    return {
      text: by < 0 ? 'Move left' : 'Move right',
      hint: by < 0 ? 'Ctrl Shift ←' : 'Ctrl Shift →',
      disabled: before === undefined,
      run: () => {
        if (id !== 'name' && before !== undefined) columns.move(id, before.before);
      },
    };
  };
  return [
    step(-1),
    step(1),
    { text: 'Fit width', run: () => columns.resize(id, fit(id)) },
    { text: 'Columns', entries: atMostEight(chosen) },
    reset,
  ];
}
