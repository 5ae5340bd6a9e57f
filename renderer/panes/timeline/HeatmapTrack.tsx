import { type KeyboardEvent, type PointerEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import type { HeatmapColumns } from '../../../shared/engine/views/heatmap-columns.ts';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import { formatCount, formatQuantity } from '../../../shared/text/format-value.ts';
import { compareWith } from '../../store/actions/compare-actions.ts';
import { isDark, unitsOf } from '../../store/state/selectors.ts';
import {
  cancelDrag,
  chooseRange,
  type DraggedFor,
  dragRange,
  endRangeDrag,
  zoomTimeline,
} from '../../store/actions/time-actions.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { type PointerPlace, PointerTip } from '../../widgets/Tooltip.tsx';
import { type DrawingSize, useDrawing } from '../use-drawing.ts';
import { useDragEscape } from '../use-drag-escape.ts';
import { useDayTime } from './AxisLabels.tsx';
import { drawHeatmap, HEATMAP_COLOURS } from './heatmap-drawing.ts';
import { squareAfterKey } from './timeline-keys.ts';
import { useTimeWheel, wheelOnAxis } from './use-time-wheel.ts';
import { intervalOf, rangeOf, scrolledTo, timeAt, timeText } from './timeline-geometry.ts';
import { take } from '../../widgets/key-name.ts';

/** Height of the squares of a column, and the least of one, CSS pixels. */
const HEIGHT = 100;
const LEAST_SQUARE = 2;
const SQUARE_ID = 'heatmap-square';

interface HeatmapTrackProps {
  readonly log: LogView;
  readonly heatmap: HeatmapColumns;
  readonly columns: TimelineColumns;
  /** CSS pixels. */
  readonly width: number;
}

/** A range that is dragged or extended from a square, and whether the pointer has left it. */
interface Drag {
  readonly from: number;
  readonly isMoved: boolean;
  /** With Control, what is dragged is the baseline. */
  readonly draggedFor: DraggedFor;
}

/** The samples in squares of time on the axis of the timeline: the finer the zoom, the shorter is the time of a square. */
export function HeatmapTrack({ log, heatmap, columns, width }: HeatmapTrackProps): ReactNode {
  const layer = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>(undefined);
  const anchor = useRef<number>(undefined);
  const [cursor, setCursor] = useState<number>();
  const [pointed, setPointed] = useState<{ readonly square: number; readonly at: PointerPlace }>();
  const { rows, squareNs, last } = heatmap;
  const { shown } = columns;
  const squareHeight = Math.max(LEAST_SQUARE, HEIGHT / rows);
  const height = rows * squareHeight;
  const lastSquare = Math.floor(last / squareNs);
  const range = intervalOf(log.scope.range, heatmap);
  const focused = Math.min(lastSquare, cursor ?? Math.floor((range ?? shown).from / squareNs));
  const xOf = (time: number): number => ((time - shown.from) / (shown.to - shown.from)) * width;

  const dayTime = useDayTime(heatmap.first);
  useTimeWheel(layer, wheelOnAxis(columns));
  useDragEscape(drag);
  const [from, to] = [range?.from, range?.to];
  const draw = useCallback(
    (context: CanvasRenderingContext2D, size: DrawingSize) =>
      drawHeatmap(
        context,
        size,
        heatmap,
        columns,
        from === undefined || to === undefined ? undefined : { from, to },
      ),
    [heatmap, columns, from, to],
  );
  const canvas = useDrawing(width, height, draw);

  function squareAt({ clientX, clientY }: PointerEvent): number {
    const box = layer.current?.getBoundingClientRect();
    const column = Math.floor(timeAt(columns, clientX - (box?.left ?? 0), width) / (rows * squareNs));
    const row = rows - 1 - Math.floor((clientY - (box?.top ?? 0)) / squareHeight);
    const square = Math.max(0, column) * rows + Math.max(0, Math.min(rows - 1, row));
    return Math.min(lastSquare, square);
  }

  const rangeOfSquares = (a: number, b: number): ReturnType<typeof rangeOf> =>
    rangeOf({ from: Math.min(a, b) * squareNs, to: (Math.max(a, b) + 1) * squareNs }, heatmap);

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const at = squareAt(event);
    const begin = event.shiftKey ? Math.min(lastSquare, anchor.current ?? focused) : at;
    const draggedFor = event.ctrlKey || event.metaKey ? 'baseline' : 'scope';
    drag.current = { from: begin, isMoved: begin !== at, draggedFor };
    anchor.current = begin;
    setCursor(at);
    if (begin !== at) dragRange(rangeOfSquares(begin, at), draggedFor);
    layer.current?.setPointerCapture(event.pointerId);
  }

  function onPointerMove(event: PointerEvent): void {
    const at = squareAt(event);
    setPointed({ square: at, at: event });
    const { current } = drag;
    if (current === undefined || (!current.isMoved && at === current.from)) return;
    drag.current = { ...current, isMoved: true };
    setCursor(at);
    dragRange(rangeOfSquares(current.from, at), current.draggedFor);
  }

  function onPointerUp(): void {
    const { current } = drag;
    drag.current = undefined;
    if (current === undefined) return;
    if (current.isMoved) endRangeDrag();
    else if (current.draggedFor === 'scope') chooseRange(rangeOfSquares(current.from, current.from));
    else compareWith({ range: rangeOfSquares(current.from, current.from) });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      // Otherwise the key is the window's.
      if (range === undefined) return;
      chooseRange(undefined);
    } else if (event.key === 'Enter' || event.key === ' ') {
      anchor.current = focused;
      chooseRange(rangeOfSquares(focused, focused));
    } else {
      const next = squareAfterKey(event.key, focused, rows, lastSquare);
      if (next === undefined) return;
      if (event.shiftKey)
        chooseRange(rangeOfSquares(Math.min(lastSquare, (anchor.current ??= focused)), next));
      else anchor.current = undefined;
      setCursor(next);
      const zoom = scrolledTo(columns, next * squareNs);
      if (zoom !== undefined) zoomTimeline(zoom);
    }
    take(event);
  }

  const placeOf = (square: number): { left: number; top: number; width: number; height: number } => {
    const column = Math.floor(square / rows);
    const left = xOf(column * rows * squareNs);
    return {
      left,
      top: (rows - 1 - (square % rows)) * squareHeight,
      width: xOf((column + 1) * rows * squareNs) - left,
      height: squareHeight,
    };
  };
  return (
    <>
      <Legend heatmap={heatmap} log={log} />
      <div
        ref={layer}
        className="heatmap-squares"
        style={{ height }}
        role="grid"
        tabIndex={0}
        aria-label="Samples by time: arrow keys move, Shift and arrow keys select a range, Enter selects a square, Escape clears the range"
        aria-rowcount={rows}
        aria-colcount={Math.floor(lastSquare / rows) + 1}
        aria-activedescendant={SQUARE_ID}
        data-testid="heatmap-squares"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          drag.current = undefined;
          cancelDrag();
        }}
        onPointerLeave={() => setPointed(undefined)}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} style={{ width, height }} aria-hidden="true" />
        <div role="row" aria-rowindex={(focused % rows) + 1}>
          <div
            id={SQUARE_ID}
            className="heatmap-mark"
            role="gridcell"
            aria-colindex={Math.floor(focused / rows) + 1}
            aria-selected={range !== undefined}
            aria-label={squareText(log, heatmap, focused, dayTime)}
            style={placeOf(focused)}
          />
        </div>
        {pointed !== undefined && (
          <>
            <div className="heatmap-hover" style={placeOf(pointed.square)} aria-hidden="true" />
            <PointerTip at={pointed.at} testId="heatmap-pointed">
              {squareText(log, heatmap, pointed.square, dayTime)}
            </PointerTip>
          </>
        )}
      </div>
    </>
  );
}

