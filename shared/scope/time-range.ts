import { sampleSpan, type SampleTable } from '../profile/sample-table.ts';
import {
  boundedBy,
  lengthOf,
  type NamedBounds,
  type TimeBounds,
  UNBOUNDED,
} from '../engine/values/time-range.ts';
import type { TimeRange } from './scope.ts';
import { boundsText } from './time-text.ts';

/** The bounds of a range, for the samples that there are now. */
export function boundsOf(range: TimeRange, samples: SampleTable): TimeBounds {
  return boundsInSpan(range, range.kind === 'latest' ? sampleSpan(samples) : undefined);
}

/** The same for samples of which the latest one is known; undefined: there are none. */
export function boundsInSpan(range: TimeRange, span: { readonly last: bigint } | undefined): TimeBounds {
  if (range.kind === 'between') {
    const { from, to, except } = range;
    return {
      ...{ from: parsed(from), to: parsed(to) },
      except: except && { from: parsed(except.from), to: parsed(except.to) },
    };
  }
  return { from: span && span.last - BigInt(Math.round(range.ns)), to: undefined };
}

function parsed(ns: string | undefined): bigint | undefined {
  return ns === undefined ? undefined : BigInt(ns);
}

/** What an exported file says about its range; undefined: it has samples of any time. O(samples). */
export function namedBounds(
  range: TimeRange | undefined,
  samples: SampleTable | undefined,
): NamedBounds | undefined {
  if (range === undefined || samples === undefined) return undefined;
  const span = sampleSpan(samples);
  const bounds = boundsInSpan(range, span);
  return { bounds, text: boundsText(bounds, span?.first ?? 0n) };
}

/** From the first to the last sample of a range, seconds; of all samples for no range. 0 without samples in it. O(samples). */
export function secondsIn(range: TimeRange | undefined, samples: SampleTable): number {
  const span = sampleSpan(samples);
  if (span === undefined) return 0;
  const bounds = range === undefined ? UNBOUNDED : boundsOf(range, samples);
  const all = boundedBy(bounds, { from: span.first, to: span.last + 1n });
  const left = bounds.except && boundedBy(bounds.except, all);
  return Number(lengthOf(all) - (left === undefined ? 0n : lengthOf(left))) / 1e9;
}
