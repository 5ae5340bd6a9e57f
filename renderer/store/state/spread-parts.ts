import { type Choice, PER_CHOICE } from '../../../shared/facts/choice.ts';
import { attributeOf, groupingByContext } from '../../../shared/engine/trees/grouping.ts';
import { conditionOf } from '../../../shared/scope/context-condition.ts';
import type { Scope } from '../../../shared/scope/scope.ts';
import { onlyThreads, threadsOfRow } from '../../../shared/scope/thread-pattern.ts';
import { capitalised } from '../../../shared/text/format-value.ts';
import type { SpreadPart } from '../../profile-worker/pane-messages.ts';
import type { SpreadSpec } from '../../profile-worker/pane-specs.ts';
import type { LogView } from './window-state.ts';

type SpreadParts = SpreadSpec['parts'];

/** Parts that a log can be divided into, and what they are called. */
export interface PartsChoice {
  readonly value: SpreadParts;
  readonly text: string;
  /** One of them: `host`. */
  readonly one: string;
  /** Each follows the one before it in time. */
  readonly inOrder?: boolean | undefined;
}

/** The parts by each attribute of requests that a log has. */
export function offeredAttributes(
  log: LogView,
): readonly { readonly value: SpreadParts; readonly text: string }[] {
  return (log.summary?.contextKeys ?? []).map((key) => ({ value: groupingByContext(key), text: key }));
}

/** The parts that a log has several of, the most likely ones first. */
export function partsChoices(log: LogView): readonly PartsChoice[] {
  const { status, merge, summary, panes } = log;
  const per = perOf(status);
  const threads = per?.chosen ?? 'thread';
  const hasThreads = per !== undefined || (summary?.threads ?? 0) > 1;
  const choices: readonly (PartsChoice & { readonly isThere: boolean })[] = [
    { value: 'group', text: 'Files', one: 'file', isThere: merge !== undefined },
    {
      value: 'name',
      text: `${capitalised(threads)}s`,
      one: threads,
      inOrder: threads === 'hour' || threads === 'date',
      isThere: hasThreads,
    },
    { value: 'pool', text: 'Pools', one: 'pool', isThere: hasThreads && threads === 'thread' },
    ...offeredAttributes(log).map(({ value, text: one }) => ({
      value,
      text: 'Requests',
      one,
      isThere: true,
    })),
    { value: 'time', text: 'Time', one: 'part', inOrder: true, isThere: status?.hasSampleTimes === true },
  ];
  const there = choices.filter(({ isThere }) => isThere);
  const { known = [] } = panes.spread;
  const placeOf = ({ value }: PartsChoice): number =>
    known.includes(value) ? known.indexOf(value) : known.length;
  return there.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The choice of the column of a dataset whose values are the threads: hosts, days. Undefined for other logs. */
export function perOf(status: LogView['status']): Extract<Choice, { readonly kind: 'one' }> | undefined {
  const choice = status?.choices.find(({ id }) => id === PER_CHOICE);
  return choice?.kind === 'one' ? choice : undefined;
}

/** The parts that are shown; undefined: the log has none. */
export function shownParts(log: LogView): PartsChoice | undefined {
  const choices = partsChoices(log);
  return choices.find(({ value }) => value === log.panes.spread.parts) ?? choices.at(0);
}

/**
 * The log with the parts that it is shown by kept, once all of it is shown that was there when it was opened: a log that
 * gains a second thread does not change what is being read. Parts that it gains wait behind the others.
 */
export function withKeptParts(log: LogView): LogView {
  const { spread } = log.panes;
  if (log.late === undefined || spread.shown === undefined || spread.known !== undefined) return log;
  return { ...log, panes: { ...log.panes, spread: withParts(log, shownParts(log)?.value) } };
}

/** The pane with these parts chosen, and all that the log has known. */
export function withParts(log: LogView, parts: SpreadParts | undefined): LogView['panes']['spread'] {
  return { ...log.panes.spread, parts, known: partsChoices(log).map(({ value }) => value) };
}

/** Whether the scope is one of the parts that were shown last. */
export function showsOnlyPart({ panes, scope }: LogView, parts: SpreadParts): boolean {
  const { shown } = panes.spread;
  return shown?.of === parts && shown.parts.some((part) => isOnlyPart(scope, parts, part));
}

/** Whether the scope is this part. */
export function isOnlyPart(
  scope: Pick<Scope, 'range' | 'threads' | 'contexts'>,
  parts: SpreadParts,
  part: SpreadPart,
): boolean {
  const key = attributeOf(parts);
  if (key !== undefined) return scope.contexts?.where.includes(conditionOf(key, part.name)) === true;
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
