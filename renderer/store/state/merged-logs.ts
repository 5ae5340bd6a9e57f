import { NO_LOG_FACTS } from '../../../shared/facts/log-facts.ts';
import { mergedFacts, type PartFacts } from '../../../shared/merge/merged-facts.ts';
import { mergedName, partNames } from '../../../shared/merge/part-names.ts';
import type { Epoch, LogState, LogStatus } from '../../../shared/protocol/messages.ts';
import { printable } from '../../../shared/text/printable.ts';
import { fullLinkName } from './log-names.ts';
import { restText } from './selectors.ts';
import {
  type AwaitedMerge,
  type LogKey,
  type LogView,
  type MergeOptions,
  newLogView,
  type WindowState,
} from './window-state.ts';

/** The logs that can be merged: those that are not merged themselves. */
export function mergeable(logs: readonly LogView[]): readonly LogView[] {
  return logs.filter(({ merge }) => merge === undefined);
}

/** All logs that are read, also those without a tab. */
export function readLogs({ logs, background }: Pick<WindowState, 'logs' | 'background'>): readonly LogView[] {
  return background.length === 0 ? logs : [...logs, ...background];
}

/** The first log of the same files. */
export const firstOf = ({ key, sameAs = key }: LogView): LogKey => sameAs;

/** Longest name that is given to merged logs; a link may have a longer one. */
export const MOST_MERGE_NAME_CHARACTERS = 200;

/** Shows logs as one, in a tab of its own. An empty name, or one that is too long, is made of theirs. */
export function withMerge(state: WindowState, parts: readonly LogView[], options: MergeOptions): WindowState {
  const names = partNames(parts.map(fullLinkName));
  const { name, threads, sameAs } = options;
  const key = `merged:${state.nextNumber}`;
  const given = name.length > MOST_MERGE_NAME_CHARACTERS ? '' : name.trim();
  const shown = given === '' ? mergedName(names) : printable(given);
  const merged: LogView = {
    ...newLogView(key, undefined, shown, names.join(', ')),
    merge: { parts: parts.map((part) => part.key), names, threads },
    sameAs,
  };
  const added = {
    ...state,
    logs: [...state.logs, merged],
    active: key,
    nextNumber: state.nextNumber + 1,
  };
  return withMergedStatuses(added, parts[0].key, (log, status) => ({ ...log, status }));
}

/** Merges these logs as soon as the missing ones are open. */
export function withAwaitedMerge(state: WindowState, merge: AwaitedMerge): WindowState {
  const parts = merge.parts.flatMap((part) => readLogs(state).find(({ key }) => key === part.key) ?? []);
  return parts.length === merge.parts.length
    ? withMerge(state, parts, merge)
    : { ...state, awaitedMerges: [...state.awaitedMerges, merge] };
}

/** A log that was just opened, as a part of merged logs that wait for it; undefined: none does. */
export function withAwaitedPart(state: WindowState, log: LogView): WindowState | undefined {
  const isIt = ({ again }: AwaitedMerge['parts'][number]): boolean =>
    again !== undefined && again === log.sameAs;
  const merge = state.awaitedMerges.find(({ parts }) => parts.some(isIt));
  if (merge === undefined) return undefined;
  const left = {
    ...state,
    background: [...state.background, log],
    awaitedMerges: state.awaitedMerges.filter((each) => each !== merge),
  };
  const parts = merge.parts.with(merge.parts.findIndex(isIt), { key: log.key });
  return withAwaitedMerge(left, { ...merge, parts });
}

/** Whether a merged log needs this one. */
export function isPart({ logs, awaitedMerges }: WindowState, key: LogKey): boolean {
  return (
    logs.some(({ merge }) => merge?.parts.includes(key)) ||
    awaitedMerges.some(({ parts }) => parts.some((part) => part.key === key))
  );
}

/** The state whose merged logs show what has become of one of their parts, or of themselves. */
export function withMergedStatuses(
  state: WindowState,
  changed: LogKey,
  withStatus: (log: LogView, status: LogStatus) => LogView,
  before?: LogStatus,
): WindowState {
  const isConcerned = ({ key, merge }: LogView): boolean =>
    merge !== undefined && (key === changed || merge.parts.includes(changed));
  if (!state.logs.some(isConcerned)) return state;
  const logs = state.logs.map((log) =>
    isConcerned(log) ? withStatus(log, mergedStatus(log, readLogs(state), changed, before)) : log,
  );
  return { ...state, logs };
}