/** The time of a square and what is in it: `0:12.34 to 0:12.36: 7 samples, 2 with a match`. */
export function squareText(
  log: Pick<LogView, 'status'>,
  { samples, matches, selected, from, squareNs }: HeatmapColumns,
  square: number,
  dayTime?: number,
): string {
  const { one, many } = unitsOf(log).counted;
  const at = square - from;
  const text = `${timeText(square * squareNs, dayTime)} to ${timeText((square + 1) * squareNs, dayTime)}`;
  if (at < 0 || at >= samples.length) return text;
  const parts = [formatQuantity(samples[at], one, many)];
  if (matches !== undefined && matches[at] > 0) parts.push(`${formatCount(matches[at])} with a match`);
  if (selected !== undefined && selected[at] > 0)
    parts.push(`${formatCount(selected[at])} with the selected method`);
  return `${text}: ${parts.join(', ')}`;
}

/** The time of a square and of a column, and what the colours mean. */
function Legend({ heatmap, log }: Pick<HeatmapTrackProps, 'heatmap' | 'log'>): ReactNode {
  const { most, mostMatches, mostSelected, matches, selected, squareNs } = heatmap;
  const { one, many } = unitsOf(log).counted;
  const isMarking = matches !== undefined || selected !== undefined;
  const colours = HEATMAP_COLOURS[useWindow(isDark) ? 'dark' : 'light'];
  const entries = [
    {
      ramp: isMarking ? colours.rest : colours.samples,
      text: most <= 1 ? `1 ${one}` : `1 to ${formatCount(most)} ${many}`,
    },
    ...(mostSelected > 0
      ? [{ ramp: colours.samples, text: `selected: up to ${formatCount(mostSelected)}` }]
      : []),
    ...(mostMatches > 0 ? [{ ramp: colours.matches, text: `match: up to ${formatCount(mostMatches)}` }] : []),
  ];
  return (
    <div className="heatmap-legend" data-testid="heatmap-legend">
      <span>Heatmap</span>
      <span>{`squares of ${squareNs < 1e9 ? `${squareNs / 1e6} ms` : `${squareNs / 1e9} s`}`}</span>
      {entries.map(({ ramp, text }) => (
        <span key={text}>
          <span
            className="heatmap-ramp"
            aria-hidden="true"
            style={{ background: `linear-gradient(90deg, ${ramp.join(', ')})` }}
          />
          {text}
        </span>
      ))}
    </div>
  );
}
