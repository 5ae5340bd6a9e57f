import type { PaneId } from '../store/panes.ts';
import type { LogView } from '../store/window-state.ts';

/** What every pane may go by, beside its own view. */
const OF_ALL = ['key', 'summary', 'searchText', 'selection'] as const;
const OF_STATUS = ['state', 'detail', 'damage', 'format', 'units', 'notes'] as const;

type Status = NonNullable<LogView['status']>;

/**
 * A log as a pane with these fields of its own sees it. How far it is read is not there: while a log is read that changes
 * a dozen times a second, and the panes do not.
 */
export type PaneLog<Own extends keyof LogView = never> = Pick<
  LogView,
  (typeof OF_ALL)[number] | 'panes' | Own
> & {
  readonly status: Pick<Status, (typeof OF_STATUS)[number]> | undefined;
};

/** For `memo`: whether a pane, with these fields of its own, would draw what it has drawn. */
export function drawsSame<Own extends keyof LogView = never>(
  pane: PaneId,
  own: readonly Own[] = [],
): (before: { readonly log: PaneLog<Own> }, after: { readonly log: PaneLog<Own> }) => boolean {
  return ({ log: before }, { log: after }) =>
    before === after ||
    (before.panes[pane] === after.panes[pane] &&
      OF_ALL.every((field) => before[field] === after[field]) &&
      own.every((field) => before[field] === after[field]) &&
      OF_STATUS.every((field) => before.status?.[field] === after.status?.[field]));
}
