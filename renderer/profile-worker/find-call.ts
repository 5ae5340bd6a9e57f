import { NONE } from '../../shared/profile/columns.ts';
import type { RowTree } from '../../shared/trees/row-tree.ts';
import { type Match, nextByWeight } from '../../shared/views/find-row.ts';
import { NO_SEARCH, type NoMatch } from './row-source.ts';

/** A call tree that is searched. */
export interface SearchedCalls {
  readonly tree: RowTree;
  /** row -> what matches are sorted by. */
  readonly weight: ArrayLike<number>;
  /** key -> 1 when it matches; undefined without a search. */
  readonly matching: Uint8Array | undefined;
  readonly hidesErrors: boolean;
  /** Rows that are not shown are no matches. */
  readonly isShown: (row: number) => boolean;
}

/**
 * The next or previous match, the heaviest first; with `wanted` the next call of the method with this key, whatever is
 * searched.
 */
export function findCall(
  { tree, weight, matching, hidesErrors, isShown }: SearchedCalls,
  from: number | undefined,
  direction: 1 | -1,
  wanted: number | undefined,
): Match | NoMatch {
  if (wanted === undefined && matching === undefined) return { problem: NO_SEARCH };
  const { key, keys } = tree;
  const { methodOf } = keys;
  const isMatch = (row: number): boolean =>
    (wanted === undefined
      ? key[row] >= 0 && matching?.[key[row]] === 1
      : key[row] === wanted || methodOf[key[row]] === wanted) && isShown(row);
  const found = nextByWeight({ length: tree.length, isMatch, weight }, from ?? NONE, direction);
  if (found !== undefined) return found;
  const isHidden = hidesErrors && (wanted !== undefined || matching?.includes(1) === true);
  return {
    problem: isHidden ? 'Every match is an error, and errors are hidden.' : 'No method matches the search.',
  };
}
