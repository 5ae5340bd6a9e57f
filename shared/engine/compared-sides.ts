import type { Pair } from './values/row-change.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { TimeRange } from '../scope/scope.ts';
import { secondsIn } from '../scope/time-range.ts';
import type { ComparedScale } from './values/compared-to.ts';
import { type SampleSum, type SelfValues, sumSelfValues } from './values/self-values.ts';
import type { ProfileQuery } from './query.ts';

/** The sums and the duration of both sides of a comparison. */
export interface ComparedSides {
  readonly base: SampleSum;
  readonly next: SampleSum;
  /** The time that each side covers, in seconds; undefined where the times of samples are not known. */
  readonly seconds: Pair | undefined;
}

/** One side of a comparison. */
export interface ComparedSide {
  readonly profile: LeanProfile;
  readonly values: SelfValues;
  readonly range: TimeRange | undefined;
}

export function sidesOf(base: ComparedSide, next: ComparedSide): ComparedSides {
  const [before, after] = [base.profile.samples, next.profile.samples];
  const seconds =
    before === undefined || after === undefined || before.length === 0 || after.length === 0
      ? undefined
      : { base: secondsIn(base.range, before), next: secondsIn(next.range, after) };
  return { base: sumSelfValues(base.values), next: sumSelfValues(next.values), seconds };
}

/** By what the values of each side are divided. */
export function scaleOf({ base, next, seconds }: ComparedSides, query: ProfileQuery): ComparedScale {
  const { metric, comparison } = query;
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
