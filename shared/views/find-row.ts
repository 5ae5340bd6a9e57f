import { NONE } from '../profile/columns.ts';
import type { RowValues } from '../values/row-sums.ts';

/** row -> 1 when something below it matches. One backward sweep. */
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

/** One of the rows that match: which of how many, heaviest first, from 1. */
export interface Match {
  readonly row: number;
  readonly position: number;
  readonly total: number;
}

/**
 * The next (direction 1) or previous (-1) of the rows that match, in order of weight, the heaviest first; rows of equal
 * weight by their numbers. After the last row comes the first. Starts at the heaviest if `from` does not match.
 * Undefined when nothing matches. One pass over the rows.
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
