import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { FlameRow } from '../../mirror/mirror-messages.ts';
import {
  copyText,
  focusFrame,
  focusPane,
  measureFlame,
  showInFlat,
  showInTree,
  turnFlame,
  zoomOut,
  zoomTo,
} from '../../store/actions.ts';
import { findFrame, frameId, stepFrame } from '../../store/flame-walk.ts';
import { isDark } from '../../store/selectors.ts';
import type { LogView } from '../../store/window-state.ts';
import { useWindow } from '../../store/window-store.ts';
import { Icon } from '../../widgets/icons.tsx';
import { Menu, type MenuEntry } from '../../widgets/Menu.tsx';
import { EmptyPane } from '../EmptyPane.tsx';
import { thenEnter } from '../enter-pane.ts';
import { NO_SUMMARY } from '../table/rows.ts';
import { useWidth } from '../use-width.ts';
import { Breadcrumb } from './Breadcrumb.tsx';
import { FlameChart } from './flame-chart.ts';
import { flameKey } from './flame-keys.ts';
import { drawnText, frameDetails } from './flame-text.ts';
import './flame.css';

const NO_ROWS: readonly FlameRow[] = [];

/** The flame graph. The mirror says which frames there are; zoom is a question to it, never the chart's own. */
export function FlamePane({ log }: { readonly log: LogView }): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const chart = useRef<FlameChart>(undefined);
  const width = useWidth(scroller);
  const metric = useWindow((state) => state.preferences.metric);
  const orientation = useWindow((state) => state.preferences.orientation);
  const theme = useWindow((state) => (isDark(state) ? 'dark' : 'light'));
  /** `frameId` of the frame under the pointer. */
  const [hovered, setHovered] = useState<string>();
  const [menu, setMenu] = useState<{ readonly row: FlameRow; readonly x: number; readonly y: number }>();
  const closeMenu = useCallback(() => setMenu(undefined), []);

  const { flame, flameFocus } = log;
  const rows = flame?.rows ?? NO_ROWS;
  const whole = log.summary ?? NO_SUMMARY;
  const searching = log.searchText !== '' && log.search?.problem === undefined;
  const focusedAt = findFrame(rows, flameFocus);
  const hoveredAt = findFrame(rows, hovered);
  const toldAt = hoveredAt < 0 ? focusedAt : hoveredAt;
  const told = toldAt < 0 ? undefined : rows[toldAt];

  useEffect(() => {
    if (width > 0) measureFlame(width);
  }, [width]);

  useEffect(() => () => chart.current?.clear(), []);

  useLayoutEffect(() => {
    const container = scroller.current;
    if (canvas.current === null || container === null || width === 0) return;
    chart.current ??= new FlameChart(canvas.current);
    // The root stays where it is when the graph becomes higher: in a flame it is at the bottom.
    const toBottom = container.scrollHeight - container.scrollTop;
    const describe = (row: FlameRow): string => frameDetails(row, rows[0], whole, metric);
    chart.current.draw({ rows, width, orientation, theme, searching, describe });
    if (orientation === 'flame') container.scrollTop = container.scrollHeight - toBottom;
  }, [rows, width, orientation, theme, searching, whole, metric]);

  useLayoutEffect(() => {
    const container = scroller.current;
    if (container !== null) container.scrollTop = orientation === 'flame' ? container.scrollHeight : 0;
  }, [orientation, flame?.zoom]);

  useLayoutEffect(() => {
    const frame = chart.current?.mark(flameFocus);
    frame?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [flameFocus]);

  useLayoutEffect(() => {
    // The chart writes its own classes at every update.
    chart.current?.mark(flameFocus);
  });

  function zoomInto(row: FlameRow): void {
    if (row.parent < 0 && row.kind !== 'remainder') return;
    focusFrame(row.kind === 'remainder' ? undefined : frameId(row));
    zoomTo(row.kind === 'all' ? undefined : row.id);
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action =
      event.key === 'F10' && event.shiftKey ? { type: 'menu' as const } : flameKey(event.key, orientation);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    switch (action.type) {
      case 'step': {
        const next = stepFrame(rows, focusedAt, action.step);
        setHovered(undefined);
        if (next >= 0) focusFrame(frameId(rows[next]));
        break;
      }
      case 'zoom':
        if (focusedAt >= 0) zoomInto(rows[focusedAt]);
        break;
      case 'out':
        zoomOut();
        break;
      case 'reset':
        zoomTo(undefined);
        break;
      case 'menu': {
        const box = document.getElementById(`frame-${flameFocus}`)?.getBoundingClientRect();
        if (focusedAt >= 0 && box !== undefined)
          setMenu({ row: rows[focusedAt], x: box.left, y: box.bottom });
      }
    }
  }

  /** Before the chart's own listener, which would zoom by itself. */
  function onClickCapture(event: MouseEvent<HTMLDivElement>): void {
    event.stopPropagation();
    const row = chart.current?.rowAt(event.target);
    if (row !== undefined) zoomInto(row);
  }

  function onContextMenu(event: MouseEvent<HTMLDivElement>): void {
    const row = chart.current?.rowAt(event.target);
    if (row === undefined || row.kind === 'remainder') return;
    event.preventDefault();
    focusFrame(frameId(row));
    setMenu({ row, x: event.clientX, y: event.clientY });
  }

  return (
    <section
      className="pane flame-pane"
      aria-label="Flame graph"
      data-testid="pane-flame"
      onFocus={() => focusPane('flame')}
    >
      <div className="flame-header">
        <Breadcrumb path={flame?.path ?? []} leftOut={flame?.pathLeftOut ?? 0} />
        {log.zoom !== undefined && (
          <button
            type="button"
            className="button button-small"
            data-testid="zoom-reset"
            onClick={() => zoomTo(undefined)}
          >
            Reset zoom <kbd>0</kbd>
          </button>
        )}
        <button
          type="button"
          className="button button-small"
          data-testid="turn-flame"
          data-tip="Root at the bottom or at the top (I)"
          aria-label={orientation === 'flame' ? 'Flame, turn to icicle' : 'Icicle, turn to flame'}
          onClick={turnFlame}
        >
          <Icon name="turn" />
          {orientation === 'flame' ? 'Flame' : 'Icicle'}
        </button>
      </div>
      <div ref={scroller} className={`flame-scroller flame-${orientation}`}>
        <div
          ref={canvas}
          className={`flame-canvas${searching ? ' flame-searching' : ''}`}
          role="tree"
          tabIndex={0}
          aria-label="Flame graph: arrow keys move between frames, Enter zooms, Backspace goes back"
          aria-activedescendant={focusedAt < 0 ? undefined : `frame-${flameFocus}`}
          onKeyDown={onKeyDown}
          onClickCapture={onClickCapture}
          onContextMenu={onContextMenu}
          onMouseOver={(event) => {
            const row = chart.current?.rowAt(event.target);
            setHovered(row === undefined ? undefined : frameId(row));
          }}
          onMouseLeave={() => setHovered(undefined)}
        />
      </div>
      <div className="flame-footer">
        <span className="flame-details" data-testid="flame-details">
          {told !== undefined && (
            <>
              <strong>{told.label}</strong>
              <span className="flame-numbers">{frameDetails(told, rows[0], whole, metric)}</span>
            </>
          )}
        </span>
        {flame !== undefined && rows.length > 0 && (
          <span className="flame-drawn" data-testid="flame-drawn">
            {drawnText(flame, metric)}
          </span>
        )}
      </div>
      {rows.length === 0 && <EmptyPane log={log} />}
      {menu !== undefined && (
        <Menu
          label={`Actions for ${menu.row.label}`}
          entries={menuEntries(menu.row, rows, zoomInto)}
          at={menu}
          onClose={closeMenu}
        />
      )}
    </section>
  );
}

