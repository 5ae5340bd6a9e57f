import { clockText } from '../../../shared/scope/time-text.ts';
import {
  HEATMAP_SCALES,
  type HeatmapColumns,
  type HeatmapScale,
  MOST_COLUMNS,
} from '../../../shared/engine/views/heatmap-columns.ts';
import type { Interval } from '../../../shared/engine/views/timeline-columns.ts';

/** CSS pixels. */
export const LEAST_COLUMN = 4;
const MOST_COLUMN = 40;
const MOST_ROW = 16;
/** Of a label of the time axis, with the space beside it. */
const LABEL_WIDTH = 90;
/** Of a character of a label: digits are wider, colons narrower. */
const CHARACTER_WIDTH = 6;

/** Device pixels of a square, with the gap to the next one. */
export interface SquareSize {
  readonly width: number;
  readonly height: number;
}

/** The place in which squares are drawn. */
export interface HeatmapPlace {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

/** Of all columns if they fit, otherwise so that the others can be scrolled to; narrower for months in columns of seconds. */
export function squareSize(
  { width, height, pixelRatio }: HeatmapPlace,
  columns: number,
  { rows }: HeatmapScale,
): SquareSize {
  const within = (size: number, least: number, most: number): number =>
    Math.max(Math.round(least * pixelRatio), Math.min(Math.round(most * pixelRatio), Math.floor(size)));
  const least = Math.min(LEAST_COLUMN, Math.max(1, Math.floor(MOST_COLUMNS / columns)));
  return {
    width: within((width * pixelRatio) / columns, least, MOST_COLUMN),
    height: within((height * pixelRatio) / rows, 1, MOST_ROW),
  };
}

/**
 * The columns to ask for when these are on screen, [from, from + columns): with those before and after them, and the same
 * while they are scrolled a little.
 */
export function columnsAround(
  first: number,
  shown: number,
): { readonly from: number; readonly columns: number } {
  const page = Math.floor(first / shown);
  return { from: Math.max(0, page - 1) * shown, columns: 4 * shown };
}

/** The time of the squares from one to another, in either order, ns after the earliest sample. */
export function timeOfSquares(a: number, b: number, { squareNs }: HeatmapScale): Interval {
  return { from: Math.min(a, b) * squareNs, to: (Math.max(a, b) + 1) * squareNs };
}

/** The last square with a sample. */
export function lastSquare({ last, scale }: Pick<HeatmapColumns, 'last' | 'scale'>): number {
  return Math.floor(last / HEATMAP_SCALES[scale].squareNs);
}

/**
 * The square at a point; the nearest one for a point outside. Row 0 is at the bottom. `x`, `y`: device pixels from the
 * left edge of the first column and the top of the squares.
 */
export function squareAt(
  x: number,
  y: number,
  size: SquareSize,
  heatmap: Pick<HeatmapColumns, 'last' | 'scale' | 'length'>,
): number {
  const { rows } = HEATMAP_SCALES[heatmap.scale];
  const within = (value: number, end: number): number => Math.max(0, Math.min(end - 1, Math.floor(value)));
  const column = within(x / size.width, heatmap.length);
  const row = rows - 1 - within(y / size.height, rows);
  return Math.min(column * rows + row, lastSquare(heatmap));
}

/** Seconds between two labels of the time axis. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400];

export interface AxisLabel {
  readonly column: number;
  readonly text: string;
}

/** Times below columns [from, to), so far apart that labels do not touch; none is cut off at the end. `columnWidth`: CSS pixels. */
export function axisLabels(
  { squareNs, rows }: HeatmapScale,
  from: number,
  to: number,
  columnWidth: number,
): readonly AxisLabel[] {
  const seconds = (squareNs * rows) / 1e9;
  const wanted = (LABEL_WIDTH / columnWidth) * seconds;
  const step =
    STEPS.find((each) => each >= wanted && each % seconds === 0) ?? Math.ceil(wanted / seconds) * seconds;
  const columns = step / seconds;
  const labels: AxisLabel[] = [];
  for (let column = Math.ceil(from / columns) * columns; column < to; column += columns) {
    const text = clockText(BigInt(Math.round(column * seconds)) * 1_000_000_000n, 0);
    if ((to - column) * columnWidth >= text.length * CHARACTER_WIDTH) labels.push({ column, text });
  }
  return labels;
}

/** Neighbouring columns and rows of squares; row 0 is at the bottom. */
export interface SquareBlock {
  readonly column: number;
  readonly columns: number;
  readonly row: number;
  readonly rows: number;
}

/**
 * The squares with a time of an interval: the end of its first column, all of those between, and the start of the last.
 *
 *   row 1    x x x .
 *   row 0    . x x x      three blocks: 1 square, 2 columns, 1 square
 */
export function blocksOf(
  { from, to }: { readonly from: number; readonly to: number },
  heatmap: Pick<HeatmapColumns, 'scale' | 'last'>,
): readonly SquareBlock[] {
  const { rows, squareNs } = HEATMAP_SCALES[heatmap.scale];
  const first = Math.max(0, Math.floor(from / squareNs));
  const end = Math.min(lastSquare(heatmap) + 1, Math.ceil(to / squareNs));
  const blocks: SquareBlock[] = [];
  for (let at = first; at < end;) {
    const [column, row] = [Math.floor(at / rows), at % rows];
    const whole = row === 0 ? Math.floor((end - at) / rows) : 0;
    const next = whole > 0 ? at + whole * rows : Math.min(end, (column + 1) * rows);
    blocks.push({ column, columns: Math.max(1, whole), row, rows: whole > 0 ? rows : next - at });
    at = next;
  }
  return blocks;
}
