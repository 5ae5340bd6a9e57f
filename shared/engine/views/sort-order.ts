import type { TimeColumn } from '../../profile/time-column.ts';
import { compareKeys } from '../trees/keys.ts';
import { changesOf, columnOf as comparedColumn, type ComparedTo } from '../values/compared-to.ts';

/**
 * `selfRate`, `totalRate`: growth of late; where it is not known, by counts. `selfBase`, `totalBase`: values of the
 * baseline by the metric; `selfChange`, `totalChange`: what was added since. Where nothing is compared, by counts.
 */
export type SortColumn =
  | 'label'
  | 'selfCount'
  | 'totalCount'
  | 'selfTime'
  | 'totalTime'
  | 'selfRate'
  | 'totalRate'
  | 'selfBase'
  | 'totalBase'
  | 'selfChange'
  | 'totalChange';

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
  /** Samples per second of late; undefined where they are not measured. */
  readonly rates?:
    | ((row: number) => { readonly self: number; readonly total: number } | undefined)
    | undefined;
  readonly compared?: ComparedTo | undefined;
}

/**
 * Compares two rows. Rows with equal self values are sorted by their totals, rows with equal totals by their self values,
 * and rows that are equal in both by label, so that the order is always the same.
 */
export function rowOrder(rows: SortableRows, order: SortOrder): (a: number, b: number) => number {
  const sign = order.descending ? -1 : 1;
  const byLabel = (a: number, b: number): number => compareKeys(rows.label(a), rows.label(b));
  if (order.by === 'label') return (a, b) => sign * byLabel(a, b);
  const byCounts = orderByColumns(rows, order.by, sign, byLabel);
  const numbers = comparedNumbers(rows, order.by);
  if (numbers !== undefined) return (a, b) => sign * (numbers(a) - numbers(b)) || byCounts(a, b);
  const { rates } = rows;
  if (rates === undefined || (order.by !== 'selfRate' && order.by !== 'totalRate')) return byCounts;
  const rate = order.by === 'selfRate' ? 'self' : 'total';
  return (a, b) => sign * ((rates(a)?.[rate] ?? 0) - (rates(b)?.[rate] ?? 0)) || byCounts(a, b);
}

/** row -> the number of a column of a comparison; undefined for other columns, and where nothing is compared. */
function comparedNumbers(
  rows: SortableRows,
  by: Exclude<SortColumn, 'label'>,
): ((row: number) => number) | undefined {
  const { compared } = rows;
  if (compared === undefined) return undefined;
  if (by === 'selfChange' || by === 'totalChange')
    return changesOf(rows, compared, by === 'selfChange' ? 'self' : 'total');
  if (by !== 'selfBase' && by !== 'totalBase') return undefined;
  const column = comparedColumn(compared.base, compared.scale.metric, by === 'selfBase' ? 'self' : 'total');
  return (row) => column[row];
}

function orderByColumns(
  rows: SortableRows,
  by: ValueColumn,
  sign: 1 | -1,
  byLabel: (a: number, b: number) => number,
): (a: number, b: number) => number {
  const column = columnOf(rows, by);
  const other = columnOf(rows, OTHER[by]);
  return (a, b) => sign * (column[a] - column[b]) || sign * (other[a] - other[b]) || byLabel(a, b);
}

type ValueColumn = Exclude<SortColumn, 'label'>;

const OTHER: Readonly<Record<ValueColumn, ValueColumn>> = {
  selfCount: 'totalCount',
  totalCount: 'selfCount',
  selfTime: 'totalTime',
  totalTime: 'selfTime',
  selfRate: 'totalCount',
  totalRate: 'selfCount',
  selfBase: 'totalCount',
  totalBase: 'selfCount',
  selfChange: 'totalCount',
  totalChange: 'selfCount',
};

function columnOf(rows: SortableRows, by: ValueColumn): ArrayLike<number> {
  switch (by) {
    case 'selfCount':
    case 'selfRate':
    case 'selfBase':
    case 'selfChange':
      return rows.selfCount;
    case 'totalCount':
    case 'totalRate':
    case 'totalBase':
    case 'totalChange':
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

/**
 * How many of the rows must move at least so that `rows` becomes `sorted`, which has the same rows: all but the longest
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
