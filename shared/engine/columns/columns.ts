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

/** What rows are filtered by, and what the table for spreadsheets has. */
export const ROW_QUANTITIES: readonly Quantity[] = COLUMNS.flatMap(({ quantity }) => quantity ?? []).toSorted(
  (a, b) => a.place - b.place,
);

/** What rows can be sorted by. */
export const SORT_COLUMNS: readonly string[] = [
  'label',
  ...COLUMNS.flatMap(({ id, sort }) => (sort ? id : [])),
];
