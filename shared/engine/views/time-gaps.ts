import type { SampleTable } from '../../profile/sample-table.ts';
import type { TimeOrder } from '../values/time-order.ts';
import type { TimelineColumns } from './timeline-columns.ts';

/**
 * Bucket of the timeline -> ns of it that are in a gap, which is a time of at least `leastNs` without a sample. `order`: the
 * rows of the table by time. O(samples + buckets of gaps).
 */
export function timeGaps(
  { at: { ns }, origin = 0n }: SampleTable,
  order: TimeOrder,
  { first, from, bucketNs, samples }: Pick<TimelineColumns, 'first' | 'from' | 'bucketNs' | 'samples'>,
  leastNs: number,
): Float64Array<ArrayBuffer> {
  const inGaps = new Float64Array(samples.length);
  const start = Number(BigInt(first) - origin) + from;
  const end = start + bucketNs * samples.length;
  for (let place = 1; place < order.length; place++) {
    const before = ns[order.rowAt(place - 1)];
    const after = ns[order.rowAt(place)];
    if (after - before < leastNs || after <= start || before >= end) continue;
    let bucket = Math.max(0, Math.floor((before - start) / bucketNs));
    for (; bucket < inGaps.length; bucket++) {
      const left = start + bucket * bucketNs;
      if (left >= after) break;
      inGaps[bucket] += Math.min(after, left + bucketNs) - Math.max(before, left);
    }
  }
  return inGaps;
}
