import type { SortableRows } from '../engine/columns/column.ts';
import { shownLabel } from '../text/format-frame.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import type { TimeColumn } from '../profile/time-column.ts';
import { alignedLines } from '../text/aligned-lines.ts';
import { formatAmount, formatCount, formatShare } from '../text/format-value.ts';
import type { Metric } from '../engine/values/metric.ts';
import type { SampleSum } from '../engine/values/self-values.ts';

/** Self or total values of rows. */
export interface ValuesOfRows {
  readonly title: string;
  readonly count: ArrayLike<number>;
  readonly time: TimeColumn;
}

/** The whole and the units of numbers of a table for people. */
export interface CellOptions {
  readonly units: ProfileUnits;
  /** The metric of percentages; samples where the profile has no second value. */
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

/** The lines of a table of rows with a header; the names, below `title`, are last. `hasSelf` false: rows have only totals. */
export function rowLines(
  rows: readonly number[],
  values: SortableRows,
  title: string,
  { hasSelf = true, ...cells }: CellOptions & { readonly hasSelf?: boolean },
): readonly string[] {
  const { selfCount, selfTime, totalCount, totalTime } = values;
  const columns = [
    ...(hasSelf ? valueColumns(rows, { title: 'Self', count: selfCount, time: selfTime }, cells) : []),
    ...valueColumns(rows, { title: 'Total', count: totalCount, time: totalTime }, cells),
  ];
  return tableLines(columns, [title, ...rows.map((row) => shownLabel(values.label(row)))]);
}

/** The lines of a table, columns aligned at the right, and names, which begin with their title, last. */
export function tableLines(columns: readonly Column[], names: readonly string[]): readonly string[] {
  const rows = names.map((name, line) => [...columns.map((cells) => cells[line]), name]);
  return alignedLines(rows, (column) => column < columns.length);
}
