import type { ProfileQuery, RowsOf } from '../../../shared/engine/query.ts';
import type { ProfileView } from '../../../shared/engine/profile-view.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { KeyTable } from '../../../shared/engine/trees/keys.ts';
import type { SampleSum } from '../../../shared/engine/values/self-values.ts';
import { isSearching, type Match, nextByWeight } from '../../../shared/engine/views/search.ts';
import type { Selection } from '../pane-messages.ts';
import { NONE } from '../../../shared/profile/columns.ts';
import type { RowTree } from '../../../shared/engine/trees/row-tree.ts';

const NO_SEARCH = 'Type part of a name into the find field first.';

/** Why a search found nothing, for the user. */
export interface NoMatch {
  readonly problem: string;
}

/** The parts that a pane leaves out, as far as they can be why something is not found in it. */
export interface LeftOut {
  readonly hidesErrors: boolean;
  /** Samples, or times without samples, are outside the scope. */
  readonly isScoped: boolean;
  /** Samples are not below the zoom, which narrows the pane. */
  readonly isZoomed: boolean;
}

export function leftOut(
  { hidesErrors }: Pick<ProfileQuery, 'hidesErrors'>,
  { outside, beyondZoom }: Pick<ProfileView, 'outside' | 'beyondZoom'>,
): LeftOut {
  const isSomething = ({ samples, time }: SampleSum): boolean => samples !== 0 || time !== 0;
  return { hidesErrors, isScoped: isSomething(outside), isZoomed: isSomething(beyondZoom) };
}

/**
 * `matches`: the keys that match, wherever their rows are. `isFiltered`: some of these rows would be found without the
 * filter of rows.
 */
export function noMatch(
  matches: readonly number[],
  { isError }: Pick<KeyTable, 'isError'>,
  isFiltered: boolean,
  { hidesErrors, isScoped, isZoomed }: LeftOut,
): NoMatch {
  if (matches.length === 0) return { problem: 'No method matches.' };
  if (isFiltered) return { problem: 'No match is among the rows that are shown.' };
  if (hidesErrors && matches.every((key) => isError[key]))
    return { problem: 'Every match is an error, and errors are hidden.' };
  if (isZoomed) return { problem: 'No match is below the zoom.' };
  return { problem: isScoped ? 'No match is in this scope.' : 'No match is in this pane.' };
}

/** A sentence for the user about the parts that may leave something out of a pane of rows that another pane names. */
export function whyNotHere(
  selection: Selection,
  of: RowsOf,
  query: ProfileQuery,
  view: Pick<ProfileView, 'outside' | 'beyondZoom' | 'search'>,
): string {
  const { hidesErrors, isScoped, isZoomed } = leftOut(query, view);
  const reasons = [
    ...(query.where.length > 0 ? ['the choice of rows'] : []),
    ...(of === 'methods' && isSearching(view.search) ? ['the find field'] : []),
    ...(hidesErrors && selection.kind === 'error' ? ['hidden errors'] : []),
    ...(isZoomed ? ['the zoom'] : []),
    ...(isScoped ? ['the scope'] : []),
  ];
  const because = reasons.length === 0 ? '' : ` because of ${reasons.join(' or ')}`;
  return `${shownLabel(selection.label)} is not in this pane${because}.`;
}

/** A call tree that is searched. */
interface SearchedCalls {
  readonly tree: RowTree;
  /** row -> what matches are sorted by. */
  readonly weight: ArrayLike<number>;
  /** key -> 1 when it matches; undefined without a search. */
  readonly matching: Uint8Array | undefined;
  readonly leftOut: LeftOut;
  /** Rows that are not shown are no matches. */
  readonly isShown: (row: number) => boolean;
  /** The rows without their filter; undefined where there is none. */
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

/** The keys that match. */
function keysOf(matching: Uint8Array | undefined): number[] {
  const found: number[] = [];
  matching?.forEach((matches, key) => {
    if (matches === 1) found.push(key);
  });
  return found;
}
