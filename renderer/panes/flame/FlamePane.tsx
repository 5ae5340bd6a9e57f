import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { FlameRow } from '../../profile-worker/pane-messages.ts';
import {
  copyText,
  focusPane,
  isFlamePassing,
  measureFlame,
  select,
  selectFrame,
  showIn,
  turnFlame,
  zoomOut,
  zoomTo,
} from '../../store/actions.ts';
import { findFrame, frameId, selectedFrame, stepFrame } from '../../store/flame-walk.ts';
import { selectionOf } from '../../store/selection.ts';
import { isDark, shownMetric, shownSummary, unitsOf } from '../../store/selectors.ts';
import { useWindow } from '../../store/window-store.ts';
import { Icon } from '../../widgets/icons.tsx';
import { Menu, type MenuEntry } from '../../widgets/Menu.tsx';
import { EmptyPane } from '../EmptyPane.tsx';
import { thenEnter } from '../enter-pane.ts';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { NO_SUMMARY } from '../table/rows.ts';
import { usePixelRatio } from '../use-pixel-ratio.ts';
import { useWidth } from '../use-width.ts';
import { Breadcrumb } from './Breadcrumb.tsx';
import { FlameChart } from './flame-chart.ts';
import { flameKey } from './flame-keys.ts';
import { type FlameBox, type FlamePicture, boxOf, layPicture, rowAt } from './flame-picture.ts';
import { drawnText, frameDetails, placeAmongSiblings } from './flame-text.ts';
import './flame.css';

declare global {
  interface Window {
    /** For tests: the frames of the flame graph and where they are in the window, whichever painter drew them. */
    leanscopeFrames?: () => (FlameRow & FlameBox)[];
  }
}

const NO_ROWS: readonly FlameRow[] = [];

const OWN = ['zoom'] as const;

