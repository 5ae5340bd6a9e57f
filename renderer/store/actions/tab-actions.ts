import type { LogId } from '../../../shared/protocol/messages.ts';
import { printable } from '../../../shared/text/printable.ts';
import { useWindow, send } from '../state/window-store.ts';
import { firstOf, mergeable, readLogs, withMerge } from '../state/merged-logs.ts';
import { withoutTab } from '../events/receive.ts';
import { changeLog } from '../state/state-changes.ts';
import type { LogKey, LogView, WindowState } from '../state/window-state.ts';
import type { MergedThreads } from '../../../shared/facts/choice.ts';
import { saveRecording } from './jvm-actions.ts';

const { getState, setState } = useWindow;

const keysOf = (logs: readonly LogView[]): readonly LogKey[] => logs.map(({ key }) => key);

export function activate(key: LogKey): void {
  setState({ active: key });
}

export function activateNeighbour(step: 1 | -1): void {
  const { logs, active } = getState();
  if (logs.length === 0) return;
  const at = logs.findIndex((log) => log.key === active);
  setState({ active: logs[(at + step + logs.length) % logs.length].key });
}

/** Closes logs; asks before if recordings that nobody has saved are only there. */
export function closeLogs(logs: readonly LogKey[]): void {
  if (unsavedRecordings(getState(), logs).length > 0) setState({ dialog: { kind: 'closing', logs } });
  else logs.forEach(closeNow);
}

export function closeLog(key: LogKey): void {
  closeLogs([key]);
}

/** The logs that are asked about. */
export function closingLogs({ dialog }: WindowState): readonly LogKey[] {
  return dialog?.kind === 'closing' ? dialog.logs : [];
}

function closeNow(key: LogKey): void {
  const before = readLogs(getState());
  setState((state) => withoutTab(state, key));
  const left = readLogs(getState());
  for (const { key: each, hostLog } of before)
    if (hostLog !== undefined && left.every((log) => log.key !== each)) send({ type: 'close', log: hostLog });
}

/**
 * Answers the question before logs are closed. Saved recordings close their logs when there is a file of them; a discarded
 * one is kept for a while by the host.
 */
export function answerClosing(answer: 'save' | 'discard' | 'cancel'): void {
  const { logs } = getState();
  const closing = closingLogs(getState());
  const closed = logs.filter(({ key }) => closing.includes(key));
  const unsaved = answer === 'save' ? unsavedRecordings(getState(), closing) : [];
  setState({ dialog: undefined });
  if (answer === 'cancel') return;
  const waiting = closed.filter((log) => showsAny(log, unsaved));
  for (const recording of unsaved) {
    const closes = waiting
      .filter((log) => showsAny(log, [recording]))
      .flatMap(({ hostLog }) => hostLog ?? []);
    saveRecording(recording, closes);
  }
  for (const log of closed) if (!waiting.includes(log)) closeNow(log.key);
}

function showsAny({ key, merge }: LogView, recordings: readonly LogId[]): boolean {
  return readLogs(getState()).some(
    (log) =>
      recordings.some((recording) => recording === log.hostLog) &&
      (log.key === key || merge?.parts.includes(log.key) === true),
  );
}

export function closeActive(): void {
  const { active } = getState();
  if (active !== undefined) closeLog(active);
}

export function closeOthers(key: LogKey): void {
  closeLogs(keysOf(getState().logs).filter((other) => other !== key));
}

/** Closes the tabs to the right of this one. */
export function closeToTheRight(key: LogKey): void {
  const keys = keysOf(getState().logs);
  if (keys.includes(key)) closeLogs(keys.slice(keys.indexOf(key) + 1));
}

/** Moves a tab in front of the tab that is now at `before`; behind all for the number of tabs. */
export function moveTab(key: LogKey, before: number): void {
  setState(({ logs }) => {
    const from = logs.findIndex((log) => log.key === key);
    if (from < 0 || before === from || before === from + 1) return {};
    return { logs: logs.toSpliced(from, 1).toSpliced(before > from ? before - 1 : before, 0, logs[from]) };
  });
}

/** Moves the active tab by one place. */
export function moveActive(step: 1 | -1): void {
  const { logs, active } = getState();
  const at = logs.findIndex((log) => log.key === active);
  const to = at + step;
  if (active !== undefined && at >= 0 && to >= 0 && to < logs.length) moveTab(active, step < 0 ? to : to + 1);
}

/** Longest name of a tab, characters. */
const MOST_CHARACTERS = 200;

/** Gives a log a name in this window; '' is that of its file. The file keeps its own. */
export function rename(key: LogKey, text: string): void {
  const label = printable(text.trim()).slice(0, MOST_CHARACTERS);
  setState((state) => changeLog(state, key, (log) => ({ ...log, label: label === log.name ? '' : label })));
}

/**
 * The recordings that nobody has saved, and that no open log shows once these are closed. Each is named by a log that
 * reads it, which may be one without a tab that goes on for a merged log.
 */
export function unsavedRecordings(state: WindowState, closed: readonly LogKey[]): readonly LogId[] {
  const left = readLogs(closed.reduce(withoutTab, state));
  const lost = readLogs(state).filter((log) => left.every((other) => firstOf(other) !== firstOf(log)));
  const unsaved = new Map<LogKey, LogId>();
  for (const log of lost) {
    const { hostLog } = log;
    const recording = hostLog === undefined ? undefined : state.jvms.recordings[hostLog];
    if (hostLog !== undefined && (recording === 'running' || recording === 'unsaved'))
      unsaved.set(firstOf(log), hostLog);
  }
  return [...unsaved.values()];
}

/** Shows these logs as one, in a tab of its own, and merges none that is merged itself. */
export function mergeLogs(logs: readonly LogView[], name: string, threads: MergedThreads): void {
  const parts = mergeable(logs);
  if (parts.length > 1) setState((state) => withMerge(state, parts, { name, threads }));
}
