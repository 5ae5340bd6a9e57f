import { EMPTY_SCOPE, type Scope } from '../../shared/scope/scope.ts';
import type { FrameGrouping, FrameKeys } from '../../shared/trees/grouping.ts';
import type { Metric } from '../../shared/values/metric.ts';
import { type Conditions, NO_CONDITIONS } from '../../shared/views/row-conditions.ts';
import { parseSearch, type Search } from '../../shared/views/search.ts';
import type { ComparisonView, Narrowing } from './pane-messages.ts';

/** Settings of all panes: grouping of frames, metric, search, hidden errors. */
export interface SharedView {
  /** What transforms of the scope name frames by. */
  readonly frames: FrameGrouping;
  /** What rows are made of: `frames`, but for split methods. */
  readonly keys: FrameKeys;
  readonly metric: Metric;
  readonly search: Search;
  /** Samples with an error on their stack are left out of all sums. */
  readonly hidesErrors: boolean;
  readonly scope: Scope;
  /** undefined: nothing is compared. */
  readonly comparison?: ComparisonView | undefined;
  /** The call tree and the methods show only what is below a zoom of the flame graph; undefined: everything in scope. */
  readonly narrowing?: Narrowing | undefined;
  /** Which rows and frames panes show. */
  readonly where: Conditions;
}

export const INITIAL_VIEW: SharedView = {
  frames: 'fqmn',
  keys: 'fqmn',
  metric: 'samples',
  search: parseSearch(''),
  hidesErrors: false,
  scope: EMPTY_SCOPE,
  where: NO_CONDITIONS,
};
