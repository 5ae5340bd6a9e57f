import type { LogId } from '../../shared/protocol/messages.ts';
import { printable } from '../../shared/text/printable.ts';
import { saveRecording } from './jvm-actions.ts';
import { unsavedRecordings } from './unsaved-recordings.ts';
import { services, useWindow } from './window-store.ts';
import { changeLog, withoutLog } from './receive.ts';
import type { LogKey, LogView } from './window-state.ts';

const { getState, setState } = useWindow;

export function activate(key: LogKey): void {
  setState({ active: key, chosenTabs: [] });
}

export function activateNeighbour(step: 1 | -1): void {
  const { logs, active } = getState();
  if (logs.length === 0) return;
  const at = logs.findIndex((log) => log.key === active);
  setState({ active: logs[(at + step + logs.length) % logs.length].key, chosenTabs: [] });
}

/** Closes logs; asks before if recordings that nobody has saved are only there. */
export function closeLogs(logs: readonly Pick<LogView, 'key'>[]): void {
  if (unsavedRecordings(getState(), logs).length > 0) setState({ closing: logs.map(({ key }) => key) });
  else for (const { key } of logs) closeNow(key);
}

export function closeLog(key: LogKey): void {
  closeLogs([{ key }]);
}

function closeNow(key: LogKey): void {
  const log = getState().logs.find((view) => view.key === key);
  if (log?.hostLog !== undefined) services().client.send({ type: 'close', log: log.hostLog });
  setState((state) => withoutLog(state, key));
}

/**
 * Answers the question before logs are closed. Saved recordings close their logs when there is a file of them; a discarded
 * one is kept for a while by the host.
 */
export function answerClosing(answer: 'save' | 'discard' | 'cancel'): void {
  const { logs, closing = [] } = getState();
  const closed = logs.filter(({ key }) => closing.includes(key));
  const unsaved = answer === 'save' ? unsavedRecordings(getState(), closed) : [];
  setState({ closing: undefined });
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

function showsAny({ hostLog, parts = [] }: LogView, recordings: readonly LogId[]): boolean {
  return recordings.some((recording) => recording === hostLog || parts.includes(recording));
}

export function closeActive(): void {
  const { active } = getState();
  if (active !== undefined) closeLog(active);
}

export function closeOthers(key: LogKey): void {
  closeLogs(getState().logs.filter((log) => log.key !== key));
}

/** Closes the tabs to the right of this one. */
export function closeToTheRight(key: LogKey): void {
  const { logs } = getState();
  const at = logs.findIndex((log) => log.key === key);
  if (at >= 0) closeLogs(logs.slice(at + 1));
}

/** The tabs with one of them moved in front of the tab at `before`, or behind all; the same array if nothing changes. */
export function withTabMoved(logs: readonly LogView[], key: LogKey, before: number): readonly LogView[] {
  const from = logs.findIndex((log) => log.key === key);
  if (from < 0 || before === from || before === from + 1) return logs;
  const others = logs.toSpliced(from, 1);
  return others.toSpliced(before > from ? before - 1 : before, 0, logs[from]);
}

/** Moves a tab in front of the tab that is now at `before`; behind all for the number of tabs. */
export function moveTab(key: LogKey, before: number): void {
  setState(({ logs }) => ({ logs: withTabMoved(logs, key, before) }));
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
