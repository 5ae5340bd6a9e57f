import type { LeanProfile } from '../profile/lean-profile.ts';
import { sampleSpan, type SampleTable } from '../profile/sample-table.ts';
import { NO_SAMPLES, type SampleSum, type SelfValues } from '../values/self-values.ts';
import type { TimeBounds } from '../values/time-range.ts';
import { ValuesInRange } from '../values/values-in-range.ts';
import type { TimeRange } from './scope.ts';

/** The bounds of a range, for the samples that there are now. */
export function boundsOf(range: TimeRange, samples: SampleTable): TimeBounds {
  if (range.kind === 'between') return { from: parsed(range.from), to: parsed(range.to) };
  const span = sampleSpan(samples);
  return { from: span && span.last - BigInt(Math.round(range.ns)), to: undefined };
}

function parsed(ns: string | undefined): bigint | undefined {
  return ns === undefined ? undefined : BigInt(ns);
}

/** From the first to the last sample of a range, seconds; of all samples for no range. 0 without samples in it. O(samples). */
export function secondsIn(range: TimeRange | undefined, samples: SampleTable): number {
  const span = sampleSpan(samples);
  if (span === undefined) return 0;
  const { from = span.first, to = span.last + 1n } = range === undefined ? {} : boundsOf(range, samples);
  const start = from > span.first ? from : span.first;
  const end = to <= span.last ? to : span.last + 1n;
  return end > start ? Number(end - start) / 1e9 : 0;
}

/**
 * All self values of a profile, or those in a time range. In a profile without a SampleTable, nothing is in a range.
 */
export function valuesInRange(
  { samples, selfValues }: LeanProfile,
  range: TimeRange | undefined,
): { readonly values: SelfValues; readonly outside: SampleSum } {
  if (range === undefined || samples === undefined) return { values: selfValues, outside: NO_SAMPLES };
  const values = new ValuesInRange();
  values.update(samples, selfValues, boundsOf(range, samples));
  return { values, outside: values.outside };
}
