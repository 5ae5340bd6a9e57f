import {
  type Chosen,
  chosenOf,
  isChosen,
  SAMPLE_TYPE_CHOICE,
  sampleTypeChoice,
} from '../../../shared/facts/choice.ts';
import { type Baseline, ownBaseline, type TimeRange } from '../../../shared/scope/scope.ts';
import { STABLE_NAMES } from '../../../shared/scope/transform-list.ts';
import { printable } from '../../../shared/text/printable.ts';
import { changeActive, showNotice, changeScope } from './actions.ts';
import { openDropped, openHere, readHere } from './log-actions.ts';
import { firstOf, readLogs, withAwaitedMerge } from '../state/merged-logs.ts';
import { changeLog } from '../state/state-changes.ts';
import { isLinkName } from '../state/log-names.ts';
import { withScope } from '../state/scope-history.ts';
import { activeLog, isGrowing, mayGrow, unitsOf } from '../state/selectors.ts';
import type { ChosenOption, LogKey, LogView, Merge, WindowState } from '../state/window-state.ts';
import { useWindow, subscribe, send } from '../state/window-store.ts';

/**
 * Compares a log with another one, which stays open and may grow, too. Where their values have different units, by samples.
 */
export function compareLogs(key: LogKey, base: LogKey): void {
  useWindow.setState((state) => {
    const other = state.logs.find((log) => log.key === base);
    if (other === undefined) return state;
    return { ...changeLog(state, key, (log) => withBaseLog(log, other, {})), active: key };
  });
}

/**
 * `rest`: of the other log. A JVM numbers its lambdas and proxies anew in each run: for logs of two runs the scope gets
 * stable names, as the command line compares them, unless it says something about names already.
 */
function withBaseLog(log: LogView, other: LogView, rest: Baseline): LogView {
  const [own, others] = [log, other].map((each) => unitsOf(each).value?.unit);
  const baseline = { ...rest, log: other.key };
  const { scope } = log;
  const isFolded = scope.transforms.some(({ kind }) => kind === STABLE_NAMES.kind);
  return withScope(log, {
    baseline: own === others ? baseline : { ...baseline, onlySamples: true },
    scope:
      isFolded || isOfSameFiles(other, log)
        ? scope
        : { ...scope, transforms: [...scope.transforms, STABLE_NAMES] },
  });
}

/** Opens files, and compares a log with the first of them. */
export function compareWithFiles(key: LogKey | undefined, files: readonly File[]): void {
  const name = files.at(0)?.name;
  if (key !== undefined && name !== undefined) {
    useWindow.setState((state) => {
      const known = state.logs.filter((log) => log.name === printable(name)).map((log) => log.key);
      const awaitedBase = { name: printable(name), rest: {}, known };
      // A log of this name that is on screen next is the one that the host already had open.
      return { ...changeLog(state, key, (log) => ({ ...log, awaitedBase })), active: key };
    });
  }
  openDropped(files);
}

/** The other sample types of a log's file or recording, or of all merged logs, which it can be compared with. */
export function otherSampleTypes({ status }: LogView): readonly ChosenOption[] {
  const choice = sampleTypeChoice(status?.choices ?? []);
  return (choice?.options ?? [])
    .filter(({ value }) => value !== choice?.chosen && value !== '')
    .map(({ value, text }) => ({ id: SAMPLE_TYPE_CHOICE, value, text }));
}

/** Why a log that has sample types cannot be compared with another one of them: a sentence. */
export function noOtherType(log: LogView): string | undefined {
  const choice = sampleTypeChoice(log.status?.choices ?? []);
  if (choice === undefined || otherSampleTypes(log).length > 0) return undefined;
  if (log.merge !== undefined) return 'There is no other sample type that all of these logs have.';
  return log.isRecording
    ? 'This recording has no samples of another type so far. Which types it records was chosen when it began.'
    : 'This file has no samples of another type.';
}

const hasChosen = ({ status }: LogView, { id, value }: ChosenOption): boolean =>
  isChosen(status?.choices ?? [], id, value);

