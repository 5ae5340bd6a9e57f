import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  HEATMAP_SCALES,
  type HeatmapColumns,
  type HeatmapScaleName,
} from '../../../shared/engine/views/heatmap-columns.ts';
import { ownBaseline, type TimeRange } from '../../../shared/scope/scope.ts';
import { compareWith } from '../../store/compare-actions.ts';
import { unitsOf } from '../../store/selectors.ts';
import {
  cancelDrag,
  chooseRange,
  type DraggedFor,
  dragRange,
  endRangeDrag,
  measureHeatmap,
  scaleHeatmap,
  scrollHeatmap,
} from '../../store/time-actions.ts';
import type { LogView } from '../../store/window-state.ts';
import { useDragEscape } from '../use-drag-escape.ts';
import { intervalOf, rangeOf } from '../timeline/timeline-geometry.ts';
import { usePixelRatio } from '../use-pixel-ratio.ts';
import { useWidth } from '../use-width.ts';
import type { HeatmapColours } from './heatmap-colours.ts';
import { drawHeatmap, type VisibleHeatmap } from './heatmap-drawing.ts';
import {
  axisLabels,
  blocksOf,
  columnsAround,
  lastSquare,
  LEAST_COLUMN,
  squareAt,
  type SquareSize,
  squareSize,
  timeOfSquares,
} from './heatmap-geometry.ts';
import { heatmapKey } from './heatmap-keys.ts';
import { nextScale } from './heatmap-scales.ts';
import { squareText } from './heatmap-text.ts';

/** CSS pixels below the squares for the times; as in heatmap.css. */
const AXIS_HEIGHT = 16;
const SQUARE_ID = 'heatmap-square';

interface HeatmapSquaresProps {
  readonly log: LogView;
  /** undefined until the first columns are counted. */
  readonly heatmap: HeatmapColumns | undefined;
  readonly colours: HeatmapColours;
  /** The square under the pointer. */
  readonly pointed: number | undefined;
  readonly onPoint: (square: number | undefined) => void;
}

/** The squares, which scroll where not all columns fit. */
export function HeatmapSquares(props: HeatmapSquaresProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const height = useHeight(scroller);
  useEffect(() => {
    if (width > 0) measureHeatmap(Math.max(1, Math.floor(width / LEAST_COLUMN)));
  }, [width]);
  const { heatmap } = props;
  const pixelRatio = usePixelRatio();
  const place = { width, height: height - AXIS_HEIGHT, pixelRatio };
  const square = heatmap && squareSize(place, heatmap.length, HEATMAP_SCALES[heatmap.scale]);
  return (
    <>
      <div
        className="heatmap-rows"
        aria-hidden="true"
        style={square && heightOf(square, heatmap, pixelRatio)}
      >
        <span>{heatmap !== undefined && COLUMN_TEXTS[heatmap.scale]}</span>
        <span>0</span>
      </div>
      <div ref={scroller} className="heatmap-scroller">
        {heatmap !== undefined && square !== undefined && width > 0 && height > AXIS_HEIGHT && (
          <Squares {...props} {...{ heatmap, scroller, width, square, pixelRatio }} />
        )}
      </div>
    </>
  );
}

/** The time of a column, beside its upper end. */
const COLUMN_TEXTS: Readonly<Record<HeatmapScaleName, string>> = {
  fine: '1 s',
  middle: '15 s',
  coarse: '5 min',
};

/** Of all rows. */
function heightOf(
  square: SquareSize,
  { scale }: HeatmapColumns,
  pixelRatio: number,
): { readonly height: number } {
  return { height: (HEATMAP_SCALES[scale].rows * square.height) / pixelRatio };
}

interface SquaresProps extends HeatmapSquaresProps {
  readonly heatmap: HeatmapColumns;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** What is visible, CSS pixels. */
  readonly width: number;
  readonly square: SquareSize;
  readonly pixelRatio: number;
}

/** A range that is dragged or extended. */
interface Drag {
  /** The square in which it begins, and whether the pointer has left it. */
  readonly from: number;
  readonly isMoved: boolean;
  /** With Control, what is dragged is the baseline. */
  readonly draggedFor: DraggedFor;
}

