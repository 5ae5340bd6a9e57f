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
import { shownLabel } from '../../../shared/text/format-frame.ts';
import {
  EMPTY_FLAME,
  type FlameLayout,
  flameRow,
  type FlameRow,
  isBlock,
  kindAt,
  labelAt,
  levelOf,
} from '../../../shared/views/flame-columns.ts';
import type { FlameZoom } from '../../profile-worker/pane-messages.ts';
import {
  copyText,
  focusPane,
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
import { FrameLegend } from '../legend/FrameLegend.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { FlameChart } from './flame-chart.ts';
import { flameKey } from './flame-keys.ts';
import { boxOf, devicePixels, type FlameBox, pixelLayout, type PixelLayout, rowAt } from './pixel-layout.ts';
import { drawnText, frameDetails, placeAmongSiblings } from './flame-text.ts';
import './flame.css';

declare global {
  interface Window {
    /** For tests: the frames of the flame graph and where they are in the window, whichever painter drew them. */
    leanscopeFrames?: () => (FlameRow & FlameBox)[];
  }
}

const OWN = ['zoom'] as const;

/** The flame graph. The profile worker lays it out; a zoom is another layout. */
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
    const colourBy = useWindow((state) => state.preferences.colourBy);
    /** `frameId` of the frame under the pointer. */
    const [hovered, setHovered] = useState<string>();
    const [menu, setMenu] = useState<{ readonly row: number; readonly x: number; readonly y: number }>();
    const closeMenu = useCallback(() => setMenu(undefined), []);

    const flame = log.panes.flame.shown;
    const flameFocus = selectedFrame(log);
    const layout = flame?.layout ?? EMPTY_FLAME;
    const searching = flame?.searching ?? false;
    const whole = shownSummary(log.summary ?? NO_SUMMARY);
    const pixels = useMemo(
      () => pixelLayout(layout, { width, pixelRatio }, orientation, flame?.thread),
      [layout, width, pixelRatio, orientation, flame?.thread],
    );
    const focusedAt = findFrame(layout, flameFocus);
    const hoveredAt = findFrame(layout, hovered);
    const toldAt = hoveredAt < 0 ? focusedAt : hoveredAt;
    const describe = (row: number): string =>
      frameDetails(flameRow(layout, row), flameRow(layout, 0), whole, metric, units);

    useEffect(() => {
      const wanted = devicePixels({ width, pixelRatio });
      if (wanted > 0) measureFlame(wanted);
    }, [width, pixelRatio]);

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
      chart.current ??= new FlameChart(drawnIn.current, container);
      chart.current.draw(pixels, { theme, colourBy, searching });
    }, [pixels, width, theme, colourBy, searching]);

    useEffect(() => {
      window.leanscopeFrames = () => {
        const place = drawnIn.current?.getBoundingClientRect();
        return Array.from({ length: layout.length }, (_, row) => {
          const { x, y, width, height } = boxOf(pixels, row);
          const at = { x: x + (place?.left ?? 0), y: y + (place?.top ?? 0), width, height };
          return { ...flameRow(layout, row), ...at };
        });
      };
      return () => {
        delete window.leanscopeFrames;
      };
    }, [layout, pixels]);

    useLayoutEffect(() => {
      chart.current?.scrollToRoot();
    }, [orientation, flame?.zoom]);

    useLayoutEffect(() => {
      if (flameFocus !== undefined) mark.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }, [flameFocus]);

    function zoomInto(row: number): void {
      if (row === 0) return;
      if (isBlock(layout, row)) select(undefined);
      else selectFrame(flameRow(layout, row));
      zoomTo(zoomOf(layout, row, flame?.zoom));
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
          const next = stepFrame(layout, focusedAt, action.step);
          setHovered(undefined);
          if (next >= 0) selectFrame(flameRow(layout, next));
          break;
        }
        case 'zoom':
          if (focusedAt >= 0) zoomInto(focusedAt);
          break;
        case 'out':
          zoomOut();
          break;
        case 'reset':
          zoomTo(undefined);
          break;
        case 'menu': {
          const box = mark.current?.getBoundingClientRect();
          if (focusedAt >= 0 && box !== undefined) setMenu({ row: focusedAt, x: box.left, y: box.bottom });
        }
      }
    }

    /** -1 for none. */
    function rowUnder({ clientX, clientY }: MouseEvent): number {
      const place = drawnIn.current?.getBoundingClientRect();
      return place === undefined ? -1 : rowAt(pixels, clientX - place.left, clientY - place.top);
    }

    function onClick(event: MouseEvent<HTMLDivElement>): void {
      const row = rowUnder(event);
      if (row >= 0) zoomInto(row);
    }

    function onContextMenu(event: MouseEvent<HTMLDivElement>): void {
      const row = rowUnder(event);
      if (row < 0) return;
      event.preventDefault();
      selectFrame(flameRow(layout, row));
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
          <FrameLegend searching={searching} />
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
              setHovered(row < 0 ? undefined : frameId(layout, row));
            }}
            onMouseLeave={() => setHovered(undefined)}
          >
            <div ref={drawnIn} className="flame-graph" aria-hidden="true" />
            {hoveredAt >= 0 && (
              <div
                className="frame-hover"
                style={placeOf(pixels, hoveredAt)}
                title={`${shownLabel(labelAt(layout, hoveredAt))}\n${describe(hoveredAt)}`}
                aria-hidden="true"
              />
            )}
            {layout.length > 0 && (
              <FrameMark
                key={flameFocus}
                ref={mark}
                pixels={pixels}
                at={Math.max(focusedAt, 0)}
                isFocused={focusedAt >= 0}
                details={describe(Math.max(focusedAt, 0))}
              />
            )}
          </div>
        </div>
        <div className="flame-footer">
          <span className="flame-details" data-testid="flame-details">
            {toldAt >= 0 && (
              <>
                <strong>{shownLabel(labelAt(layout, toldAt))}</strong>
                <span className="flame-numbers">{describe(toldAt)}</span>
              </>
            )}
          </span>
          {layout.length > 0 && (
            <span className="flame-drawn" data-testid="flame-drawn">
              {drawnText(layout, metric, units)}
            </span>
          )}
        </div>
        {layout.length === 0 && <EmptyPane log={log} />}
        {menu !== undefined && (
          <Menu
            label={`Actions for ${shownLabel(labelAt(layout, menu.row))}`}
            entries={menuEntries(layout, menu.row, zoomInto)}
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
  readonly pixels: PixelLayout;
  readonly at: number;
  /** Else it stands for the root, unseen. */
  readonly isFocused: boolean;
  readonly details: string;
}

/**
 * The outline of the focused frame, and the one item of the tree that a screen reader has: keys move from frame to frame,
 * because nobody reads through thousands of them.
 */
function FrameMark({ ref, pixels, at, isFocused, details }: FrameMarkProps): ReactNode {
  const { layout } = pixels;
  const { position, count } = placeAmongSiblings(layout, at);
  return (
    <div
      ref={ref}
      id={`frame-${frameId(layout, at)}`}
      className={isFocused ? 'frame-mark frame-marked' : 'frame-mark'}
      style={placeOf(pixels, at)}
      role="treeitem"
      aria-selected={isFocused}
      aria-level={levelOf(layout, at) + 1}
      aria-posinset={position}
      aria-setsize={count}
      aria-label={`${shownLabel(labelAt(layout, at))}, ${details}`}
      data-row-id={layout.id[at]}
      data-depth={levelOf(layout, at)}
    />
  );
}

function placeOf(pixels: PixelLayout, at: number): CSSProperties {
  const { x, y, width, height } = boxOf(pixels, at);
  return { left: x, top: y, width, height };
}

/** What a row zooms to. The root of a layout that shows `shown` is the parent of the rows in its first level. */
function zoomOf(layout: FlameLayout, row: number, shown: FlameZoom | undefined): FlameZoom | undefined {
  if (kindAt(layout, row) === 'all') return undefined;
  if (!isBlock(layout, row)) return { row: layout.id[row], run: undefined };
  const parent = layout.parent[row];
  const isOfRun = parent === 0 && isBlock(layout, 0);
  return {
    row: isOfRun && shown !== undefined ? shown.row : layout.id[parent],
    run: { first: layout.id[row], last: layout.lastId[row] },
  };
}

function menuEntries(
  layout: FlameLayout,
  row: number,
  zoomInto: (row: number) => void,
): readonly MenuEntry[] {
  const kind = kindAt(layout, row);
  const label = labelAt(layout, row);
  const isFrame = kind === 'frame' || kind === 'error';
  return [
    { text: 'Zoom in', hint: 'Enter', disabled: row === 0, run: () => zoomInto(row) },
    { text: 'Zoom out', hint: 'Backspace', run: zoomOut },
    'separator',
    {
      text: 'Show in tree',
      disabled: !isFrame && kind !== 'thread',
      run: thenEnter('tree', () => showIn('tree', selectionOf('flame', flameRow(layout, row)))),
    },
    {
      text: 'Find in methods',
      disabled: !isFrame,
      run: thenEnter('flat', () => showIn('flat', selectionOf('flame', flameRow(layout, row)))),
    },
    'separator',
    { text: 'Copy name', run: () => void copyText(shownLabel(label)) },
    { text: 'Copy stack', run: () => void copyText(stackText(layout, row)) },
  ];
}

/** The frame and its callers as far as they are shown, one a line, the frame first: as Java prints stacks. */
function stackText(layout: FlameLayout, row: number): string {
  const lines: string[] = [];
  for (let at = row; at >= 0; at = layout.parent[at])
    if (kindAt(layout, at) !== 'all') lines.push(shownLabel(labelAt(layout, at)));
  return lines.join('\n');
}