/** Compares a log with another sample type of its files, which are read again in a tab of their own unless they have one. */
export function compareWithSampleType(key: LogKey, choice: ChosenOption): void {
  const { logs } = useWindow.getState();
  const log = logs.find((each) => each.key === key);
  if (log === undefined) return;
  const open = logs.find((each) => isOfSameFiles(each, log) && hasChosen(each, choice));
  if (open !== undefined) return compareLogs(key, open.key);
  const known = logs.filter(({ name }) => name === log.name).map((each) => each.key);
  const awaitedBase = { name: log.name, rest: {}, known, choice };
  useWindow.setState((state) => changeLog(state, key, (each) => ({ ...each, awaitedBase })));
  const chosen = { [choice.id]: choice.value };
  if (log.merge !== undefined) mergeAgain(log, log.merge, choice);
  else if (log.hostLog !== undefined) send({ type: 'openAgain', log: log.hostLog, chosen });
  else if (log.file !== undefined) openHere([log.file], chosen);
}

/** Opens the files of merged logs once more, without tabs, and merges them as soon as all are open. */
function mergeAgain(log: LogView, { parts: keys, threads }: Merge, choice: ChosenOption): void {
  const parts = readLogs(useWindow.getState()).filter(({ key }) => keys.includes(key));
  const chosenIn = ({ status }: LogView): Chosen => chosenOf(status?.choices ?? [], choice);
  const again = parts.map((part) =>
    part.file === undefined
      ? { again: firstOf(part) }
      : { key: readHere(part.file, 'background', chosenIn(part)) },
  );
  const merge = { name: log.name, threads, sameAs: firstOf(log), parts: again };
  useWindow.setState((state) => withAwaitedMerge(state, merge));
  for (const part of parts)
    if (part.hostLog !== undefined) send({ type: 'openAgain', log: part.hostLog, chosen: chosenIn(part) });
}

/** All recordings of a JVM are in one folder, and have one name. */
function isOfSameFiles(other: LogView, log: LogView): boolean {
  if (log.file !== undefined) return other.file === log.file;
  if (log.isRecording || log.merge !== undefined) return firstOf(other) === firstOf(log);
  return other.name === log.name && other.folder === log.folder;
}

/**
 * The log with the samples of its range as the new ones, and all others as baseline. A range without a start gets that of
 * the whole, which would not contain it otherwise.
 */
function withRest(log: LogView): LogView {
  const whole = wholeRange(log);
  if (whole === undefined) return log;
  const { scope } = log;
  const { range } = scope;
  const isOpen = range?.kind === 'between' && range.from === undefined;
  const own = isOpen ? { ...range, from: whole.from } : range;
  return {
    ...withScope(log, { scope: { ...scope, range: own }, baseline: { range: whole } }),
    offeredRange: undefined,
  };
}

/** Compares the range of the active log with the rest of the log. */
export function compareWithRest(): void {
  changeActive(withRest);
}

/** Any time of a log, as a range that has a start; undefined until that is known. */
export function wholeRange({ timeline }: LogView): Extract<TimeRange, { kind: 'between' }> | undefined {
  return timeline && { kind: 'between', from: timeline.first, to: undefined };
}

/** The new side of the active log's comparison becomes the base, and the base the new side. One step for undo. */
export function swapSides(): void {
  useWindow.setState((state) => {
    const log = activeLog(state);
    if (log?.baseline === undefined) return state;
    const { scope, baseline } = log;
    const { threads = scope.threads, contexts = scope.contexts } = baseline;
    const next = { ...scope, threads, contexts };
    const other = state.logs.find(({ key }) => key === baseline.log);
    if (other !== undefined) {
      const swapped = { ...next, range: baseline.range };
      const rest = { range: scope.range, ...otherSide(log, baseline) };
      const change = (each: LogView): LogView => withBaseLog(withScope(each, { scope: swapped }), log, rest);
      return { ...changeLog(state, other.key, change), active: other.key };
    }
    const whole = wholeRange(log);
    const isWhole = JSON.stringify(baseline.range) === JSON.stringify(whole);
    const range = isWhole ? undefined : (baseline.range ?? scope.range);
    return changeLog(state, log.key, (each) =>
      withScope(each, {
        scope: { ...next, range },
        baseline: { ...(baseline.range && { range: scope.range ?? whole }), ...otherSide(log, baseline) },
      }),
    );
  });
}

/** The threads and contexts in scope, where the other side of the comparison has its own. */
function otherSide({ scope }: LogView, { threads, contexts }: Baseline): Baseline {
  return { ...(threads && { threads: scope.threads }), ...(contexts && { contexts: scope.contexts }) };
}

