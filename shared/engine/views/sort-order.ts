import type { SortableRows, SortColumn } from '../columns/column.ts';
import { columnWithId } from '../columns/columns.ts';
import { compareKeys } from '../trees/keys.ts';
import { columnOf } from '../values/row-change.ts';

export interface SortOrder {
  /** `label`, or the id of a column. */
  readonly by: SortColumn;
  readonly descending: boolean;
}

/**
 * Compares two rows. Rows with equal self values are sorted by their totals, rows with equal totals by their self values,
 * and rows that are equal in both by label, so that the order is always the same.
 */
export function rowOrder(rows: SortableRows, order: SortOrder): (a: number, b: number) => number {
  const { isLast } = rows;
  const compare = valueOrder(rows, order);
  return isLast === undefined ? compare : (a, b) => Number(isLast(a)) - Number(isLast(b)) || compare(a, b);
}

function valueOrder(rows: SortableRows, order: SortOrder): (a: number, b: number) => number {
  const sign = order.descending ? -1 : 1;
  const byLabel = (a: number, b: number): number => compareKeys(rows.label(a), rows.label(b));
  if (order.by === 'label') return (a, b) => sign * byLabel(a, b);
  const { part = 'total', sort } = columnWithId(order.by) ?? {};
  const metric = sort?.metric ?? 'samples';
  const column = columnOf(rows, metric, part);
  const other = columnOf(rows, metric, part === 'self' ? 'total' : 'self');
  const byValues = (a: number, b: number): number =>
    sign * (column[a] - column[b]) || sign * (other[a] - other[b]) || byLabel(a, b);
  const numbers = sort?.number?.(rows);
  return numbers === undefined ? byValues : (a, b) => sign * (numbers(a) - numbers(b)) || byValues(a, b);
}

/** The rows in `sorted`: first those in `before`, in that order, then the others, sorted. */
export function heldOrder(before: Iterable<number>, sorted: readonly number[]): number[] {
  const unplaced = new Set(sorted);
  const placed = [...before].filter((row) => unplaced.delete(row));
  return [...placed, ...sorted.filter((row) => unplaced.has(row))];
}

/**
 * The least number of rows that must move so that `rows` becomes `sorted`, which has the same rows: all but the longest
 * increasing series of places. O(n log n), and O(n) where both are equal.
 */
export function rowsToMove(rows: ArrayLike<number>, sorted: readonly number[]): number {
  if (sorted.every((row, at) => row === rows[at])) return 0;
  const places = new Map(sorted.map((row, at) => [row, at]));
  /** Length of a series, less one -> the smallest place at which such a series ends. */
  const ends: number[] = [];
  for (let at = 0; at < rows.length; at++) {
    const place = places.get(rows[at]) ?? 0;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ends[middle] < place) low = middle + 1;
      else high = middle;
    }
    ends[low] = place;
  }
  return rows.length - ends.length;
}
