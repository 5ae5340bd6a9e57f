import type { SharePart } from '../../shared/engine/comparison/method-changes.ts';
import type { SpreadParts } from '../../shared/engine/comparison/spread.ts';
import { hasIntervals } from '../../shared/profile/profile-units.ts';
import { EMPTY_SCOPE, type Scope } from '../../shared/scope/scope.ts';
import { onlyThreads, threadsOfRow, withoutThreads } from '../../shared/scope/thread-pattern.ts';
import { capitalised } from '../../shared/text/format-value.ts';
import type { LogStatus } from '../../shared/protocol/messages.ts';
import type { SpreadPart, SpreadSpec } from '../profile-worker/pane-messages.ts';
import { changeActive } from './actions.ts';
import { wholeRange } from './compare-actions.ts';
import { withScope } from './scope-history.ts';
import { detailOf, hasSampleTimes, unitsOf } from './selectors.ts';
import type { LogView } from './window-state.ts';

/** The fields of a log by which it has parts. */
type DividedLog = Pick<LogView, 'merge' | 'summary' | 'panes'> & {
  readonly status: Pick<LogStatus, 'choices' | 'hasSampleTimes'> | undefined;
};

/** Parts that a log can be divided into, and what they are called. */
interface PartsChoice {
  readonly value: SpreadParts;
  readonly text: string;
  /** One of them. */
  readonly one: string;
  /** Each follows the one before it in time. */
  readonly inOrder: boolean;
}

/** The parts that a log has several of, the most likely ones first. */
export function partsChoices({ status, merge, summary }: Omit<DividedLog, 'panes'>): readonly PartsChoice[] {
  const threads = groupedBy(status);
  const inOrder = threads === 'hour' || threads === 'date';
  const one = capitalised(threads);
  const name = { value: 'name' as const, text: `${one}s`, one, inOrder };
  const isOfThreads = threads === 'thread';
  const hasThreads = (summary?.threads ?? 0) > 1;
  return [
    ...(merge === undefined ? [] : [{ value: 'group' as const, text: 'Files', one: 'File', inOrder: false }]),
    ...(hasThreads ? [name] : []),
    ...(hasThreads && isOfThreads
      ? [{ value: 'pool' as const, text: 'Pools', one: 'Pool', inOrder: false }]
      : []),
    ...(hasSampleTimes({ status })
      ? [{ value: 'time' as const, text: 'Time', one: 'From', inOrder: true }]
      : []),
  ];
}

/** What each thread of a log is: a thread, or a host, day or other column of a dataset. */
function groupedBy(status: DividedLog['status']): string {
  const choice = status?.choices.find(({ id }) => id === 'per');
  return choice?.kind === 'one' ? choice.chosen : 'thread';
}

/** The parts that are shown; undefined: the log has none. */
export function shownParts(log: DividedLog): PartsChoice | undefined {
  const choices = partsChoices(log);
  return choices.find(({ value }) => value === log.panes.spread.parts) ?? choices.at(0);
}

export function spreadSpec(log: LogView): SpreadSpec | undefined {
  const choice = shownParts(log);
  if (choice === undefined) return undefined;
  const { value: parts, inOrder } = choice;
  const { by } = log.panes.spread;
  return {
    ...{ kind: 'spread', of: 'methods', parts, inOrder, by },
    method: detailOf(log),
    isIndependent: hasIntervals(unitsOf(log)),
    without: !showsOnlyPart(log, parts) ? undefined : parts === 'time' ? 'range' : 'threads',
  };
}

/** Whether the scope is one of the parts that were shown last. */
function showsOnlyPart({ panes, scope }: Pick<LogView, 'panes' | 'scope'>, parts: SpreadParts): boolean {
  const { shown } = panes.spread;
  return shown?.of === parts && shown.parts.some((part) => isOnlyPart(scope, parts, part));
}

export function chooseSpread(change: { readonly parts?: SpreadParts; readonly by?: SharePart }): void {
  changeActive((log) => ({
    ...log,
    panes: { ...log.panes, spread: { ...log.panes.spread, ...change } },
  }));
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

function scopeOfPart<Of extends Pick<Scope, 'range' | 'threads'>>(
  scope: Of,
  parts: SpreadParts,
  { name, range }: SpreadPart,
): Of {
  return parts === 'time'
    ? { ...scope, range: range && { kind: 'between', ...range } }
    : { ...scope, threads: onlyThreads(threadsOfRow(name, parts)) };
}

/** Only the samples of a part; of all parts where the scope is that part already. */
export function onlyPart(parts: SpreadParts, part: SpreadPart): void {
  changeActive((log) => {
    const { scope } = log;
    const all = parts === 'time' ? { range: undefined } : { threads: [] };
    return withScope(log, {
      scope: isOnlyPart(scope, parts, part) ? { ...scope, ...all } : scopeOfPart(scope, parts, part),
    });
  });
}

/** Compares a part with all others: one step for undo. */
export function comparePart(parts: SpreadParts, part: SpreadPart): void {
  changeActive((log) => {
    const scope = scopeOfPart(log.scope, parts, part);
    const before = showsOnlyPart(log, parts) ? EMPTY_SCOPE : log.scope;
    if (parts !== 'time') {
      const threads = withoutThreads(before.threads, threadsOfRow(part.name, parts));
      return withScope(log, { scope, baseline: { threads } });
    }
    const range = before.range ?? wholeRange(log);
    return range === undefined ? log : withScope(log, { scope, baseline: { range } });
  });
}