/** The flame graph. The mirror says which frames there are; zoom is a question to it, never the chart's own. */
export const FlamePane = memo(
  function FlamePane({ log }: { readonly log: PaneLog<(typeof OWN)[number]> }): ReactNode {
    const scroller = useRef<HTMLDivElement>(null);
    const drawnIn = useRef<HTMLDivElement>(null);
    const mark = useRef<HTMLDivElement>(null);
    const chart = useRef<FlameChart>(undefined);
    const width = useWidth(scroller);
    const pixelRatio = usePixelRatio();
    const units = unitsOf(log);
    const metric = useWindow((state) => shownMetric(log, state.preferences.metric));
    const orientation = useWindow((state) => state.preferences.orientation);
    const theme = useWindow((state) => (isDark(state) ? 'dark' : 'light'));
    /** `frameId` of the frame under the pointer. */
    const [hovered, setHovered] = useState<string>();
    const [menu, setMenu] = useState<{ readonly row: FlameRow; readonly x: number; readonly y: number }>();
    const closeMenu = useCallback(() => setMenu(undefined), []);

    const flame = log.panes.flame.shown;
    const flameFocus = selectedFrame(log);
    const rows = flame?.rows ?? NO_ROWS;
    const searching = flame?.searching ?? false;
    const whole = shownSummary(log.summary ?? NO_SUMMARY);
    const picture = useMemo(
      () => layPicture(rows, { width, pixelRatio }, orientation),
      [rows, width, pixelRatio, orientation],
    );
    const focusedAt = findFrame(rows, flameFocus);
    const hoveredAt = findFrame(rows, hovered);
    const toldAt = hoveredAt < 0 ? focusedAt : hoveredAt;
    const describe = (row: FlameRow): string => frameDetails(row, rows[0], whole, metric, units);

    useEffect(() => {
      if (width > 0) measureFlame(width);
    }, [width]);

    useLayoutEffect(
      () => () => {
        chart.current?.destroy();
        chart.current = undefined;
      },
      [],
    );

    useLayoutEffect(() => {
      const container = scroller.current;
      if (drawnIn.current === null || container === null || width === 0) return;
      chart.current ??= new FlameChart(drawnIn.current, container, isFlamePassing);
      chart.current.draw(picture, { theme, searching });
    }, [picture, width, theme, searching]);

    useEffect(() => {
      window.leanscopeFrames = () => {
        const place = drawnIn.current?.getBoundingClientRect();
        return picture.rows.map((row, at) => {
          const { x, y, width, height } = boxOf(picture, at);
          return { ...row, x: x + (place?.left ?? 0), y: y + (place?.top ?? 0), width, height };
        });
      };
      return () => {
        delete window.leanscopeFrames;
      };
    }, [picture]);

    useLayoutEffect(() => {
      chart.current?.scrollToRoot();
    }, [orientation, flame?.zoom]);

    useLayoutEffect(() => {
      if (flameFocus !== undefined) mark.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }, [flameFocus]);

    function zoomInto(row: FlameRow): void {
      if (row.parent < 0 && row.kind !== 'remainder') return;
      if (row.kind === 'remainder') select(undefined);
      else selectFrame(row);
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
          if (next >= 0) selectFrame(rows[next]);
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
          const box = mark.current?.getBoundingClientRect();
          if (focusedAt >= 0 && box !== undefined)
            setMenu({ row: rows[focusedAt], x: box.left, y: box.bottom });
        }
      }
    }

    function rowUnder({ clientX, clientY }: MouseEvent): FlameRow | undefined {
      const place = drawnIn.current?.getBoundingClientRect();
      return place === undefined
        ? undefined
        : rows.at(rowAt(picture, clientX - place.left, clientY - place.top));
    }

    function onClick(event: MouseEvent<HTMLDivElement>): void {
      const row = rowUnder(event);
      if (row !== undefined) zoomInto(row);
    }

    function onContextMenu(event: MouseEvent<HTMLDivElement>): void {
      const row = rowUnder(event);
      if (row === undefined || row.kind === 'remainder') return;
      event.preventDefault();
      selectFrame(row);
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
            className="flame-canvas"
            role="tree"
            tabIndex={0}
            aria-label="Flame graph: arrow keys move between frames, Enter zooms, Backspace goes back"
            aria-activedescendant={focusedAt < 0 ? undefined : `frame-${flameFocus}`}
            onKeyDown={onKeyDown}
            onClick={onClick}
            onContextMenu={onContextMenu}
            onMouseMove={(event) => {
              const row = rowUnder(event);
              setHovered(row === undefined ? undefined : frameId(row));
            }}
            onMouseLeave={() => setHovered(undefined)}
          >
            <div ref={drawnIn} className="flame-picture" aria-hidden="true" />
            {hoveredAt >= 0 && (
              <div
                className="frame-hover"
                style={placeOf(picture, hoveredAt)}
                title={`${rows[hoveredAt].label}\n${describe(rows[hoveredAt])}`}
                aria-hidden="true"
              />
            )}
            {rows.length > 0 && (
              <FrameMark
                key={flameFocus}
                ref={mark}
                picture={picture}
                at={Math.max(focusedAt, 0)}
                isFocused={focusedAt >= 0}
                details={describe(rows[Math.max(focusedAt, 0)])}
              />
            )}
          </div>
        </div>
        <div className="flame-footer">
          <span className="flame-details" data-testid="flame-details">
            {toldAt >= 0 && (
              <>
                <strong>{rows[toldAt].label}</strong>
                <span className="flame-numbers">{describe(rows[toldAt])}</span>
              </>
            )}
          </span>
          {flame !== undefined && rows.length > 0 && (
            <span className="flame-drawn" data-testid="flame-drawn">
              {drawnText(flame, metric, units)}
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
  },
  drawsSame('flame', OWN),
);

interface FrameMarkProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly picture: FlamePicture;
  readonly at: number;
  /** Else it stands for the root, unseen. */
  readonly isFocused: boolean;
  readonly details: string;
}

/**
 * The focused frame, above the picture: its outline, and what a screen reader has of the picture, whichever painter
 * drew it. A picture of some thousand frames is no text to be read through; keys lead from frame to frame.
 */
function FrameMark({ ref, picture, at, isFocused, details }: FrameMarkProps): ReactNode {
  const row = picture.rows[at];
  const { position, count } = placeAmongSiblings(picture.rows, at);
  return (
    <div
      ref={ref}
      id={`frame-${frameId(row)}`}
      className={isFocused ? 'frame-mark frame-marked' : 'frame-mark'}
      style={placeOf(picture, at)}
      role="treeitem"
      aria-selected={isFocused}
      aria-level={row.depth + 1}
      aria-posinset={position}
      aria-setsize={count}
      aria-label={`${row.label}, ${details}`}
      data-row-id={row.id}
      data-depth={row.depth}
    />
  );
}

function placeOf(picture: FlamePicture, at: number): CSSProperties {
  const { x, y, width, height } = boxOf(picture, at);
  return { left: x, top: y, width, height };
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
    {
      text: 'Show in tree',
      disabled: row.kind === 'all',
      run: thenEnter('tree', () => showIn('tree', selectionOf('flame', row))),
    },
    {
      text: 'Find in flat list',
      disabled: row.kind === 'all' || row.kind === 'thread',
      run: thenEnter('flat', () => showIn('flat', selectionOf('flame', row))),
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
