import { comparedSides } from '../../store/state/compared-names.ts';
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
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
  flameCounts,
  flameRow,
  type FlameRow,
  flameRows,
  framesOfMethod,
  isBlock,
  kindAt,
  labelAt,
} from '../../../shared/engine/views/flame-columns.ts';
import { focusPane, selectRow, zoomOut, zoomTo, showNotice } from '../../store/actions/actions.ts';
import { backToDetail } from '../../store/actions/detail-actions.ts';
import { toggleLines } from '../../store/actions/scope-actions.ts';
import {
  findFrame,
  matchingFrames,
  mostChangedFrames,
  frameId,
  selectedFrame,
  stepFrame,
  flameKey,
  rowTowards,
  zoomBefore,
  zoomOfRow,
} from './flame-walk.ts';
import { activeLog, detailOf, noStackNote, shownMetric, unitsOf } from '../../store/state/selectors.ts';
import { type FlamePaneId, isHalf, PANES } from '../../store/panes/panes.ts';
import { isSameZoom } from '../../../shared/engine/query.ts';
import { selectedMethod } from '../../store/state/selection.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { zoomOf } from '../../store/state/scope-history.ts';
import { Menu } from '../../widgets/Menu.tsx';
import type { PointerPlace } from '../../widgets/Tooltip.tsx';
import { FrameTip } from './FrameTip.tsx';
import { EmptyPane } from '../EmptyPane.tsx';
import { drawsSame } from '../../store/state/quiet-log.ts';
import { NO_SUMMARY } from '../table/rows.ts';
import { FlameHeader, HalfZoomBar } from './FlameHeader.tsx';
import { copyFrame, menuEntries, type MenuTarget, openFrame, zoomInto } from './flame-menu.ts';
import { Minimap } from './Minimap.tsx';
import { useZoomWheel } from './use-zoom-wheel.ts';
import { boxOf, type FlameBox } from '../../../shared/draw/pixel-layout.ts';
import {
  comparedDetails,
  drawnText,
  frameDetails,
  frameWhole,
  framesText,
  howToRead,
  notDrawnText,
  groupedText,
  shareOfParent,
} from './flame-text.ts';
import './flame.css';
import { useScheme, useGraph, GraphFrames } from './Graph.tsx';
import { useCompared } from '../table/use-table.ts';
import { paneAction } from '../pane-keys.ts';
import { formatQuantity } from '../../../shared/text/format-value.ts';

declare global {
  interface Window {
    /** For tests: the frames of the flame graph and where they are in the window, whichever painter drew them. */
    leanscopeFrames?: () => (FlameRow & FlameBox)[];
  }
}

interface FlamePaneProps {
  readonly pane: FlamePaneId;
  readonly log: LogView;
}

/**
 * A flame graph. The profile worker lays it out; a zoom is another layout. Callers are above their method, callees below it,
 * and each of the two has a zoom of its own.
 */
