import type { Scope } from '../../shared/scope/scope.ts';
import { onlyThreads, threadsOfRow } from '../../shared/scope/thread-pattern.ts';
import { capitalised } from '../../shared/text/format-value.ts';
import type { LogStatus } from '../../shared/protocol/messages.ts';
import type { SpreadPart } from '../profile-worker/pane-messages.ts';
import type { SpreadSpec } from '../profile-worker/pane-specs.ts';
import type { LogView } from './window-state.ts';

type SpreadParts = SpreadSpec['parts'];

/** The fields of a log by which it has parts. */
type DividedLog = Pick<LogView, 'merge' | 'summary' | 'panes'> & {
  readonly status: Pick<LogStatus, 'choices' | 'hasSampleTimes'> | undefined;
};

/** Parts that a log can be divided into, and what they are called. */
interface PartsChoice {
  readonly value: SpreadParts;
  readonly text: string;
  /** One of them, as a title, and several, within a sentence. */
  readonly one: string;
  readonly many: string;
  /** Each follows the one before it in time. */
  readonly inOrder: boolean;
}

/** The parts that a log has several of, the most likely ones first. */
export function partsChoices({ status, merge, summary }: Omit<DividedLog, 'panes'>): readonly PartsChoice[] {
  const threads = groupedBy(status);
  const inOrder = threads === 'hour' || threads === 'date';
  const one = capitalised(threads);
  const name = { value: 'name' as const, text: `${one}s`, one, many: `${threads}s`, inOrder };
  const isOfThreads = threads === 'thread';
  const hasThreads = (summary?.threads ?? 0) > 1;
  return [
    ...(merge === undefined
      ? []
      : [{ value: 'group' as const, text: 'Files', one: 'File', many: 'files', inOrder: false }]),
    ...(hasThreads ? [name] : []),
    ...(hasThreads && isOfThreads
      ? [{ value: 'pool' as const, text: 'Pools', one: 'Pool', many: 'pools', inOrder: false }]
      : []),
    ...(status?.hasSampleTimes === true
      ? [{ value: 'time' as const, text: 'Time', one: 'From', many: 'parts of the time', inOrder: true }]
      : []),
  ];
}

/** The name of what a log has as threads: threads, or hosts, days or another column of a dataset. */
function groupedBy(status: DividedLog['status']): string {
  const choice = status?.choices.find(({ id }) => id === 'per');
  return choice?.kind === 'one' ? choice.chosen : 'thread';
}

/** The parts that are shown; undefined: the log has none. */
export function shownParts(log: DividedLog): PartsChoice | undefined {
  const choices = partsChoices(log);
  return choices.find(({ value }) => value === log.panes.spread.parts) ?? choices.at(0);
}

/** Whether the scope is one of the parts that were shown last. */
export function showsOnlyPart(
  { panes, scope }: Pick<LogView, 'panes' | 'scope'>,
  parts: SpreadParts,
): boolean {
  const { shown } = panes.spread;
  return shown?.of === parts && shown.parts.some((part) => isOnlyPart(scope, parts, part));
}

/** Whether the scope is this part. */
export function isOnlyPart(
  scope: Pick<Scope, 'range' | 'threads'>,
  parts: SpreadParts,
  part: SpreadPart,
): boolean {
  const { range, threads } = scopeOfPart(scope, parts, part);
  return parts === 'time'
    ? JSON.stringify(range) === JSON.stringify(scope.range)
    : JSON.stringify(threads) === JSON.stringify(scope.threads);
}

/** A scope with this part instead of what it had of the kind. */
export function scopeOfPart<Of extends Pick<Scope, 'range' | 'threads'>>(
  scope: Of,
  parts: SpreadParts,
  { name, range }: SpreadPart,
): Of {
  return parts === 'time'
    ? { ...scope, range: range && { kind: 'between', ...range } }
    : { ...scope, threads: onlyThreads(threadsOfRow(name, parts)) };
}
