import type { CompareBy, ComparedScale, Pair } from '../values/row-change.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { TimeRange } from '../../scope/scope.ts';
import { threadNames } from '../../scope/filters.ts';
import { secondsIn } from '../../scope/time-range.ts';
import { type SampleSum, type SelfValues, sumSelfValues } from '../values/self-values.ts';
import type { Metric } from '../values/metric.ts';
import type { Recursion } from '../trees/grouping.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { RowValues } from '../values/row-sums.ts';
import type { FlatProfile } from '../views/flat-profile.ts';

/** Something of the base, and of what is compared with it. */
export interface Compared<Values> {
  readonly base: Values;
  readonly next: Values;
}

/** Rows of one tree with the values of both sides. */
export interface ComparedTree extends Compared<RowValues> {
  readonly tree: RowTree;
}

/** Both sides of a comparison over one structure. */
export interface Comparison {
  readonly profile: LeanProfile;
  /** Sums of the samples in scope, of which shares are. */
  readonly whole: Compared<SampleSum>;
  readonly outside: Compared<SampleSum>;
  /** The time that each side covers, seconds; undefined where the times of samples are not known. */
  readonly seconds: Pair | undefined;
  /** The call trees, which have the same rows. */
  calls(): ComparedTree;
  /** The flat profiles, which have the same keys. */
  methods(recursion: Recursion): Compared<FlatProfile>;
}

/** The sums and the duration of both sides of a comparison. */
export interface ComparedSides extends Compared<SampleSum> {
  /** The time that each side covers, in seconds; undefined where the times of samples are not known. */
  readonly seconds: Pair | undefined;
  /** The names of threads that only this side has; undefined where both sides are of one log. */
  readonly threads?: Compared<readonly string[]> | undefined;
}

/** One side of a comparison. */
export interface ComparedSide {
  readonly profile: LeanProfile;
  readonly values: SelfValues;
  readonly range: TimeRange | undefined;
  /** As `Scope.threads`. */
  readonly threads: readonly string[];
}

export function sidesOf(base: ComparedSide, next: ComparedSide): ComparedSides {
  const [before, after] = [base.profile.samples, next.profile.samples];
  const seconds =
    before === undefined || after === undefined || before.length === 0 || after.length === 0
      ? undefined
      : { base: secondsIn(base.range, before), next: secondsIn(next.range, after) };
  const [old, now] = [base, next].map(({ profile, threads }) => threadNames(profile, threads));
  const only = (one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] =>
    [...one].filter((name) => !other.has(name));
  return {
    base: sumSelfValues(base.values),
    next: sumSelfValues(next.values),
    seconds,
    threads: base.profile === next.profile ? undefined : { base: only(old, now), next: only(now, old) },
  };
}

/** The comparison of a query. */
interface Compares {
  readonly metric: Metric;
  readonly comparison?: { readonly by: CompareBy } | undefined;
}

/** By what the values of each side are divided. */
export function scaleOf(
  { base, next, seconds }: ComparedSides,
  { metric, comparison }: Compares,
): ComparedScale {
  const divisors = (): Pair => {
    if (comparison?.by === 'amount') return { base: 1, next: 1 };
    if (comparison?.by === 'rate' && seconds !== undefined) return seconds;
    return metric === 'samples'
      ? { base: base.samples, next: next.samples }
      : { base: base.time, next: next.time };
  };
  const by = divisors();
  return { metric, base: base.samples === 0 ? 0 : by.base, next: next.samples === 0 ? 0 : by.next };
}