function Squares(props: SquaresProps): ReactNode {
  const { log, heatmap, colours, pointed, onPoint, scroller, width, square, pixelRatio } = props;
  const layer = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<Drag>(undefined);
  const anchor = useRef<number>(undefined);
  const [cursor, setCursor] = useState<number>();
  const [scrollLeft, setScrollLeft] = useState(0);
  const scale = HEATMAP_SCALES[heatmap.scale];
  const columnWidth = square.width / pixelRatio;
  const last = lastSquare(heatmap);
  const first = Math.floor(scrollLeft / columnWidth);
  const shown = Math.ceil(width / columnWidth) + 1;
  const range = intervalOf(log.scope.range, heatmap);
  const baseline = intervalOf(ownBaseline(log.baseline)?.range, heatmap);
  const focused = Math.min(last, cursor ?? Math.floor((range?.from ?? 0) / scale.squareNs));

  useEffect(() => {
    const { from, columns } = columnsAround(first, shown);
    scrollHeatmap(from, columns);
  }, [first, shown]);

  useDragEscape(drag);
  usePaintedSquares(canvas, { heatmap, square, colours, range, scrollLeft, width, pixelRatio });
  useHeatmapScroll({ scroller, heatmap, columnWidth, width, onScroll: setScrollLeft });

  function squareOf({ clientX, clientY }: PointerEvent): number {
    const { left = 0, top = 0 } = layer.current?.getBoundingClientRect() ?? {};
    return squareAt((clientX - left) * pixelRatio, (clientY - top) * pixelRatio, square, heatmap);
  }

  function rangeOfSquares(from: number, to: number): TimeRange {
    return rangeOf(timeOfSquares(from, to, scale), heatmap);
  }

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const at = squareOf(event);
    const from = event.shiftKey ? Math.min(last, anchor.current ?? focused) : at;
    const draggedFor = event.ctrlKey || event.metaKey ? 'baseline' : 'scope';
    drag.current = { from, isMoved: from !== at, draggedFor };
    anchor.current = from;
    setCursor(at);
    if (from !== at) dragRange(rangeOfSquares(from, at), draggedFor);
    layer.current?.setPointerCapture(event.pointerId);
  }

  function onPointerMove(event: PointerEvent): void {
    const at = squareOf(event);
    onPoint(at);
    const { current } = drag;
    if (current === undefined || (!current.isMoved && at === current.from)) return;
    drag.current = { ...current, isMoved: true };
    setCursor(at);
    dragRange(rangeOfSquares(current.from, at), current.draggedFor);
    showColumn(scroller.current, Math.floor(at / scale.rows), columnWidth);
  }

  function onPointerUp(): void {
    const { current } = drag;
    drag.current = undefined;
    if (current === undefined) return;
    const { from, isMoved, draggedFor } = current;
    if (isMoved) endRangeDrag();
    else if (draggedFor === 'scope') chooseRange(rangeOfSquares(from, from));
    else compareWith({ range: rangeOfSquares(from, from) });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = heatmapKey(event.key, focused, scale.rows, last);
    if (action === undefined) return;
    switch (action.type) {
      case 'clear':
        // Otherwise the key is the window's.
        if (range === undefined) return;
        chooseRange(undefined);
        break;
      case 'select':
        anchor.current = focused;
        chooseRange(rangeOfSquares(focused, focused));
        break;
      case 'scale': {
        const wanted = nextScale(heatmap.last, heatmap.scale, action.step);
        if (wanted !== undefined) scaleHeatmap(wanted);
        break;
      }
      case 'move':
        if (event.shiftKey)
          chooseRange(rangeOfSquares(Math.min(last, (anchor.current ??= focused)), action.to));
        else anchor.current = undefined;
        setCursor(action.to);
        showColumn(scroller.current, Math.floor(action.to / scale.rows), columnWidth);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const placeOf = (at: number): { left: number; top: number; width: number; height: number } => ({
    left: Math.floor(at / scale.rows) * columnWidth,
    top: ((scale.rows - 1 - (at % scale.rows)) * square.height) / pixelRatio,
    width: columnWidth,
    height: square.height / pixelRatio,
  });
  return (
    <div
      ref={layer}
      className="heatmap-squares"
      style={{ width: heatmap.length * columnWidth, ...heightOf(square, heatmap, pixelRatio) }}
      role="grid"
      tabIndex={0}
      aria-label="Samples by time: arrow keys move, Shift and arrow keys select a range, Enter selects a square, Escape clears the range"
      aria-rowcount={scale.rows}
      aria-colcount={heatmap.length}
      aria-activedescendant={SQUARE_ID}
      data-testid="heatmap-squares"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        drag.current = undefined;
        cancelDrag();
      }}
      onPointerLeave={() => onPoint(undefined)}
      onKeyDown={onKeyDown}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {baseline !== undefined &&
        blocksOf(baseline, heatmap).map(({ column, columns, row, rows }) => (
          <div
            key={column}
            className="heatmap-baseline"
            data-testid="heatmap-baseline"
            aria-hidden="true"
            style={{
              left: column * columnWidth,
              top: ((scale.rows - row - rows) * square.height) / pixelRatio,
              width: columns * columnWidth,
              height: (rows * square.height) / pixelRatio,
            }}
          />
        ))}
      <div role="row" aria-rowindex={(focused % scale.rows) + 1}>
        <div
          id={SQUARE_ID}
          className="heatmap-mark"
          role="gridcell"
          aria-colindex={Math.floor(focused / scale.rows) + 1}
          aria-selected={range !== undefined}
          aria-label={squareText(heatmap, focused, unitsOf(log))}
          style={placeOf(focused)}
        />
      </div>
      {pointed !== undefined && pointed <= last && (
        <div className="heatmap-hover" style={placeOf(pointed)} aria-hidden="true" />
      )}
      <div className="heatmap-axis" aria-hidden="true">
        {axisLabels(scale, first, Math.min(heatmap.length, first + shown), columnWidth).map(
          ({ column, text }) => (
            <span key={column} style={{ left: column * columnWidth }}>
              {text}
            </span>
          ),
        )}
      </div>
    </div>
  );
}

