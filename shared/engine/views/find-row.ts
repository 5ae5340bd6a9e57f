import { NONE } from '../../profile/columns.ts';
import type { RowValues } from '../values/row-sums.ts';

/** row -> 1 if a row below it matches. One pass from the last row to the first. */
export function rowsAboveMatches(values: RowValues, matching: Uint8Array): Uint8Array {
  const { tree } = values;
  const above = new Uint8Array(tree.length);
  const { parent, key } = tree;
  for (let row = tree.length - 1; row >= 0; row--) {
    const up = parent[row];
    if (up === NONE || !values.isShown(row)) continue;
    if (above[row] === 1 || matching[key[row]] === 1) above[up] = 1;
  }
  return above;
}

/** A row that matches, and its position among all that match: heaviest first, from 1. */
export interface Match {
  readonly row: number;
  readonly position: number;
  readonly total: number;
}

/**
 * The next (direction 1) or previous (-1) row that matches, in order of weight, heaviest first. Rows of equal weight are
 * in the order of their numbers. After the last row comes the first. If `from` does not match, the next row is the
 * heaviest and the previous one the lightest. Undefined if no row matches. One pass over the rows.
 */
export function nextByWeight(
  { length, isMatch, weight }: MatchableRows,
  from: number,
  direction: 1 | -1,
): Match | undefined {
  const isBefore = (a: number, b: number): boolean =>
    weight[a] > weight[b] || (weight[a] === weight[b] && a < b);
  const start = from >= 0 && from < length && isMatch(from) ? from : NONE;
  let total = 0;
  let before = 0;
  let first = NONE;
  let last = NONE;
  let next = NONE;
  let previous = NONE;
  for (let row = 0; row < length; row++) {
    if (!isMatch(row)) continue;
    total++;
    if (first === NONE || isBefore(row, first)) first = row;
    if (last === NONE || isBefore(last, row)) last = row;
    if (start === NONE || row === start) continue;
    if (isBefore(row, start)) {
      before++;
      if (previous === NONE || isBefore(previous, row)) previous = row;
    } else if (next === NONE || isBefore(row, next)) next = row;
  }
  if (total === 0) return undefined;
  if (direction === 1) {
    return next === NONE ? { row: first, position: 1, total } : { row: next, position: before + 2, total };
  }
  return previous === NONE
    ? { row: last, position: total, total }
    : { row: previous, position: before, total };
}

/** Rows by number, some of which match. */
export interface MatchableRows {
  readonly length: number;
  readonly isMatch: (row: number) => boolean;
  readonly weight: ArrayLike<number>;
}
