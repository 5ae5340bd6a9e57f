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
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import {
  EMPTY_FLAME,
  flameCounts,
  flameRow,
  type FlameRow,
  flameRows,
  labelAt,
} from '../../../shared/views/flame-columns.ts';
import {
  copyImage,
  focusPane,
  flameIsDeep,
  measureFlame,
  selectFrame,
  showFlameAs,
  zoomBack,
  zoomForward,
  zoomOut,
  zoomTo,
} from '../../store/actions.ts';
import { addTransform } from '../../store/scope-actions.ts';
import { findFrame, frameId, framesOfMethod, selectedFrame, stepFrame } from '../../store/flame-walk.ts';
import {
  isDark,
  orientationOf,
  shownColourBy,
  shownMetric,
  shownSummary,
  showsPart,
  unitsOf,
} from '../../store/selectors.ts';
import { selectedMethod } from '../../store/selection.ts';
import { useWindow } from '../../store/window-store.ts';
import { isSameZoom } from '../../store/zoom-history.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';
import { EmptyPane } from '../EmptyPane.tsx';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { transformForKey } from '../scope-entries.ts';
import { NO_SUMMARY } from '../table/rows.ts';
import { usePixelRatio } from '../use-pixel-ratio.ts';
import { useWidth } from '../use-width.ts';
import { FrameLegend } from '../legend/FrameLegend.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { CollapseHint } from './CollapseHint.tsx';
import { FlameChart } from './flame-chart.ts';
import { flameKey } from './flame-keys.ts';
import { menuEntries, type MenuTarget, zoomInto } from './flame-menu.ts';
import { rowTowards, zoomBefore, zoomOf } from './flame-zoom.ts';
import { FrameMark, placeOf } from './FrameMark.tsx';
import { Minimap } from './Minimap.tsx';
import { useZoomWheel } from './use-zoom-wheel.ts';
import { boxOf, devicePixels, type FlameBox, pixelLayout, rowAt } from './pixel-layout.ts';
import { drawnText, frameDetails, framesText, groupedText } from './flame-text.ts';
import './flame.css';

declare global {
  interface Window {
    /** For tests: the frames of the flame graph and where they are in the window, whichever painter drew them. */
    leanscopeFrames?: () => (FlameRow & FlameBox)[];
  }
}

const ORIENTATIONS = [
  { value: 'flame', text: 'Flame', hint: 'Root at the bottom (I)' },
  { value: 'icicle', text: 'Icicle', hint: 'Root at the top (I)' },
] as const;

