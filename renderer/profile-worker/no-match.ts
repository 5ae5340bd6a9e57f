import type { RowsOf, ProfileQuery } from '../../shared/engine/query.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { shownLabel } from '../../shared/text/format-frame.ts';
import type { KeyTable } from '../../shared/engine/trees/keys.ts';
import type { SampleSum } from '../../shared/engine/values/self-values.ts';
import { isSearching } from '../../shared/engine/views/search.ts';
import type { Selection } from './pane-messages.ts';

export const NO_SEARCH = 'Type part of a name into the search field first.';

/** Why a search found nothing, for the user. */
export interface NoMatch {
  readonly problem: string;
}

/** What a pane leaves out, as far as that can be why something is not found in it. */
export interface LeftOut {
  readonly hidesErrors: boolean;
  /** Samples, or times without samples, are outside the scope. */
  readonly isScoped: boolean;
  /** Samples are not below the zoom, which narrows the pane. */
  readonly isZoomed: boolean;
}

export const NOTHING_LEFT_OUT: LeftOut = { hidesErrors: false, isScoped: false, isZoomed: false };

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
  if (matches.length === 0) return { problem: 'No method matches the search.' };
  if (isFiltered) return { problem: 'No match passes the filter.' };
  if (hidesErrors && matches.every((key) => isError[key]))
    return { problem: 'Every match is an error, and errors are hidden.' };
  if (isZoomed) return { problem: 'No match is below the zoom.' };
  return { problem: isScoped ? 'No match is in this scope.' : 'No match is in this pane.' };
}

/** What may leave something out of a pane of rows that another pane names, for the user. */
export function whyNotHere(
  selection: Selection,
  of: RowsOf,
  query: ProfileQuery,
  view: Pick<ProfileView, 'outside' | 'beyondZoom'>,
): string {
  const { hidesErrors, isScoped, isZoomed } = leftOut(query, view);
  const reasons = [
    ...(query.where.length > 0 ? ['the filter'] : []),
    ...(of === 'methods' && isSearching(query.search) ? ['the search'] : []),
    ...(hidesErrors && selection.kind === 'error' ? ['hidden errors'] : []),
    ...(isZoomed ? ['the zoom'] : []),
    ...(isScoped ? ['the scope'] : []),
  ];
  const because = reasons.length === 0 ? '' : ` because of ${reasons.join(' or ')}`;
  return `${shownLabel(selection.label)} is not in this pane${because}.`;
}
