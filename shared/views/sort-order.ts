import type { TimeColumn } from '../profile/time-column.ts';
import { compareKeys } from '../trees/keys.ts';

export type SortColumn = 'label' | 'selfCount' | 'totalCount' | 'selfTime' | 'totalTime';

export interface SortOrder {
  readonly by: SortColumn;
  readonly descending: boolean;
}

/** Rows with the columns by which they can be sorted. */
export interface SortableRows {
  label(row: number): string;
  readonly selfCount: ArrayLike<number>;
  readonly totalCount: ArrayLike<number>;
  readonly selfTime: TimeColumn;
  readonly totalTime: TimeColumn;
}

/**
 * Compares two rows. Rows with equal self values are sorted by their totals, rows with equal totals by their self values,
 * and rows that are equal in both by label, so that the order is always the same.
 */
export function rowOrder(rows: SortableRows, order: SortOrder): (a: number, b: number) => number {
  const sign = order.descending ? -1 : 1;
  const byLabel = (a: number, b: number): number => compareKeys(rows.label(a), rows.label(b));
  if (order.by === 'label') return (a, b) => sign * byLabel(a, b);
  const column = columnOf(rows, order.by);
  const other = columnOf(rows, OTHER[order.by]);
  return (a, b) => sign * (column[a] - column[b]) || sign * (other[a] - other[b]) || byLabel(a, b);
}

type ValueColumn = Exclude<SortColumn, 'label'>;

const OTHER: Readonly<Record<ValueColumn, ValueColumn>> = {
  selfCount: 'totalCount',
  totalCount: 'selfCount',
  selfTime: 'totalTime',
  totalTime: 'selfTime',
};

function columnOf(rows: SortableRows, by: ValueColumn): ArrayLike<number> {
  switch (by) {
    case 'selfCount':
      return rows.selfCount;
    case 'totalCount':
      return rows.totalCount;
    case 'selfTime':
      return rows.selfTime.ns;
    case 'totalTime':
      return rows.totalTime.ns;
  }
}

/** The rows in `sorted`: first those in `before`, in that order, then the others, sorted. */
export function heldOrder(before: Iterable<number>, sorted: readonly number[]): number[] {
  const unplaced = new Set(sorted);
  const placed = [...before].filter((row) => unplaced.delete(row));
  return [...placed, ...sorted.filter((row) => unplaced.has(row))];
}

/** True if both orders are equal. */
export function isSameOrder(rows: ArrayLike<number>, sorted: readonly number[]): boolean {
  return sorted.every((row, at) => row === rows[at]);
}