/** A log that is merged; its status is undefined until it has one. */
interface Part {
  readonly name: string;
  readonly log: LogView | undefined;
}

function mergedStatus(
  { merge, union, status, shownEpoch }: LogView,
  logs: readonly LogView[],
  changed: LogKey,
  before: LogStatus | undefined,
): LogStatus {
  const { parts: keys, names, threads } = merge ?? { parts: [], names: [], threads: 'groups' };
  const parts = keys.map((key, at): Part => ({ name: names[at], log: logs.find((log) => log.key === key) }));
  const { timesAgree = true, span, isFull = false } = union ?? {};
  const facts = mergedFacts(parts.map(partFacts), {
    threads,
    timesAgree,
    spanNs: span && Number(span.last - span.first),
    lastTime: span?.last.toString(),
  });
  const sum = (of: (status: LogStatus) => number): number =>
    parts.reduce((all, { log }) => all + (log?.status === undefined ? 0 : of(log.status)), 0);
  const { problem } = facts;
  return {
    ...facts,
    ...(problem === undefined
      ? mergedState(parts, isFull)
      : { state: 'failed' as const, detail: problem.text }),
    epoch: shownEpoch ?? (0 as Epoch),
    restart: restartOf(parts, keys.indexOf(changed), before) ?? status?.restart,
    fileBytes: sum(({ fileBytes }) => fileBytes),
    readBytes: sum(({ readBytes }) => readBytes),
  };
}

/** The restart of a part whose epoch is another than before; undefined where none has begun anew. */
function restartOf(
  parts: readonly Part[],
  at: number,
  before: LogStatus | undefined,
): LogStatus['restart'] | undefined {
  const status = parts[at]?.log?.status;
  if (status?.restart === undefined || before === undefined || before.epoch === status.epoch)
    return undefined;
  const others = parts.flatMap(({ log }, index) => (index === at ? [] : (log?.status ?? [])));
  return {
    ...status.restart,
    count: others.reduce((sum, { restart }) => sum + (restart?.count ?? 0), status.restart.count),
    samplesBefore: others.reduce((sum, { samples }) => sum + samples, before.samples),
    log: parts[at].name,
  };
}

/** The first of these states that a log has is the state of all: what still happens, then what was lost. */
const STATE_TEXT: Readonly<Record<LogState, string>> = {
  reading: 'reading',
  live: 'live',
  damaged: 'damaged',
  idle: 'idle',
  ended: 'ended',
  full: 'read in part',
  gone: 'file gone',
  waiting: 'waiting',
  failed: 'failed',
};

/** States of which nobody needs to be told. */
const COMPLETE: readonly LogState[] = ['reading', 'live', 'idle', 'ended'];

function partFacts({ name, log }: Part): PartFacts {
  if (log?.status === undefined) return { name, facts: NO_LOG_FACTS, state: 'opening' };
  const { state } = log.status;
  return { name, facts: log.status, state: state === 'idle' ? restText(log) : STATE_TEXT[state] };
}

/** The state of all logs together. Its detail names those that are not complete. */
function mergedState(parts: readonly Part[], isFull: boolean): Pick<LogStatus, 'state' | 'detail'> {
  const detail = parts.flatMap(partDetail).join(' ');
  const states = new Set(parts.map(({ log }) => log?.status?.state ?? 'reading'));
  const state = isFull
    ? 'full'
    : ((Object.keys(STATE_TEXT) as LogState[]).find((each) => states.has(each)) ?? 'reading');
  const full = 'Together these logs have more call nodes than a window holds: only a part is shown.';
  const text = isFull ? `${full} ${detail}`.trimEnd() : detail;
  return { state, detail: text === '' ? undefined : text };
}

/** A sentence for a log that lacks something: 'node2.hpl, file gone: The file was deleted or moved.' */
function partDetail({ name, log }: Part): readonly string[] {
  const status = log?.status;
  if (status === undefined || COMPLETE.includes(status.state)) return [];
  const { state, detail } = status;
  return [`${name}, ${STATE_TEXT[state]}${detail === undefined ? '.' : `: ${detail}`}`];
}
