import type { LogView, WindowState } from './window-state.ts';
import { activeLog } from './selectors.ts';
import type { PaneId } from '../panes/panes.ts';

/** Fields of a log that change when its worker has answered, a pane is scrolled or a row is selected. */
const OF_PANES: ReadonlySet<string> = new Set<keyof LogView>([
  'panes',
  'selection',
  'selectionTurn',
  'answeredTurn',
  'detail',
  'sought',
  'timeline',
  'timelineZoom',
  'tracks',
  'heatmap',
  'durations',
  'gaps',
  'about',
]);

/** Whether two states of a log differ at most in what only panes read. */
function differsInPanesOnly(before: LogView | undefined, after: LogView | undefined): boolean {
  if (before === after) return true;
  if (before === undefined || after === undefined) return false;
  return (Object.keys(after) as (keyof LogView)[]).every(
    (field) => OF_PANES.has(field) || before[field] === after[field],
  );
}

/** A selector of the active log that returns the same object while only its panes change: their fields may be old. */
export function quietActiveLog(): (state: WindowState) => LogView | undefined {
  let before: LogView | undefined;
  return (state) => {
    const log = activeLog(state);
    return differsInPanesOnly(before, log) ? before : (before = log);
  };
}

/** All logs, each unchanged while only its panes change. */
export function quietLogs(): (state: WindowState) => readonly LogView[] {
  let before: readonly LogView[] = [];
  return ({ logs }) => {
    const isSame =
      logs.length === before.length && logs.every((log, at) => differsInPanesOnly(before[at], log));
    return isSame ? before : (before = logs);
  };
}

/** Fields of a log that all panes read, besides each pane's own view. */
const OF_ALL = ['key', 'summary', 'searchText', 'selection', 'sought', 'baseline'] as const;
const OF_STATUS = [
  'state',
  'detail',
  'damage',
  'format',
  'units',
  'choices',
  'notes',
  'hasSampleTimes',
  'errorSamples',
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
