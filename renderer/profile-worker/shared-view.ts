import type { FrameGrouping } from '../../shared/trees/grouping.ts';
import type { Metric } from '../../shared/values/metric.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import { matchingKeys, parseSearch, type Search } from '../../shared/views/search.ts';

/** Settings of all panes: grouping of frames, metric, search, hidden errors. */
export interface SharedView {
  readonly frames: FrameGrouping;
  readonly metric: Metric;
  readonly search: Search;
  /** Samples with an error on their stack are left out of all sums. */
  readonly hidesErrors: boolean;
}

export const INITIAL_VIEW: SharedView = {
  frames: 'fqmn',
  metric: 'samples',
  search: parseSearch(''),
  hidesErrors: false,
};

export function isSearching({ search }: SharedView): boolean {
  return search.text !== '' && search.problem === undefined;
}

/** key -> 1 when it matches; undefined while nothing is searched. */
export function matchesOf(view: SharedView, keys: KeyTable): Uint8Array | undefined {
  return isSearching(view) ? matchingKeys(keys, view.search) : undefined;
}
