import type { LeanProfile } from '../profile/lean-profile.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import { type TimeBounds, UNBOUNDED } from '../engine/values/time-range.ts';
import { impliesCondition } from './context-condition.ts';
import type { Baseline, ContextScope, NsSpan, Scope, TimeRange } from './scope.ts';
import { threadNames } from './filters.ts';
import { boundsOf } from './time-range.ts';

/** The ranges of both sides of a comparison; undefined: any time. */
export interface ComparedRanges {
  readonly base: TimeRange | undefined;
  readonly next: TimeRange | undefined;
}

/** The side of a comparison that is without the times of the other. */
export type SideWithout = 'base' | 'next';

/**
 * The side that leaves out what two ranges of one log have in common. A sample on both sides would be compared with
 * itself, and the interval of a difference is that of independent shares.
 *
 *   base   [2, 5)    of any time, [0, 9)    next becomes 0 1 5 6 7 8
 *   base   [0, 9)    of [2, 5)              base becomes 0 1 5 6 7 8
 *   base   [0, 5)    of [2, 9)              next becomes 5 6 7 8
 *
 * Undefined where they have nothing in common, and for equal ranges: then nothing would be left.
 */
export function sideWithout(base: TimeBounds, next: TimeBounds): SideWithout | undefined {
  if (areApart(base, next)) return undefined;
  const baseHasAll = contains(base, next);
  if (baseHasAll && contains(next, base)) return undefined;
  return baseHasAll ? 'base' : 'next';
}

/** One ends before the other begins. */
export function areApart(one: TimeBounds, other: TimeBounds): boolean {
  return isUpTo(one.to, other.from) || isUpTo(other.to, one.from);
}

/**
 * The ranges of both sides of a comparison, as they are compared. Within one log they have nothing in common: see
 * `sideWithout`. Other threads may be compared over the same time.
 */
export function comparedRanges(
  { range }: Pick<Scope, 'range'>,
  baseline: Baseline,
  samples: SampleTable | undefined,
): ComparedRanges {
  const base = baseline.log === undefined ? (baseline.range ?? range) : baseline.range;
  const ranges = { base, next: range };
  if (samples === undefined || !isOfRanges(baseline)) return ranges;
  const [before, after] = [base, range].map((each) =>
    each === undefined ? UNBOUNDED : boundsOf(each, samples),
  );
  const without = sideWithout(before, after);
  if (without === 'base') return { ...ranges, base: withoutTimes(before, after) };
  return without === 'next' ? { ...ranges, next: withoutTimes(after, before) } : ranges;
}

/**
 * The contexts of both sides of a comparison within one log. They have no sample in common: the wider side leaves out the
 * other one, so that the slow requests are compared with the rest.
 */
export function contextsApart(
  next: ContextScope,
  base: ContextScope,
): { readonly base: ContextScope; readonly next: ContextScope } {
  const [nextIsWider, baseIsWider] = [isWithin(base, next), isWithin(next, base)];
  if (nextIsWider && baseIsWider) return { base, next };
  return nextIsWider ? { base, next: { ...next, except: base } } : { base: { ...base, except: next }, next };
}

function isWithin(inner: ContextScope, outer: ContextScope): boolean {
  return (
    outer.where.every((condition) => impliesCondition(inner.where, condition)) &&
    (outer.slower ?? 0) <= (inner.slower ?? 0) &&
    isSpanWithin(inner.took, outer.took) &&
    isSpanWithin(inner.began, outer.began)
  );
}

function isSpanWithin(inner: NsSpan = {}, outer: NsSpan = {}): boolean {
  return (
    (outer.from ?? -Infinity) <= (inner.from ?? -Infinity) && (outer.to ?? Infinity) >= (inner.to ?? Infinity)
  );
}

/** The scopes of both sides of a comparison: they may differ in their range, contexts and threads. */
export function comparedScopes(
  scope: Scope,
  baseline: Baseline,
  samples: SampleTable | undefined,
): { readonly base: Scope; readonly next: Scope } {
  const { base, next } = comparedRanges(scope, baseline, samples);
  const threads = baseline.threads ?? scope.threads;
  const { log, contexts: others } = baseline;
  const { contexts: own } = scope;
  const contexts =
    log === undefined && own !== undefined && others !== undefined
      ? contextsApart(own, others)
      : { base: others ?? own, next: own };
  return {
    base: { ...scope, range: base, contexts: contexts.base, threads },
    next: { ...scope, range: next, contexts: contexts.next },
  };
}

/** Two ranges of one log are compared, of the same threads. */
export function isOfRanges({ log, range, contexts, threads }: Baseline): boolean {
  return log === undefined && contexts === undefined && threads === undefined && range !== undefined;
}

/**
 * Some thread of the baseline is on the other side, too, over the same time: what is compared depends on each other. Without
 * the profile, patterns of threads and other times count as separate.
 */
export function haveSharedThreads(
  { threads, range }: Pick<Scope, 'threads' | 'range'>,
  { log, range: before = range, contexts, threads: others }: Baseline,
  profile?: LeanProfile,
): boolean {
  if (log !== undefined || contexts !== undefined || others === undefined) return false;
  if (profile === undefined)
    return (
      before === range &&
      (threads.length === 0 || others.length === 0 || threads.some((thread) => others.includes(thread)))
    );
  const names = threadNames(profile, threads);
  const [base, next] = [before, range].map((each) =>
    each && profile.samples ? boundsOf(each, profile.samples) : UNBOUNDED,
  );
  return !areApart(base, next) && [...threadNames(profile, others)].some((name) => names.has(name));
}

/** Why a comparison of such threads is less sure than it could be. */
export const SHARED_THREADS_NOTE =
  'The baseline is a part of what is compared with it: differences are smaller than between separate threads, and fewer count as real.';

/** A sentence for a report about the samples that one side of a comparison leaves out, because the other has them; or none. */
export function apartNotes(scopes: { readonly base: Scope; readonly next: Scope }): readonly string[] {
  const isWithout = ({ range, contexts }: Scope): boolean =>
    (range?.kind === 'between' && range.except !== undefined) || contexts?.except !== undefined;
  const why = 'a difference can be told from chance only between separate samples.';
  if (isWithout(scopes.next)) return [`The samples of the base are left out of the new profile: ${why}`];
  return isWithout(scopes.base) ? [`The samples of the new profile are left out of the base: ${why}`] : [];
}

function withoutTimes(of: TimeBounds, except: TimeBounds): TimeRange {
  return { kind: 'between', ...textOf(of), except: textOf(except) };
}

function textOf({ from, to }: TimeBounds): {
  readonly from: string | undefined;
  readonly to: string | undefined;
} {
  return { from: from?.toString(), to: to?.toString() };
}

function contains(outer: TimeBounds, inner: TimeBounds): boolean {
  const startsBefore = outer.from === undefined || (inner.from !== undefined && outer.from <= inner.from);
  const endsAfter = outer.to === undefined || (inner.to !== undefined && outer.to >= inner.to);
  return startsBefore && endsAfter;
}

/** An end is not after a start; undefined: unbounded. */
function isUpTo(end: bigint | undefined, start: bigint | undefined): boolean {
  return end !== undefined && start !== undefined && end <= start;
}
