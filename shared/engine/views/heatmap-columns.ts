import { sampleSpan, type SampleTable } from '../../profile/sample-table.ts';
import type { TimeOrder } from '../values/time-order.ts';
import { type Interval, shownTime, type TimelineMarks } from './timeline-columns.ts';

const MS = 1e6;
const SECOND = 1e9;

/** Time of a square, ns, and squares of a column. */
interface HeatmapScale {
  readonly squareNs: number;
  readonly rows: number;
}

/** The scales, finest first: a column is a fifth of a second, a second, 15 seconds, five minutes, an hour, or a day. */
const HEATMAP_SCALES: readonly HeatmapScale[] = [
  { squareNs: 20 * MS, rows: 10 },
  { squareNs: 20 * MS, rows: 50 },
  { squareNs: 250 * MS, rows: 60 },
  { squareNs: 5 * SECOND, rows: 60 },
  { squareNs: 60 * SECOND, rows: 60 },
  { squareNs: 1_440 * SECOND, rows: 60 },
];

export interface HeatmapView {
  /** The part of the time that is looked at; undefined: all. */
  readonly zoom: Interval | undefined;
  /** Most columns on screen: the finest scale is chosen that has no more. */
  readonly fit: number;
}

/**
 * Samples by the time at which they were taken, in squares. A column is a period of time, beginning with the earliest
 * sample; its squares are the parts of it.
 *
 *   row 1   20 ms   │ 3 │ 0 │ 7 │      rows 2, squareNs 20 ms
 *   row 0    0 ms   │ 5 │ 1 │ 2 │      samples 5 3 1 0 2 7: two from 60 to 80 ms are 1 and 0
 *   column            0   1   2
 */
export interface HeatmapColumns extends HeatmapScale {
  /** Time of the earliest sample, ns, decimal: see `SampleTable.timeOf`. All other times are relative to it. */
  readonly first: string;
  /** Time of the latest sample. */
  readonly last: number;
  /** The first square that was counted: the lowest one of a column. */
  readonly from: number;
  /** Square - from -> samples in scope. */
  readonly samples: Uint32Array;
  /** Square - from -> samples with a match of the search, and with the selected method; undefined where none is looked for. */
  readonly matches: Uint32Array | undefined;
  readonly selected: Uint32Array | undefined;
  /** The largest number in one square, also of those beside the zoom: of samples, of matches, and with the method. */
  readonly most: number;
  readonly mostMatches: number;
  readonly mostSelected: number;
}

/**
 * The squares of the finest scale that fits; undefined for a table without samples. `order` has the rows of the table. `whole`: as for `timelineColumns`. O(samples +
 * squares on screen).
 */
export function heatmapColumns(
  table: SampleTable,
  order: TimeOrder,
  { zoom, fit }: HeatmapView,
  { isOutside, isMatch, isSelected }: Pick<TimelineMarks, 'isOutside' | 'isMatch' | 'isSelected'>,
  whole = table,
): HeatmapColumns | undefined {
  const span = sampleSpan(whole);
  if (span === undefined) return undefined;
  const last = Number(span.last - span.first);
  const shown = shownTime(last, zoom);
  const columnsOf = ({ squareNs, rows }: HeatmapScale): readonly [first: number, end: number] => {
    const columnNs = squareNs * rows;
    return [Math.floor(shown.from / columnNs), Math.floor(Math.min(shown.to - 1, last) / columnNs) + 1];
  };
  const fits = (scale: HeatmapScale): boolean => columnsOf(scale)[1] - columnsOf(scale)[0] <= fit;
  const scale = HEATMAP_SCALES.find(fits) ?? HEATMAP_SCALES[HEATMAP_SCALES.length - 1];
  const { rows, squareNs } = scale;
  const [first, end] = columnsOf(scale);
  const start = Number(span.first - (table.origin ?? 0n));
  const count = (mark: Uint8Array | undefined): { into: Uint32Array; most: number } => {
    const into = new Uint32Array((end - first) * rows);
    const most = countSquares(into, first * rows, table, order, start, squareNs, isOutside, mark);
    return { into, most };
  };
  const all = count(undefined);
  const matches = isMatch && count(isMatch);
  const selected = isSelected && count(isSelected);
  return {
    first: span.first.toString(),
    last,
    rows,
    squareNs,
    from: first * rows,
    samples: all.into,
    matches: matches?.into,
    selected: selected?.into,
    most: all.most,
    mostMatches: matches?.most ?? 0,
    mostSelected: selected?.most ?? 0,
  };
}

/**
 * Counts the samples of each square from `firstSquare` on, and returns the largest number of all squares. In the order
 * of time the samples of a square are neighbours, so that squares that are not wanted need no memory.
 */
function countSquares(
  into: Uint32Array,
  firstSquare: number,
  { self, at: { ns } }: SampleTable,
  { order, length }: TimeOrder,
  start: number,
  squareNs: number,
  isOutside: Uint8Array | undefined,
  mark: Uint8Array | undefined,
): number {
  let most = 0;
  let count = 0;
  let present = -1;
  for (let place = 0; place < length; place++) {
    const row = order === undefined ? place : order[place];
    const value = self[row];
    if (isOutside?.[value] === 1 || (mark !== undefined && mark[value] !== 1)) continue;
    const square = Math.floor((ns[row] - start) / squareNs);
    if (square !== present) {
      present = square;
      count = 0;
    }
    count++;
    if (count > most) most = count;
    const at = square - firstSquare;
    if (at >= 0 && at < into.length) into[at]++;
  }
  return most;
}
