import type { LogView, WindowState } from './window-state.ts';
import { activeLog } from './selectors.ts';

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
  'gaps',
  'methodTimes',
]);

/** Whether two states of a log differ at most in what only panes read. */
export function differsInPanesOnly(before: LogView | undefined, after: LogView | undefined): boolean {
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
