import type { ProfileUnits } from '../profile/profile-units.ts';
import type { TimeColumn } from '../profile/time-column.ts';
import { formatAmount, formatCount, formatShare } from '../text/format-value.ts';
import type { Metric } from '../engine/values/metric.ts';
import type { SampleSum } from '../engine/values/self-values.ts';

/** Self or total values of rows. */
export interface ValuesOfRows {
  readonly title: string;
  readonly count: ArrayLike<number>;
  readonly time: TimeColumn;
}

/** What numbers of a table for people are of. */
export interface CellOptions {
  readonly units: ProfileUnits;
  /** What percentages are of; samples where the profile has no second value. */
  readonly metric: Metric;
  /** The values that are 100 %. */
  readonly whole: SampleSum;
}

/** A column of a table: its title, then a cell for each row. */
export type Column = readonly [title: string, ...cells: string[]];

/** The share, the samples and the second value of rows, as columns. */
export function valueColumns(
  rows: readonly number[],
  { title, count, time }: ValuesOfRows,
  { units: { value, counted }, metric, whole }: CellOptions,
): readonly Column[] {
  const name = value?.name.toLowerCase();
  const columns: Column[] = [];
  const column = (heading: string, cellOf: (row: number) => string): void => {
    columns.push([heading, ...rows.map(cellOf)]);
  };
  if (metric === 'time' && name !== undefined)
    column(`${title} ${name} %`, (row) => formatShare(time.ns[row], whole.time));
  else column(`${title} %`, (row) => formatShare(count[row], whole.samples));
  column(`${title} ${counted.many}`, (row) => formatCount(count[row]));
  if (value !== undefined) column(`${title} ${name}`, (row) => formatAmount(time.ns[row], value.unit));
  return columns;
}

const GAP = '  ';

/** The lines of a table, columns aligned at the right, and names, which begin with their title, last. */
export function alignedLines(columns: readonly Column[], names: readonly string[]): readonly string[] {
  const widths = columns.map((cells) => cells.reduce((most, { length }) => Math.max(most, length), 0));
  return names.map((name, line) =>
    [...columns.map((cells, at) => cells[line].padStart(widths[at])), name].join(GAP),
  );
}
