import { sampleSpan, type SampleTable } from '../../profile/sample-table.ts';
import type { TimeOrder } from '../values/time-order.ts';

const MS = 1e6;
const SECOND = 1e9;

/** Time of a square, ns, and squares of a column. */
export interface HeatmapScale {
  readonly squareNs: number;
  readonly rows: number;
}

/** The finest first: a column is a second, a quarter of a minute, or five minutes. */
export const HEATMAP_SCALES = {
  fine: { squareNs: 20 * MS, rows: 50 },
  middle: { squareNs: 250 * MS, rows: 60 },
  coarse: { squareNs: 5 * SECOND, rows: 60 },
} as const satisfies Readonly<Record<string, HeatmapScale>>;

/** Browsers lay out some 17 million pixels, and a column has at least one: half a year of seconds. */
export const MOST_COLUMNS = 15_000_000;

export type HeatmapScaleName = keyof typeof HEATMAP_SCALES;
export const HEATMAP_SCALE_NAMES = Object.keys(HEATMAP_SCALES) as readonly HeatmapScaleName[];

export interface HeatmapView {
  /** undefined: the finest one at which all columns fit. */
  readonly scale: HeatmapScaleName | undefined;
  /** How many columns fit on the screen. */
  readonly fit: number;
  /** The columns that are wanted: [from, from + columns). */
  readonly from: number;
  readonly columns: number;
}

/** Row of the SelfTable -> 1 where it applies; undefined: nowhere. */
export interface HeatmapMarks {
  readonly isOutside: Uint8Array | undefined;
  readonly isMatch: Uint8Array | undefined;
  readonly isSelected: Uint8Array | undefined;
}

/**
 * Samples by the time at which they were taken, in squares. A column is a period of time, beginning with the earliest
 * sample; its squares are the parts of it.
 *
 *   row 1   20 ms   │ 3 │ 0 │ 7 │      rows 2, squareNs 20 ms
 *   row 0    0 ms   │ 5 │ 1 │ 2 │      samples 5 3 1 0 2 7: two from 60 to 80 ms are 1 and 0
 *   column            0   1   2
 */
export interface HeatmapColumns {
  /** Time of the earliest sample, ns, decimal: see `SampleTable.timeOf`. All other times are relative to it. */
  readonly first: string;
  /** Of the latest sample. */
  readonly last: number;
  readonly scale: HeatmapScaleName;
  /** Number of all columns. */
  readonly length: number;
  /** The first column that was counted. */
  readonly from: number;
  /** (column - from) * rows + row -> samples in scope. */
  readonly samples: Uint32Array;
  /** Of these the ones with a match of the search, and with the selected method; undefined where none is looked for. */
  readonly matches: Uint32Array | undefined;
  readonly selected: Uint32Array | undefined;
  /** The largest number of samples in one square, of all columns; likewise of those with a match or the method. */
  readonly most: number;
  readonly mostMatches: number;
  readonly mostSelected: number;
}

/** Undefined for a table without samples. `order` has the rows of the table. O(samples + squares that are wanted). */
export function heatmapColumns(
  table: SampleTable,
  order: TimeOrder,
  view: HeatmapView,
  { isOutside, isMatch, isSelected }: HeatmapMarks,
): HeatmapColumns | undefined {
  const span = sampleSpan(table);
  if (span === undefined) return undefined;
  const last = Number(span.last - span.first);
  const scale = possibleScale(last, view.scale ?? fittingScale(last, view.fit));
  const { rows, squareNs } = HEATMAP_SCALES[scale];
  const length = columnsOf(last, scale);
  const from = Math.max(0, Math.min(view.from, length - 1));
  const size = Math.max(0, Math.min(view.columns, length - from)) * rows;
  const start = Number(span.first - (table.origin ?? 0n));
  const count = (mark: Uint8Array | undefined): { into: Uint32Array; most: number } => {
    const into = new Uint32Array(size);
    const most = countSquares(into, from * rows, table, order, start, squareNs, isOutside, mark);
    return { into, most };
  };
  const all = count(undefined);
  const matches = isMatch && count(isMatch);
  const selected = isSelected && count(isSelected);
  return {
    ...{ first: span.first.toString(), last, scale, length, from },
    ...{ samples: all.into, matches: matches?.into, selected: selected?.into },
    ...{ most: all.most, mostMatches: matches?.most ?? 0, mostSelected: selected?.most ?? 0 },
  };
}

/** Number of columns up to the latest sample, at `last` ns. */
export function columnsOf(last: number, scale: HeatmapScaleName): number {
  const { rows, squareNs } = HEATMAP_SCALES[scale];
  return Math.floor(last / (rows * squareNs)) + 1;
}

function fittingScale(last: number, fit: number): HeatmapScaleName {
  return HEATMAP_SCALE_NAMES.find((scale) => columnsOf(last, scale) <= fit) ?? 'coarse';
}

/** Whether a browser can show the columns of this scale. */
export function isPossibleScale(last: number, scale: HeatmapScaleName): boolean {
  return columnsOf(last, scale) <= MOST_COLUMNS;
}

/** The scale, or the finest one below it whose columns a browser can show. */
export function possibleScale(last: number, wanted: HeatmapScaleName): HeatmapScaleName {
  const scales = HEATMAP_SCALE_NAMES.slice(HEATMAP_SCALE_NAMES.indexOf(wanted));
  return scales.find((scale) => isPossibleScale(last, scale)) ?? 'coarse';
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
