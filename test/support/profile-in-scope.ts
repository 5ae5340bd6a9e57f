import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { type Scope, type TimeRange, isEmptyScope } from '../../shared/scope/scope.ts';
import { NodeSource } from '../../shared/scope/scope-source.ts';
import { type ProfileInScope, ScopedProfile } from '../../shared/scope/scoped-profile.ts';
import { boundsOf } from '../../shared/scope/time-range.ts';
import type { FrameGrouping } from '../../shared/engine/trees/grouping.ts';
import { extentOf } from '../../shared/engine/trees/row-tree.ts';
import { maskedValues, ValuesWithoutErrors } from '../../shared/engine/values/masked-values.ts';
import {
  addedSamples,
  NO_SAMPLES,
  type SampleSum,
  type SelfValues,
} from '../../shared/engine/values/self-values.ts';
import { ValuesInRange } from '../../shared/engine/values/values-in-range.ts';

// What the engine answers, put together by hand from its parts: tests compare both.

/**
 * The part of a profile that is in scope, with all lines; the profile and its values themselves where nothing is left out.
 * `frames` says what the keys of the scope are made of. `narrow` leaves further samples out, with the same rows: of
 * the profile, too, because some formats write all of it.
 */
export function profileInScope(
  source: LeanProfile,
  scope: Scope,
  frames: FrameGrouping,
  narrow?: (values: SelfValues) => SelfValues,
): ProfileInScope {
  if (isEmptyScope(scope) && narrow === undefined) {
    return { profile: source, values: source.selfValues, outside: NO_SAMPLES, isOutside: undefined };
  }
  const inRange = valuesInRange(source, scope.range);
  const scoped = new ScopedProfile(new NodeSource(source), scope, frames);
  const updated = scoped.update(narrow?.(inRange.values) ?? inRange.values);
  if (updated !== 'grown') throw new Error('a profile that is read whole gets no more names');
  const { profile, isOutside } = scoped;
  const outside = addedSamples(inRange.outside, scoped.outside);
  return { profile, values: profile.selfValues, outside, isOutside };
}

/** Self values in a time range: all of them without a range, and where no times are known. */
function valuesInRange(
  { samples, selfValues }: LeanProfile,
  range: TimeRange | undefined,
): { readonly values: SelfValues; readonly outside: SampleSum } {
  if (range === undefined || samples === undefined) return { values: selfValues, outside: NO_SAMPLES };
  const values = new ValuesInRange();
  values.update(samples, selfValues, boundsOf(range, samples));
  return { values, outside: values.outside };
}

/** Leaves the samples whose stack has an error out of other values of the same rows; undefined: there are none. */
export function withoutErrors(profile: LeanProfile): ((values: SelfValues) => SelfValues) | undefined {
  const without = new ValuesWithoutErrors(profile, profile.selfValues);
  without.update(extentOf(profile));
  const { isError } = without;
  return isError && ((values) => maskedValues(values, isError));
}
