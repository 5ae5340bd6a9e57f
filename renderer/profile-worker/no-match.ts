import { shownLabel } from '../../shared/text/format-frame.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import type { SampleSum } from '../../shared/values/self-values.ts';
import { isSearching } from '../../shared/views/search.ts';
import type { MirroredViews } from './mirrored-views.ts';
import type { RowsOf, Selection } from './pane-messages.ts';
import type { NoMatch } from './row-source.ts';
import type { SharedView } from './shared-view.ts';

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
  { hidesErrors }: Pick<SharedView, 'hidesErrors'>,
  { outside, beyondZoom }: Pick<MirroredViews, 'outside' | 'beyondZoom'>,
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
  view: SharedView,
  views: Pick<MirroredViews, 'outside' | 'beyondZoom'>,
): string {
  const { hidesErrors, isScoped, isZoomed } = leftOut(view, views);
  const reasons = [
    ...(view.where.length > 0 ? ['the filter'] : []),
    ...(of === 'methods' && isSearching(view.search) ? ['the search'] : []),
    ...(hidesErrors && selection.kind === 'error' ? ['hidden errors'] : []),
    ...(isZoomed ? ['the zoom'] : []),
    ...(isScoped ? ['the scope'] : []),
  ];
  const because = reasons.length === 0 ? '' : ` because of ${reasons.join(' or ')}`;
  return `${shownLabel(selection.label)} is not in this pane${because}.`;
}
