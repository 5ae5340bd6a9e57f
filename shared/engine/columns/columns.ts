import type { CellValues, Cell, Column, ColumnId, Measure, Quantity } from './column.ts';
import { COLUMNS } from './column-list.ts';

const BY_ID = new Map(COLUMNS.map((column) => [column.id, column]));

/** undefined for an id of no column, as another version of the program may have stored it. */
export function columnWithId(id: ColumnId): Column | undefined {
  return BY_ID.get(id);
}

export function cellOf(id: ColumnId, row: CellValues, measure: Measure): Cell {
  return BY_ID.get(id)?.cell(row, measure) ?? { text: '' };
}

/** The quantities by which rows are filtered, in the order of the table for spreadsheets. */
export const ROW_QUANTITIES: readonly Quantity[] = COLUMNS.flatMap(({ quantity }) => quantity ?? []).toSorted(
  (a, b) => a.place - b.place,
);

/** The columns by which rows can be sorted. */
export const SORT_COLUMNS: readonly string[] = [
  'label',
  ...COLUMNS.flatMap(({ id, sort }) => (sort ? id : [])),
];