/** All before a moment is compared with all after it. */
export function isMarked({ scope: { range }, baseline }: LogView): boolean {
  const before = ownBaseline(baseline)?.range;
  return (
    range?.kind === 'between' &&
    before?.kind === 'between' &&
    before.to !== undefined &&
    before.to === range.from &&
    range.to === undefined
  );
}

/** Whether `mark` compares the selected range with the rest; otherwise new samples with those before the present. */
export function marksRange(log: LogView): boolean {
  return !mayGrow(log) || (!isGrowing(log) && log.scope.range !== undefined);
}

/** Advice where nothing comes after a mark. */
export const COMPARE_PARTS = 'A range of the timeline can be compared with the rest.';

/**
 * Marks the present: the samples so far are the baseline of all that come from now on, also those so far that the window does
 * not have yet, as while it is frozen.
 */
export function markNow(): void {
  const log = activeLog(useWindow.getState());
  // Its times are about to be known.
  if (log?.timeline === undefined) return;
  if (!isGrowing(log))
    return showNotice(
      'info',
      `Nothing was marked: this log has not grown since it was opened, and no sample would be new. ${COMPARE_PARTS}`,
    );
  const { timeline, status, shownEpoch } = log;
  const shown = BigInt(timeline.first) + BigInt(timeline.last);
  const read =
    status?.epoch === shownEpoch && status?.lastTime !== undefined ? BigInt(status.lastTime) : shown;
  const now = ((read > shown ? read : shown) + 1n).toString();
  changeScope(({ scope }) => ({
    baseline: { range: { kind: 'between', from: undefined, to: now } },
    scope: { ...scope, range: { kind: 'between', from: now, to: undefined } },
  }));
}

/** Compares the selected range with the rest, or what comes with all before the present: see `marksRange`. */
export function mark(): void {
  const log = activeLog(useWindow.getState());
  if (log === undefined) return;
  if (log.status?.hasSampleTimes !== true) {
    showNotice('info', 'There is nothing to mark: this file does not record when samples were taken.');
  } else if (!marksRange(log)) {
    markNow();
  } else if (log.scope.range !== undefined) {
    changeActive(withRest);
  } else if (log.status.state === 'reading') {
    showNotice('info', 'The log is still being read. Press Alt M again when all is read.');
  } else {
    showNotice('info', 'First drag over a range in the timeline: Alt M compares it with the rest.');
  }
}

/**
 * The logs that wait for a baseline with the one that is open now, and one of these that is to be shown; the same array
 * where none does. The log of a name that was opened last is meant.
 */
export function withAwaitedBases({ logs, active }: Pick<WindowState, 'logs' | 'active'>): {
  readonly logs: readonly LogView[];
  readonly compared: LogKey | undefined;
} {
  let compared: LogKey | undefined;
  const named = new Map<LogKey, string>();
  const changed = logs.map((log) => {
    const { awaitedBase, key } = log;
    const isMeant = (each: LogView): boolean =>
      each.key !== key &&
      awaitedBase !== undefined &&
      isLinkName(awaitedBase.name, each) &&
      (each.key === active || !awaitedBase.known.includes(each.key));
    const base = awaitedBase && logs.findLast(isMeant);
    // Its units are known when it has been read a little.
    if (awaitedBase === undefined || base?.status === undefined) return log;
    const { choice } = awaitedBase;
    if (choice !== undefined && !hasChosen(base, choice)) return log;
    if (awaitedBase.isRestored !== true) compared = key;
    if (choice !== undefined) named.set(base.key, `${base.name}: ${choice.text}`);
    return withBaseLog(log, base, awaitedBase.rest);
  });
  if (changed.every((log, at) => log === logs[at])) return { logs, compared };
  // The other tab has the same name.
  return { logs: changed.map((log) => ({ ...log, label: named.get(log.key) ?? log.label })), compared };
}

/** Compares logs with what they wait for as soon as it is open, and shows them. */
export function compareWithAwaited(): void {
  subscribe(({ logs, active }, before) => {
    if (logs === before.logs && active === before.active) return;
    const found = withAwaitedBases({ logs, active });
    if (found.logs !== logs) useWindow.setState({ logs: found.logs, active: found.compared ?? active });
  });
}
