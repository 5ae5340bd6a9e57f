import { sampleSpan, type SampleTable } from '../profile/sample-table.ts';
import { measuredIn, type TimeBuckets, USUAL_SERIES } from '../facts/measured-series.ts';
import { TimeColumn } from '../profile/time-column.ts';
import { isExactlyWithin } from '../engine/values/time-range.ts';
import { TimeOrder } from '../engine/values/time-order.ts';
import { timeGaps } from '../engine/views/timeline-columns.ts';
import {
  type ExportWriter,
  type TimelineMeasured,
  type TimelineOptions,
  ExportRefusal,
} from './export-input.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

export const DEFAULT_BUCKETS = 100;

export const writeTimeline: ExportWriter = ({ timeline }, sink) => {
  if (timeline === undefined) throw new ExportRefusal('no times', 'does not say when each sample was taken');
  exportTimeline(timeline.samples, timeline, sink);
};

/**
 * Writes the number of samples over time as text: one line for each of `buckets` equal parts of the time, also for those
 * without samples (specs: cli, "timeline"). Their lengths differ by at most 1 ns. A profile without samples has no line.
 *
 *   bucketStartNs TAB samples TAB value
 *
 * `measured` adds a column for each series, with its largest value in the bucket, or else the last one before it; a series
 * of pauses has their ns. The column `errors` counts samples, `gap` has the ns of the bucket that are in gaps.
 */
export function exportTimeline(samples: SampleTable, options: TimelineOptions, sink: TextSink): void {
  const { bounds, isOutside, buckets = DEFAULT_BUCKETS, measured } = options;
  const { self, valueSelf = self } = samples;
  const span = sampleSpan(samples);
  if (span === undefined) return;
  const from = bounds.from ?? span.first;
  const to = bounds.to ?? span.last + 1n;
  const { except } = bounds;
  const width = to > from ? to - from : 0n;
  const starts = Array.from({ length: buckets }, (_, at) => from + (width * BigInt(at)) / BigInt(buckets));
  const count = new Float64Array(buckets);
  const value = new TimeColumn(buckets);
  const errors = new Float64Array(buckets);
  for (let row = 0; row < samples.length; row++) {
    const time = samples.timeOf(row);
    if (time < from || time >= to || (except !== undefined && isExactlyWithin(time, except))) continue;
    let bucket = Number(((time - from) * BigInt(buckets)) / width);
    // Starts are rounded down, so a sample may be at the start of the next bucket.
    while (bucket + 1 < buckets && starts[bucket + 1] <= time) bucket++;
    if (isOutside?.[self[row]] !== 1) {
      count[bucket]++;
      if (measured?.isError[self[row]] === 1) errors[bucket]++;
    }
    if (isOutside?.[valueSelf[row]] !== 1) samples.value.addTo(value, bucket, row);
  }
  const more = measured === undefined ? [] : columnsOf(measured, samples, { from, width, errors });
  const writer = new LineWriter(sink, buckets);
  if (measured !== undefined)
    writer.line(['start', 'samples', 'value', ...more.map(({ name }) => name)].join('\t'));
  for (let at = 0; at < buckets; at++) {
    const cells = more.map(({ values }) => cellOf(values[at]));
    writer.line([starts[at], count[at], value.text(at), ...cells].join('\t'));
  }
  writer.flush();
}

interface MeasuredColumn {
  readonly name: string;
  /** Bucket -> value; NaN: not measured. */
  readonly values: Float64Array;
}

function columnsOf(
  { series, leastGapNs }: TimelineMeasured,
  samples: SampleTable,
  { from, width, errors }: { readonly from: bigint; readonly width: bigint; readonly errors: Float64Array },
): readonly MeasuredColumn[] {
  const buckets = errors.length;
  const time: TimeBuckets = { first: from.toString(), from: 0, bucketNs: Number(width) / buckets, buckets };
  const usual = series.filter(({ id }) => USUAL_SERIES.has(id));
  const columns: MeasuredColumn[] = usual.map((each) => ({
    name: each.log === undefined ? each.id : `${each.id} ${each.log}`,
    values: measuredIn(each, time),
  }));
  columns.push({ name: 'errors', values: errors });
  if (leastGapNs !== undefined) {
    const order = new TimeOrder();
    order.update(samples);
    columns.push({ name: 'gap', values: timeGaps(samples, order, time, leastGapNs) });
  }
  return columns;
}

/** At most four decimals, as series are read. */
function cellOf(value: number): string {
  return Number.isNaN(value) ? '' : String(Math.round(value * 1e4) / 1e4);
}
