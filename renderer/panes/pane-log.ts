import type { PaneId } from '../store/panes.ts';
import type { LogView } from '../store/window-state.ts';

/** Fields of a log that all panes read, besides each pane's own view. */
const OF_ALL = ['key', 'summary', 'searchText', 'selection', 'sought', 'baseline'] as const;
const OF_STATUS = [
  ...([
    'state',
    'detail',
    'damage',
    'format',
    'units',
    'choices',
    'notes',
    'hasSampleTimes',
    'errorSamples',
  ] as const),
] as const;

type Status = NonNullable<LogView['status']>;

/**
 * A log reduced to the fields that a pane reads. Reading progress is not among them: it changes a dozen times a second
 * while a log is read, and panes do not draw it.
 */
export type PaneLog<Own extends keyof LogView = never> = Pick<
  LogView,
  (typeof OF_ALL)[number] | 'panes' | Own
> & {
  readonly status: Pick<Status, (typeof OF_STATUS)[number]> | undefined;
};

/** For `memo`: true when a pane that reads these fields would draw the same again. */
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
