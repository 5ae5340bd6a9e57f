import type { LogView, WindowState } from './window-state.ts';
import { activeLog } from './selectors.ts';
import type { PaneId } from '../panes/panes.ts';

type Fields<Of> = readonly (keyof Of)[];

/** Fields of a log that change when its worker has answered a pane, and that no pane reads of another one. */
const OF_ANSWERS: Fields<LogView> = [
  'panes',
  'selectionTurn',
  'answeredTurn',
  'timeline',
  'timelineZoom',
  'tracks',
  'heatmap',
  'durations',
  'gaps',
  'about',
];

/** Fields of a log that change when a pane is scrolled or a row is selected, too. */
const OF_PANES: Fields<LogView> = [...OF_ANSWERS, 'selection', 'detail', 'sought'];

/** Fields of a log that change a dozen times a second while it is read, and that no pane draws. */
const OF_PROGRESS: Fields<LogView> = [
  ...OF_ANSWERS,
  'status',
  'mirrored',
  'readUpTo',
  'rate',
  'pace',
  'computing',
];

/** Whether two objects differ at most in these fields. */
function differsOnlyIn<Of extends object>(
  fields: Fields<Of>,
  before: Of | undefined,
  after: Of | undefined,
): boolean {
  if (before === after) return true;
  if (before === undefined || after === undefined) return false;
  return (Object.keys(after) as (keyof Of)[]).every(
    (field) => fields.includes(field) || before[field] === after[field],
  );
}

/** A selector of the active log that returns the same object while only its panes change: their fields may be old. */
export function quietActiveLog(): (state: WindowState) => LogView | undefined {
  let before: LogView | undefined;
  return (state) => {
    const log = activeLog(state);
    return differsOnlyIn(OF_PANES, before, log) ? before : (before = log);
  };
}

/** All logs, each unchanged while only its panes change. */
export function quietLogs(): (state: WindowState) => readonly LogView[] {
  let before: readonly LogView[] = [];
  return ({ logs }) => {
    const isSame =
      logs.length === before.length && logs.every((log, at) => differsOnlyIn(OF_PANES, before[at], log));
    return isSame ? before : (before = logs);
  };
}

/** For `memo`: true when this pane would draw the same again. Reading progress is not drawn: all counts, and the last time. */
export function drawsSame(
  pane: PaneId,
): (before: { readonly log: LogView }, after: { readonly log: LogView }) => boolean {
  return ({ log: before }, { log: after }) => {
    const counts = Object.entries(after.status ?? {}).flatMap(([field, value]) =>
      typeof value === 'number' || field === 'lastTime' ? [field] : [],
    );
    return (
      before.panes[pane] === after.panes[pane] &&
      differsOnlyIn(OF_PROGRESS, before, after) &&
      differsOnlyIn(counts as Fields<NonNullable<LogView['status']>>, before.status, after.status)
    );
  };
}