function menuEntries(
  row: FlameRow,
  rows: readonly FlameRow[],
  zoomInto: (row: FlameRow) => void,
): readonly MenuEntry[] {
  return [
    { text: 'Zoom in', hint: 'Enter', disabled: row.parent < 0, run: () => zoomInto(row) },
    { text: 'Zoom out', hint: 'Backspace', run: zoomOut },
    'separator',
    { text: 'Show in tree', disabled: row.kind === 'all', run: thenEnter('tree', () => showInTree(row.id)) },
    {
      text: 'Find in flat list',
      disabled: row.kind === 'all' || row.kind === 'thread',
      run: thenEnter('flat', () => showInFlat(row.label)),
    },
    'separator',
    { text: 'Copy name', run: () => void copyText(row.label) },
    { text: 'Copy stack', run: () => void copyText(stackText(row, rows)) },
  ];
}

/** The frame and its callers as far as they are shown, one a line, the frame first: as Java prints stacks. */
function stackText(row: FlameRow, rows: readonly FlameRow[]): string {
  const lines: string[] = [];
  for (
    let at: FlameRow | undefined = row;
    at !== undefined;
    at = rows.at(at.parent < 0 ? rows.length : at.parent)
  ) {
    if (at.kind !== 'all') lines.push(at.label);
  }
  return lines.join('\n');
}
