import { sampleSpan, type SampleTable } from '../profile/sample-table.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { TimeBounds } from '../values/time-range.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

export const DEFAULT_BUCKETS = 100;

export interface TimelineOptions {
  /** Where they are undefined, the line begins with the earliest sample or ends with the latest. */
  readonly bounds: TimeBounds;
  /** Row of the SelfTable -> 1 if its samples do not count; undefined: all count. */
  readonly isOutside: Uint8Array | undefined;
  readonly buckets: number;
}

/**
 * How many samples were taken when, as text: one line for each of `buckets` equal parts of the time, also for those
 * without samples (specs: cli, "timeline"). Parts differ by at most 1 ns. Nothing for a profile without samples.
 *
 *   bucketStartNs TAB samples TAB value
 */
export function exportTimeline(samples: SampleTable, options: TimelineOptions, sink: TextSink): void {
  const { bounds, isOutside, buckets } = options;
  const { self, valueSelf = self } = samples;
  const span = sampleSpan(samples);
  const writer = new LineWriter(sink, buckets);
  if (span !== undefined) {
    const from = bounds.from ?? span.first;
    const to = bounds.to ?? span.last + 1n;
    const width = to > from ? to - from : 0n;
    const starts = Array.from({ length: buckets }, (_, at) => from + (width * BigInt(at)) / BigInt(buckets));
    const count = new Float64Array(buckets);
    const value = new TimeColumn(buckets);
    for (let row = 0; row < samples.length; row++) {
      const time = samples.timeOf(row);
      if (time < from || time >= to) continue;
      let bucket = Number(((time - from) * BigInt(buckets)) / width);
      // Starts are rounded down, so a sample may be at the start of the next part.
      while (bucket + 1 < buckets && starts[bucket + 1] <= time) bucket++;
      if (isOutside?.[self[row]] !== 1) count[bucket]++;
      if (isOutside?.[valueSelf[row]] !== 1) value.addFrom(bucket, samples.value, row);
    }
    for (let at = 0; at < buckets; at++) writer.line(`${starts[at]}\t${count[at]}\t${value.text(at)}`);
  }
  writer.flush();
}