/** Draws the visible columns. */
function usePaintedSquares(canvas: RefObject<HTMLCanvasElement | null>, visible: VisibleHeatmap): void {
  const { heatmap, square, colours, range, scrollLeft, width, pixelRatio } = visible;
  const { width: squareWidth, height: squareHeight } = square;
  const [from, to] = [range?.from, range?.to];
  useLayoutEffect(() => {
    if (canvas.current === null) return;
    const shown = from === undefined || to === undefined ? undefined : { from, to };
    const size = { width: squareWidth, height: squareHeight };
    drawHeatmap(canvas.current, {
      ...{ heatmap, square: size, colours, range: shown, scrollLeft, width, pixelRatio },
    });
  }, [canvas, heatmap, squareWidth, squareHeight, colours, from, to, scrollLeft, width, pixelRatio]);
}

interface Scrolling {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly heatmap: HeatmapColumns;
  /** CSS pixels. */
  readonly columnWidth: number;
  readonly width: number;
  readonly onScroll: (left: number) => void;
}

/**
 * Keeps what is looked at on screen: another scale shows the same time in the middle, and while the newest column is
 * visible, newer ones are, too.
 */
function useHeatmapScroll({ scroller, heatmap, columnWidth, width, onScroll }: Scrolling): void {
  const { scale, length } = heatmap;
  const before = useRef({ scale, length, columnWidth });
  useLayoutEffect(() => {
    const element = scroller.current;
    const was = before.current;
    before.current = { scale, length, columnWidth };
    if (element === null) return;
    if (was.scale !== scale || was.columnWidth !== columnWidth) {
      const middle = (element.scrollLeft + width / 2) / was.columnWidth;
      const time = middle * HEATMAP_SCALES[was.scale].squareNs * HEATMAP_SCALES[was.scale].rows;
      const column = time / (HEATMAP_SCALES[scale].squareNs * HEATMAP_SCALES[scale].rows);
      element.scrollTo({ left: column * columnWidth - width / 2 });
    } else if (was.length < length && element.scrollLeft + width >= (was.length - 1) * columnWidth) {
      element.scrollTo({ left: length * columnWidth });
    }
    onScroll(element.scrollLeft);
  }, [scroller, scale, length, columnWidth, width, onScroll]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScrolled = (): void => onScroll(element.scrollLeft);
    /** There is nothing to scroll to above and below. */
    const onWheel = (event: WheelEvent): void => {
      if (event.deltaX !== 0 || event.ctrlKey || element.scrollWidth <= element.clientWidth) return;
      event.preventDefault();
      element.scrollBy({ left: event.deltaY });
    };
    element.addEventListener('scroll', onScrolled, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      element.removeEventListener('scroll', onScrolled);
      element.removeEventListener('wheel', onWheel);
    };
  }, [scroller, onScroll]);
}

/** Scrolls as little as shows a column. */
function showColumn(scroller: HTMLElement | null, column: number, columnWidth: number): void {
  if (scroller === null) return;
  const left = column * columnWidth;
  if (left < scroller.scrollLeft) scroller.scrollLeft = left;
  else if (left + columnWidth > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = left + columnWidth - scroller.clientWidth;
}

/** Inner height of an element, CSS pixels; 0 until it is laid out. */
function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return;
    const observer = new ResizeObserver(() => setHeight(watched.clientHeight));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return height;
}