export const FlamePane = memo(
  function FlamePane({ pane, log }: FlamePaneProps): ReactNode {
    const isWhole = !isHalf(pane);
    const zoom = zoomOf(log, pane);
    const units = unitsOf(log);
    const metric = useWindow((state) => shownMetric(log, state.preferences));
    const chosen = useWindow(({ preferences }) => preferences.orientation);
    const halves = pane === 'callersFlame' ? 'flame' : 'icicle';
    const orientation = isWhole ? chosen : halves;
    const about = isWhole ? undefined : detailOf(log)?.label;
    /** `frameId` of the frame under the pointer. */
    const [hovered, setHovered] = useState<string>();
    const [pointer, setPointer] = useState<PointerPlace>();
    const [menu, setMenu] = useState<OpenMenu>();
    const closeMenu = useCallback(() => setMenu(undefined), []);
    const clicked = useRef<ClickedFrame>(undefined);

    const flame = log.panes[pane].shown;
    const flameFocus = selectedFrame(log, pane);
    const layout = flame?.layout ?? EMPTY_FLAME;
    const selected = selectedMethod(log);
    const searched = flame?.searched ?? '';
    const scheme = useScheme(searched !== '', selected);
    const graph = useGraph({ layout, orientation, scheme, thread: flame?.thread, zoom: flame?.zoom });
    const { scroller, drawnIn, mark, chart, pixels, rowUnder } = graph;
    const summary = log.summary ?? NO_SUMMARY;
    const counts = useMemo(() => flameCounts(layout), [layout]);
    const focusedAt = findFrame(layout, flameFocus);
    const hoveredAt = findFrame(layout, hovered);
    const describedAt = hoveredAt < 0 ? focusedAt : hoveredAt;
    const compared = useCompared(log, metric);
    const sides = useWindow(comparedSides);
    const describe = (row: number, of = layout): string => {
      const numbers =
        compared === undefined || of.difference === undefined || isBlock(of, row)
          ? frameDetails(flameRow(of, row), flameRow(of, 0), frameWhole(summary), metric, units)
          : comparedDetails(of, row, compared, units, sides);
      return kindAt(of, row) === 'error' ? `${numbers}. ${noStackNote(log)}` : numbers;
    };

    useEffect(() => {
      if (!isWhole) return;
      window.leanscopeFrames = () => {
        const place = drawnIn.current?.getBoundingClientRect();
        return flameRows(layout).map((row, at) => {
          const { x, y, width, height } = boxOf(pixels, at);
          return { ...row, x: x + (place?.left ?? 0), y: y + (place?.top ?? 0), width, height };
        });
      };
      return () => {
        delete window.leanscopeFrames;
      };
    }, [isWhole, layout, pixels, drawnIn]);

    useLayoutEffect(() => {
      chart.current?.scrollToRoot();
    }, [orientation, flame?.zoom, about, chart]);

    const isDrawn = focusedAt >= 0;
    // The selected frame stays in sight when a zoom ends. Not when growth draws a frame that was selected before: the graph
    // would jump.
    const scrolledFor = useRef({ frame: flameFocus, zoom: flame?.zoom });
    useLayoutEffect(() => {
      const { current: before } = scrolledFor;
      if (flameFocus === before.frame && flame?.zoom === before.zoom) return;
      scrolledFor.current = { frame: flameFocus, zoom: flame?.zoom };
      if (isDrawn) mark.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }, [flameFocus, flame?.zoom, isDrawn, mark]);

    // A method that was selected elsewhere; growth does not scroll.
    const methodFrames = useMemo(() => framesOfMethod(layout, selected), [layout, selected]);
    const { selection } = log;
    const shownFor = useRef(selection);
    useLayoutEffect(() => {
      const before = shownFor.current;
      shownFor.current = selection;
      const isOther = before?.id !== selection?.id || before?.of !== selection?.of;
      if (isOther && !isDrawn) chart.current?.showOneOf(methodFrames);
    }, [selection, isDrawn, methodFrames, chart]);

    // A match comes into sight when another text is searched for; growth does not scroll.
    const scrolledForSearch = useRef(searched);
    useLayoutEffect(() => {
      if (searched === scrolledForSearch.current) return;
      scrolledForSearch.current = searched;
      if (searched !== '') chart.current?.showOneOf(matchingFrames(layout));
    }, [searched, layout, chart]);

    // A comparison begins at its largest change, unless the graph is scrolled or something is selected.
    const { baseline } = log;
    const begun = useRef<Comparison>({});
    useLayoutEffect(() => {
      const { current } = begun;
      // The layout of what was compared before is still there.
      if (current.baseline !== baseline) begun.current = { baseline, before: layout };
      if (current.baseline !== baseline || current.isDone === true || current.before === layout) return;
      if (layout.difference?.hasBoth !== true) return;
      const changed = mostChangedFrames(layout);
      if (changed.length === 0 && log.status?.state === 'reading') return;
      current.isDone = true;
      if (selection === undefined && chart.current?.isAtRoot === true) chart.current.showOneOf(changed);
    }, [baseline, layout, selection, chart, log.status?.state]);

    // A match may be found in another zoom, whose layout comes later.
    const { reveal } = log.panes[pane];
    const revealed = useRef(reveal);
    useLayoutEffect(() => {
      if (reveal === undefined || reveal === revealed.current) return;
      const isLeft = !isSameZoom(reveal.zoom, zoom);
      const isShown = isDrawn && isSameZoom(reveal.zoom, flame?.zoom);
      if (isShown) mark.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      if (isShown || isLeft) revealed.current = reveal;
    }, [reveal, isDrawn, zoom, flame?.zoom, mark]);

    function targetOf(row: number): MenuTarget {
      return { pane, layout, row, zoom: zoomOfRow(layout, row, flame?.zoom) };
    }

    function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
      const row = focusedAt < 0 ? undefined : flameRow(layout, focusedAt);
      const copy = row && ((): void => copyFrame(layout, focusedAt, describe(focusedAt)));
      const action = paneAction(event, row, copy, (key) =>
        key === 'F10' && event.shiftKey ? { type: 'menu' as const } : flameKey(key, orientation),
      );
      switch (action?.type) {
        case 'step': {
          const next = stepFrame(layout, focusedAt, action.step);
          setHovered(undefined);
          if (next >= 0) selectRow(pane, flameRow(layout, next));
          break;
        }
        case 'open':
          if (focusedAt >= 0) openFrame(targetOf(focusedAt));
          break;
        case 'zoom':
          if (focusedAt >= 0) zoomInto(targetOf(focusedAt));
          break;
        case 'lines':
          if (row?.kind === 'frame') toggleLines(row.label);
          break;
        case 'out':
          if (isWhole || zoom !== undefined) zoomOut(pane);
          else backToDetail();
          break;
        case 'menu': {
          const box = mark.current?.getBoundingClientRect();
          if (focusedAt >= 0 && box !== undefined) openMenu(focusedAt, box.left, box.bottom);
        }
      }
    }

    function copyGraph(): void {
      const image = chart.current?.image();
      if (image !== undefined) void copyImage(image.png, image.levelsLeftOut);
    }

    function openMenu(row: number, x: number, y: number): void {
      setMenu({ ...targetOf(row), x, y });
    }

    useZoomWheel(drawnIn, (event, isIn) => {
      if (isIn) {
        const row = rowUnder(event);
        if (row > 0) zoomInto(targetOf(rowTowards(layout, row)));
      } else if (layout.length > 0) zoomTo(zoomBefore(flame?.path ?? [], layout), pane);
    });

    function onClick(event: MouseEvent<HTMLDivElement>): void {
      // The second click of a double click may be on another frame, of the zoom.
      if (event.detail > 1) return;
      const row = rowUnder(event);
      const before = activeLog(useWindow.getState());
      clicked.current = row < 0 || before === undefined ? undefined : { ...targetOf(row), before };
      if (row < 0) return;
      // The method itself is everything that its callers and callees show.
      if (row === 0 && !isWhole) selectRow(pane, flameRow(layout, row));
      else zoomInto(targetOf(row));
    }

    function onDoubleClick(): void {
      if (clicked.current !== undefined) openFrame(clicked.current, clicked.current.before);
    }

    function onContextMenu(event: MouseEvent<HTMLDivElement>): void {
      const row = rowUnder(event);
      if (row < 0) return;
      event.preventDefault();
      selectRow(pane, flameRow(layout, row));
      openMenu(row, event.clientX, event.clientY);
    }

    return (
      <section
        className={isWhole ? 'pane flame-pane' : 'pane flame-pane flame-half'}
        aria-label={PANES[pane].title}
        data-pane={pane}
        data-testid={`pane-${pane}`}
        onFocus={() => focusPane(pane)}
      >
        {pane !== 'calleesFlame' && (
          <FlameHeader pane={pane} log={log} layout={layout} scheme={scheme} orientation={orientation} />
        )}
        {isHalf(pane) && flame?.zoom !== undefined && <HalfZoomBar pane={pane} flame={flame} />}
        <GraphFrames
          graph={graph}
          label={`${PANES[pane].title}: arrow keys move between frames, Enter opens callers and callees, Space zooms, Backspace goes back`}
          hovered={hoveredAt}
          focused={focusedAt}
          markId={`${pane}-frame-${flameFocus}`}
          describe={describe}
          container={{
            onKeyDown,
            onClick,
            onDoubleClick,
            onContextMenu,
            onMouseMove: (event) => {
              const row = rowUnder(event);
              setHovered(row < 0 ? undefined : frameId(layout, row));
              setPointer({ clientX: event.clientX, clientY: event.clientY });
            },
            onMouseLeave: () => setHovered(undefined),
          }}
        >
          <Minimap pixels={pixels} scheme={scheme} scroller={scroller} />
        </GraphFrames>
        {hoveredAt >= 0 && pointer !== undefined && menu === undefined && (
          <FrameTip
            at={pointer}
            pane={pane}
            log={log.key}
            row={flameRow(layout, hoveredAt)}
            lines={[describe(hoveredAt), ...shareOfParent(layout, hoveredAt, metric, units)]}
          />
        )}
        <div className="flame-footer">
          <span className="flame-details" data-testid="flame-details">
            {describedAt >= 0 ? (
              <>
                <strong>{shownLabel(labelAt(layout, describedAt))}</strong>
                <span className="flame-numbers">{describe(describedAt)}</span>
              </>
            ) : (
              layout.length > 0 &&
              (selected === undefined ? (
                isWhole && <span className="flame-numbers">{howToRead(pane, orientation, metric)}</span>
              ) : (
                <>
                  <strong>{shownLabel(selected)}</strong>
                  <span className="flame-numbers">
                    {methodFrames.length === 0
                      ? notDrawnText(selected, log.scope)
                      : framesText(layout, methodFrames, metric, units)}
                  </span>
                </>
              ))
            )}
          </span>
          {layout.length > 0 && (
            <span
              className="flame-drawn"
              data-testid="flame-drawn"
              data-tip={groupedText(counts, metric, units)}
            >
              {drawnText(counts)}
            </span>
          )}
        </div>
        {layout.length === 0 && isWhole && <EmptyPane log={log} isZoomed={flame?.zoom !== undefined} />}
        {menu !== undefined && (
          <Menu
            label={`Actions for ${shownLabel(labelAt(menu.layout, menu.row))}`}
            // `copyGraph` reads the element when it is chosen, not while this renders.
            // oxlint-disable-next-line react/refs
            entries={menuEntries(menu, describe(menu.row, menu.layout), copyGraph)}
            at={menu}
            onClose={closeMenu}
          />
        )}
      </section>
    );
  },
  (before, after) => before.pane === after.pane && drawsSame(after.pane)(before, after),
);

/** The beginning of a comparison, which scrolls the graph once. */
interface Comparison {
  baseline?: LogView['baseline'];
  /** The layout at its start. */
  before?: FlameLayout;
  /** It has begun, at its largest change. */
  isDone?: true;
}

/** The frame under the first click of a double click. */
interface ClickedFrame extends MenuTarget {
  /** The log before it. */
  readonly before: LogView;
}

/** Position of the open menu, CSS pixels, and its row. */
interface OpenMenu extends MenuTarget {
  readonly x: number;
  readonly y: number;
}

/** `levelsLeftOut`: of an image that would be too high. */
async function copyImage(png: Promise<Blob>, levelsLeftOut: number): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
  } catch {
    showNotice('problem', 'The image could not be copied. Export the flame graph as SVG instead.');
    return;
  }
  showNotice(
    'info',
    levelsLeftOut === 0
      ? 'The flame graph was copied as an image.'
      : `The flame graph was copied without its last ${formatQuantity(levelsLeftOut, 'level')}. An SVG has all.`,
  );
}