const OWN = ['zoom', 'flameIsDeep'] as const;

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
    const orientation = useWindow((state) => orientationOf(state, log));
    const theme = useWindow((state) => (isDark(state) ? 'dark' : 'light'));
    const colourBy = useWindow(({ preferences }) => shownColourBy(preferences));
    const isOfPart = useWindow(showsPart);
    /** `frameId` of the frame under the pointer. */
    const [hovered, setHovered] = useState<string>();
    const [menu, setMenu] = useState<OpenMenu>();
    const closeMenu = useCallback(() => setMenu(undefined), []);

    const flame = log.panes.flame.shown;
    const flameFocus = selectedFrame(log);
    const layout = flame?.layout ?? EMPTY_FLAME;
    const searching = flame?.searching ?? false;
    const selected = selectedMethod(log);
    const scheme = useMemo(
      (): ColourScheme => ({ theme, colourBy, searching, selected }),
      [theme, colourBy, searching, selected],
    );
    const whole = shownSummary(log.summary ?? NO_SUMMARY);
    const pixels = useMemo(
      () => pixelLayout(layout, { width, pixelRatio }, orientation, flame?.thread),
      [layout, width, pixelRatio, orientation, flame?.thread],
    );
    const counts = useMemo(() => flameCounts(layout), [layout]);
    const focusedAt = findFrame(layout, flameFocus);
    const hoveredAt = findFrame(layout, hovered);
    const describedAt = hoveredAt < 0 ? focusedAt : hoveredAt;
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
      chart.current.draw(pixels, scheme, flame?.zoom);
    }, [pixels, width, scheme, flame?.zoom]);

    useLayoutEffect(() => {
      const paneHeight = (chart.current?.paneHeight ?? Infinity) * pixelRatio;
      // Changes orientation before the first paint; later it would jump.
      if (log.zoom === undefined && flameFocus === undefined && pixels.height > paneHeight) flameIsDeep();
    }, [pixels, log.zoom, flameFocus, pixelRatio]);

    useEffect(() => {
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
    }, [layout, pixels]);

    useLayoutEffect(() => {
      chart.current?.scrollToRoot();
    }, [orientation, flame?.zoom]);

    const isDrawn = focusedAt >= 0;
    // Not when growth draws a frame that was selected before: the graph would jump.
    const scrolledFor = useRef(flameFocus);
    useLayoutEffect(() => {
      if (flameFocus === scrolledFor.current) return;
      scrolledFor.current = flameFocus;
      if (isDrawn) mark.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }, [flameFocus, isDrawn]);

    // A method that was selected elsewhere; growth does not scroll.
    const methodFrames = useMemo(() => framesOfMethod(layout, selected), [layout, selected]);
    const { selection } = log;
    const shownFor = useRef(selection);
    useLayoutEffect(() => {
      const before = shownFor.current;
      shownFor.current = selection;
      const isOther = before?.id !== selection?.id || before?.of !== selection?.of;
      if (isOther && !isDrawn) chart.current?.showOneOf(methodFrames);
    }, [selection, isDrawn, methodFrames]);

    // A match may be found in another zoom, whose layout comes later.
    const { reveal } = log.panes.flame;
    const revealed = useRef(reveal);
    useLayoutEffect(() => {
      if (reveal === undefined || reveal === revealed.current) return;
      const isLeft = !isSameZoom(reveal.zoom, log.zoom);
      const isShown = isDrawn && isSameZoom(reveal.zoom, flame?.zoom);
      if (isShown) mark.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      if (isShown || isLeft) revealed.current = reveal;
    }, [reveal, isDrawn, log.zoom, flame?.zoom]);

    function targetOf(row: number): MenuTarget {
      return { layout, row, zoom: zoomOf(layout, row, flame?.zoom) };
    }

    function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
      if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
        event.preventDefault();
        event.stopPropagation();
        return event.key === 'ArrowLeft' ? zoomBack() : zoomForward();
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const transform = focusedAt < 0 ? undefined : transformForKey(event.key, flameRow(layout, focusedAt));
      if (transform !== undefined) {
        event.preventDefault();
        event.stopPropagation();
        addTransform(transform);
        return;
      }
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
          if (focusedAt >= 0) zoomInto(targetOf(focusedAt));
          break;
        case 'out':
          zoomOut();
          break;
        case 'reset':
          zoomTo(undefined);
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

    /** -1 for none. */
    function rowUnder({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): number {
      const place = drawnIn.current?.getBoundingClientRect();
      return place === undefined ? -1 : rowAt(pixels, clientX - place.left, clientY - place.top);
    }

    useZoomWheel(drawnIn, (event, isIn) => {
      if (isIn) {
        const row = rowUnder(event);
        if (row > 0) zoomInto(targetOf(rowTowards(layout, row)));
      } else if (layout.length > 0) zoomTo(zoomBefore(flame?.path ?? [], layout));
    });

    function onClick(event: MouseEvent<HTMLDivElement>): void {
      const row = rowUnder(event);
      if (row >= 0) zoomInto(targetOf(row));
    }

    function onContextMenu(event: MouseEvent<HTMLDivElement>): void {
      const row = rowUnder(event);
      if (row < 0) return;
      event.preventDefault();
      selectFrame(flameRow(layout, row));
      openMenu(row, event.clientX, event.clientY);
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
          {isOfPart && <span className="flame-note">so far</span>}
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
          <CollapseHint />
          <FrameLegend layout={layout} thread={flame?.thread} scheme={scheme} />
          <SegmentedControl
            label="Orientation"
            choices={ORIENTATIONS}
            value={orientation}
            onChange={showFlameAs}
            testId="flame-orientation"
          />
        </div>
        <div className="flame-body">
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
          <Minimap pixels={pixels} scheme={scheme} scroller={scroller} />
        </div>
        <div className="flame-footer">
          <span className="flame-details" data-testid="flame-details">
            {describedAt >= 0 ? (
              <>
                <strong>{shownLabel(labelAt(layout, describedAt))}</strong>
                <span className="flame-numbers">{describe(describedAt)}</span>
              </>
            ) : (
              selected !== undefined &&
              layout.length > 0 && (
                <>
                  <strong>{shownLabel(selected)}</strong>
                  <span className="flame-numbers">{framesText(methodFrames.length)}</span>
                </>
              )
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
        {layout.length === 0 && <EmptyPane log={log} />}
        {menu !== undefined && (
          <Menu
            label={`Actions for ${shownLabel(labelAt(menu.layout, menu.row))}`}
            entries={menuEntries(menu, copyGraph)}
            at={menu}
            onClose={closeMenu}
          />
        )}
      </section>
    );
  },
  drawsSame('flame', OWN),
);

/** Position of the open menu, CSS pixels, and its row. */
interface OpenMenu extends MenuTarget {
  readonly x: number;
  readonly y: number;
}
