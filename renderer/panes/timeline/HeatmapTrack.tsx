import { type ReactNode, useCallback } from 'react';
import type { HeatmapColumns } from '../../../shared/engine/views/heatmap-columns.ts';
import type { Interval, TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import { formatCount, formatQuantity } from '../../../shared/text/format-value.ts';
import { chooseRange } from '../../store/actions/time-actions.ts';
import { unitsOf } from '../../store/state/selectors.ts';
import type { LogView } from '../../store/state/window-state.ts';
import type { DrawingSize } from '../use-drawing.ts';
import { useDayTime } from './AxisLabels.tsx';
import { CellGrid, CellLegend } from './CellGrid.tsx';
import { drawHeatmap } from './heatmap-drawing.ts';
import { squareAfterKey } from './timeline-keys.ts';
import { intervalOf, rangeOf, timeText } from './timeline-geometry.ts';
import { changeScope } from '../../store/actions/actions.ts';
import { dragRange, endRangeDrag, cancelDrag } from './drag-range.ts';

/** Height of the squares of a column, and the least of one, CSS pixels. */
const HEIGHT = 100;
const LEAST_SQUARE = 2;

interface HeatmapTrackProps {
  readonly log: LogView;
  readonly heatmap: HeatmapColumns;
  readonly columns: TimelineColumns;
  /** CSS pixels. */
  readonly width: number;
}

/** The samples in squares of time on the axis of the timeline: the finer the zoom, the shorter is the time of a square. */
export function HeatmapTrack({ log, heatmap, columns, width }: HeatmapTrackProps): ReactNode {
  const { rows, squareNs, last } = heatmap;
  const lastSquare = Math.floor(last / squareNs);
  const range = intervalOf(log.scope.range, heatmap);
  const dayTime = useDayTime(heatmap.first);
  const [from, to] = [range?.from, range?.to];
  const draw = useCallback(
    (context: CanvasRenderingContext2D, size: DrawingSize) => {
      const begin = heatmap.from * heatmap.squareNs;
      const columnNs = heatmap.rows * heatmap.squareNs;
      const isInside = isInRange(heatmap, from === undefined || to === undefined ? undefined : { from, to });
      drawHeatmap(context, size, heatmap, columns, { begin, columnNs }, isInside);
    },
    [heatmap, columns, from, to],
  );
  const rangeOfSquares = (a: number, b: number): ReturnType<typeof rangeOf> =>
    rangeOf({ from: Math.min(a, b) * squareNs, to: (Math.max(a, b) + 1) * squareNs }, heatmap);
  const choose = (a: number, b: number): void => chooseRange(rangeOfSquares(a, b));
  return (
    <>
      <Legend heatmap={heatmap} log={log} />
      <CellGrid
        columns={columns}
        width={width}
        height={rows * Math.max(LEAST_SQUARE, HEIGHT / rows)}
        rows={rows}
        columnNs={rows * squareNs}
        lastCell={lastSquare}
        firstCell={Math.floor((range ?? columns.shown).from / squareNs)}
        isSelected={range !== undefined}
        label="Samples by time: arrow keys move, Shift and arrow keys select a range, Enter selects a square, Escape clears the range"
        testId="heatmap-squares"
        draw={draw}
        textOf={(square) => squareText(log, heatmap, square, dayTime)}
        cellAfter={(key, square) => squareAfterKey(key, square, rows, lastSquare)}
        placeOf={(square) => ({ time: square * squareNs, row: 0 })}
        cellOf={({ time }) => Math.floor(time / squareNs)}
        drag={({ from: a, to: b, draggedFor }) => dragRange(rangeOfSquares(a, b), draggedFor)}
        drop={({ from: square, isMoved, draggedFor }) => {
          if (isMoved) endRangeDrag();
          else if (draggedFor === 'scope') choose(square, square);
          else changeScope({ baseline: { range: rangeOfSquares(square, square) } });
        }}
        cancel={cancelDrag}
        extend={choose}
        enter={(square) => choose(square, square)}
        clear={range && (() => chooseRange(undefined))}
      />
    </>
  );
}

/** Whether a square is in the time range, ns after the earliest sample; undefined for one after the last sample. */
export function isInRange(
  { from, squareNs, last }: Pick<HeatmapColumns, 'from' | 'squareNs' | 'last'>,
  range: Interval | undefined,
): (at: number) => boolean | undefined {
  return (at) => {
    const time = (from + at) * squareNs;
    if (time > last) return undefined;
    return range === undefined || (time < range.to && time + squareNs > range.from);
  };
}

/** The time of a square and what is in it: `0:12.34 to 0:12.36: 7 samples, 2 with a match`. */
export function squareText(
  log: LogView,
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

/** The time of a square, and what the colours mean. */
function Legend({ heatmap, log }: Pick<HeatmapTrackProps, 'heatmap' | 'log'>): ReactNode {
  const { most, mostMatches, mostSelected, matches, selected, squareNs } = heatmap;
  const { one, many } = unitsOf(log).counted;
  const isMarking = matches !== undefined || selected !== undefined;
  return (
    <CellLegend
      title="Heatmap"
      step={`squares of ${squareNs < 1e9 ? `${squareNs / 1e6} ms` : `${squareNs / 1e9} s`}`}
      entries={[
        {
          ramp: isMarking ? 'rest' : 'samples',
          text: most <= 1 ? `1 ${one}` : `1 to ${formatCount(most)} ${many}`,
        },
        ...(mostSelected > 0
          ? ([{ ramp: 'samples', text: `selected: up to ${formatCount(mostSelected)}` }] as const)
          : []),
        ...(mostMatches > 0
          ? ([{ ramp: 'matches', text: `match: up to ${formatCount(mostMatches)}` }] as const)
          : []),
      ]}
      testId="heatmap-legend"
    />
  );
}
