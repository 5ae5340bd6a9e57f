import {
  estimatedIn,
  MEASURED_NAMES,
  measuredIn,
  type MeasuredKind,
  type MeasuredSeries,
} from '../../../shared/facts/measured-series.ts';
import { clockText } from '../../../shared/scope/time-text.ts';
import { formatBytes, formatShare, formatTime } from '../../../shared/text/format-value.ts';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import type { LogView } from '../../store/window-state.ts';

/** What a file knows over time besides samples, by the buckets of the timeline. */
export interface MeasuredLane {
  readonly name: string;
  /** `gaps`: ns in which no samples were taken. `pauses`: ns in which the JVM stood still. */
  readonly kind: MeasuredKind | 'gaps';
  /** Bucket -> value; NaN where there is none. */
  readonly values: Float64Array;
  /** The same as it is drawn: what rises and falls is estimated between measurements. */
  readonly drawn: Float64Array;
  /** The value that is drawn as high as the lane. */
  readonly most: number;
}

type Buckets = Pick<TimelineColumns, 'first' | 'from' | 'bucketNs' | 'samples'>;

/** What lanes are made of, as in a log's status; undefined until it is known. */
interface MeasuredInLog extends Pick<LogView, 'gaps'> {
  readonly series: readonly MeasuredSeries[] | undefined;
  readonly errorSamples: Readonly<Record<string, number>> | undefined;
}

/** The lanes of a log, in the order in which they are shown. */
export function measuredLanes(
  { series, errorSamples, gaps }: MeasuredInLog,
  columns: TimelineColumns,
): readonly MeasuredLane[] {
  const lanes = (series ?? []).map((each) => measuredLane(each, columns));
  const { samples, errors, bucketNs } = columns;
  if (Object.keys(errorSamples ?? {}).length > 0) {
    const values = samples.map((count, bucket) => (count === 0 ? NaN : errors[bucket] / count));
    lanes.push({ name: 'Share of errors', kind: 'share', values, drawn: values, most: 1 });
  }
  if (gaps !== undefined && gaps.length === samples.length)
    lanes.push({ name: 'No samples', kind: 'gaps', values: gaps, drawn: gaps, most: bucketNs });
  return lanes;
}

/** A series by the buckets of the timeline. */
export function measuredLane(series: MeasuredSeries, columns: Buckets): MeasuredLane {
  const { id, kind, log } = series;
  const name = log === undefined ? MEASURED_NAMES[id] : `${log}: ${MEASURED_NAMES[id]}`;
  const buckets = { ...columns, buckets: columns.samples.length };
  const values = measuredIn(series, buckets);
  const drawn = kind === 'bytes' ? estimatedIn(series, buckets) : values;
  let most = kind === 'share' ? 1 : 0;
  // Of all that was measured, so that a zoom does not change the scale.
  if (kind === 'bytes') for (const value of series.values) most = Math.max(most, value);
  if (kind === 'pauses') for (const value of values) most = Math.max(most, value);
  return { name, kind, values, drawn, most: most === 0 ? 1 : most };
}

/** `34.1 %`, `120 MB`, `about 90 MB`, `25.9 ms`. */
export function measuredText({ kind, values, drawn }: MeasuredLane, bucket: number): string {
  const value = drawn[bucket];
  if (Number.isNaN(value)) return 'not measured';
  if (kind === 'share') return formatShare(value, 1, 1);
  if (kind === 'bytes') return `${value === values[bucket] ? '' : 'about '}${formatBytes(value)}`;
  return value === 0 ? 'none' : formatTime(value);
}

/** All lanes at a time: `0:12.345: GC pauses none, Heap used 120 MB`. */
export function lanesText(lanes: readonly MeasuredLane[], columns: Buckets, bucket: number): string {
  const time = clockText(BigInt(Math.round(columns.from + bucket * columns.bucketNs)), 3);
  return `${time}: ${lanes.map((lane) => `${lane.name} ${measuredText(lane, bucket)}`).join(', ')}`;
}

/** The value at the top of the lane, `max 100 %`; undefined for gaps. */
export function scaleText({ kind, most }: MeasuredLane): string | undefined {
  if (kind === 'gaps') return undefined;
  return `max ${kind === 'share' ? '100 %' : kind === 'bytes' ? formatBytes(most) : formatTime(most)}`;
}
