import {
  type Chosen,
  chosenOf,
  chosenSampleType,
  isChosen,
  MERGED_THREADS_CHOICE,
  NOTHING_CHOSEN,
  SAMPLE_TYPE_CHOICE,
} from '../../../shared/facts/choice.ts';
import { printable } from '../../../shared/text/printable.ts';
import { changeActive, select } from './actions.ts';
import { readLogs } from '../state/merged-logs.ts';
import { changeLog } from '../state/state-changes.ts';
import { withoutZooms } from '../state/scope-history.ts';
import { activeLog } from '../state/selectors.ts';
import { type LogKey, type LogView, newLogView } from '../state/window-state.ts';
import { services, useWindow, send } from '../state/window-store.ts';

const { getState, setState } = useWindow;

/** Shows the host's file dialog; a host without one uses the browser's through `input`. */
export function openLog(input: HTMLInputElement | null): void {
  if (getState().capabilities.openDialog) send({ type: 'openDialog' });
  else input?.click();
}

/** Opens dropped files: by the host if it can reach them, otherwise in this window. */
export function openDropped(files: readonly File[]): void {
  const { host } = services();
  const takes = getState().capabilities.openDropped;
  openHere(files.filter((file) => !takes || !host.openDropped(file)));
}

/** Reads files in this window: they are not followed, and no data leaves the machine. */
export function openHere(files: readonly File[], chosen?: Chosen): void {
  for (const file of files) readHere(file, 'logs', chosen);
}

/** Reads a file in this window: in a tab that is shown, or in the background without one. */
export function readHere(file: File, where: 'logs' | 'background', chosen = NOTHING_CHOSEN): LogKey {
  const { nextNumber, [where]: others } = getState();
  const key = `file:${nextNumber}`;
  const log = { ...newLogView(key, undefined, printable(file.name), 'read by this window'), file };
  const shown = where === 'logs' ? { active: key } : {};
  setState({ nextNumber: nextNumber + 1, [where]: [...others, log], ...shown });
  services().mirrors.post(key, { type: 'readFile', file, chosen });
  return key;
}

/** Reads the active log again with one choice changed; an empty text resets the choice. */
export function choose(id: string, value: string): void {
  readAgain({ id, value });
}

/**
 * Reads the active log again, with its choices. Zoom and selection are dropped, because call nodes have other numbers
 * after it.
 */
export function readAgain(change?: { readonly id: string; readonly value: string }): void {
  const log = activeLog(getState());
  if (log?.status === undefined) return;
  const chosen = chosenOf(log.status.choices, change);
  readWith(log, chosen);
  changeActive((view) => ({ ...withoutZooms(view), chosen }));
  setState(({ logs, background }) => ({
    logs: logs.map((other) => withAgreeingType(other, log, chosen)),
    background: background.map((other) => withAgreeingType(other, log, chosen)),
  }));
  select(undefined);
}

/** Has a log read with these choices. The sample type of merged logs is that of each. */
export function readWith({ key, hostLog, file, merge }: LogView, chosen: Chosen): void {
  if (hostLog !== undefined) send({ type: 'choose', log: hostLog, chosen });
  else if (file !== undefined) services().mirrors.post(key, { type: 'readFile', file, chosen });
  if (merge === undefined) return;
  const { [MERGED_THREADS_CHOICE]: threads } = chosen;
  if (threads === 'groups' || threads === 'together')
    setState((state) => changeLog(state, key, (log) => ({ ...log, merge: { ...merge, threads } })));
  const type = chosenSampleType(chosen);
  if (type === undefined) return;
  for (const part of readLogs(getState())) {
    const choices = part.status?.choices ?? [];
    const isOther =
      part.status !== undefined &&
      merge.parts.includes(part.key) &&
      !isChosen(choices, SAMPLE_TYPE_CHOICE, type);
    if (isOther) readWith(part, chosenOf(choices, { id: SAMPLE_TYPE_CHOICE, value: type }));
  }
}

/**
 * Merged logs and those that they merge are read with one sample type: what the next start restores must agree, because
 * the order in which it is restored is not known.
 */
function withAgreeingType(other: LogView, { key, merge }: LogView, chosen: Chosen): LogView {
  const type = chosenSampleType(chosen);
  if (type !== undefined && merge?.parts.includes(other.key) === true)
    return { ...other, chosen: { ...other.chosen, [SAMPLE_TYPE_CHOICE]: type } };
  if (other.merge?.parts.includes(key) !== true || other.chosen === undefined) return other;
  const { [SAMPLE_TYPE_CHOICE]: ofAll, ...rest } = other.chosen;
  if (ofAll === type) return other;
  return { ...other, chosen: rest };
}
