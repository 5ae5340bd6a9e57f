import { NONE } from '../../shared/profile/columns.ts';
import type { RowTree } from '../../shared/engine/trees/row-tree.ts';
import { type Match, nextByWeight } from '../../shared/engine/views/find-row.ts';
import { type LeftOut, NO_SEARCH, type NoMatch, noMatch } from './no-match.ts';

/** A call tree that is searched. */
export interface SearchedCalls {
  readonly tree: RowTree;
  /** row -> what matches are sorted by. */
  readonly weight: ArrayLike<number>;
  /** key -> 1 when it matches; undefined without a search. */
  readonly matching: Uint8Array | undefined;
  readonly leftOut: LeftOut;
  /** Rows that are not shown are no matches. */
  readonly isShown: (row: number) => boolean;
  /** The same without the filter of rows; undefined where there is none. */
  readonly isUnfiltered: ((row: number) => boolean) | undefined;
}

/**
 * The next or previous match, the heaviest first; with `wanted` the next call of the method with this key, whatever is
 * searched.
 */
export function findCall(
  { tree, weight, matching, leftOut, isShown, isUnfiltered }: SearchedCalls,
  from: number | undefined,
  direction: 1 | -1,
  wanted: number | undefined,
): Match | NoMatch {
  if (wanted === undefined && matching === undefined) return { problem: NO_SEARCH };
  const { key, keys } = tree;
  const { methodOf } = keys;
  const isWanted = (row: number): boolean =>
    wanted === undefined
      ? key[row] >= 0 && matching?.[key[row]] === 1
      : key[row] === wanted || methodOf[key[row]] === wanted;
  const isMatch = (row: number): boolean => isWanted(row) && isShown(row);
  const found = nextByWeight({ length: tree.length, isMatch, weight }, from ?? NONE, direction);
  if (found !== undefined) return found;
  let isFiltered = false;
  for (let row = 0; isUnfiltered !== undefined && !isFiltered && row < tree.length; row++)
    isFiltered = isWanted(row) && isUnfiltered(row);
  const matches = wanted === undefined ? keysOf(matching) : [wanted];
  return noMatch(matches, keys, isFiltered, leftOut);
}

/** Those that match. */
export function keysOf(matching: Uint8Array | undefined): number[] {
  const found: number[] = [];
  matching?.forEach((matches, key) => {
    if (matches === 1) found.push(key);
  });
  return found;
}
