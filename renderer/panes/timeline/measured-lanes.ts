import {
  estimatedIn,
  measuredIn,
  type MeasuredKind,
  type MeasuredSeries,
  USUAL_SERIES,
} from '../../../shared/facts/measured-series.ts';
import { formatBytes, formatCount, formatShare, formatTime } from '../../../shared/text/format-value.ts';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import type { LogView } from '../../store/window-state.ts';
import { scaleEnd } from './timeline-drawing.ts';
import { timeText } from './timeline-geometry.ts';

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

/** Whether a series is a track: as it was chosen, or a usual one. */
export function isShownSeries(id: string, chosen: Readonly<Record<string, boolean>>): boolean {
  return chosen[id] ?? USUAL_SERIES.has(id);
}

/** The name of a series for people. */
export function seriesName({ id, name, log }: MeasuredSeries): string {
  const ofAll = name ?? USUAL_SERIES.get(id) ?? id;
  return log === undefined ? ofAll : `${log}: ${ofAll}`;
}

/** The lanes of a log, in the order in which they are shown. `chosen`: series -> whether it is shown. */
export function measuredLanes(
  { series, errorSamples, gaps }: MeasuredInLog,
  columns: TimelineColumns,
  chosen: Readonly<Record<string, boolean>>,
): readonly MeasuredLane[] {
  const shown = (series ?? []).filter(({ id }) => isShownSeries(id, chosen));
  const lanes = shown.map((each) => measuredLane(each, columns));
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
  const { kind } = series;
  const buckets = { ...columns, buckets: columns.samples.length };
  const values = measuredIn(series, buckets);
  const drawn = kind === 'bytes' ? estimatedIn(series, buckets) : values;
  let most = 0;
  // Of all that was measured, so that a zoom does not change the scale.
  for (const value of kind === 'pauses' ? values : series.values) most = Math.max(most, value);
  const isOfAll = kind === 'share' && most <= 1;
  return { name: seriesName(series), kind, values, drawn, most: isOfAll ? 1 : scaleEnd(most) };
}

/** `34.1 %`, `120 MB`, `about 90 MB`, `25.9 ms`. */
export function measuredText({ kind, values, drawn }: MeasuredLane, bucket: number): string {
  const value = drawn[bucket];
  if (Number.isNaN(value)) return 'not measured';
  if (value === 0 && (kind === 'pauses' || kind === 'gaps')) return 'none';
  return `${value === values[bucket] ? '' : 'about '}${quantityText(kind, value)}`;
}

function quantityText(kind: MeasuredLane['kind'], value: number): string {
  if (kind === 'share') return formatShare(value, 1, 1);
  if (kind === 'bytes') return formatBytes(value);
  if (kind === 'number') return Number.isInteger(value) ? formatCount(value) : value.toPrecision(3);
  return formatTime(value);
}

/** All lanes at a time: `0:12.345: GC pauses none, Heap used 120 MB`. */
export function lanesText(
  lanes: readonly MeasuredLane[],
  columns: Buckets,
  bucket: number,
  dayTime?: number,
): string {
  const time = timeText(columns.from + bucket * columns.bucketNs, dayTime);
  return `${time}: ${lanes.map((lane) => `${lane.name} ${measuredText(lane, bucket)}`).join(', ')}`;
}

/** The value at the top of the lane, `max 300 MB`; undefined for gaps. */
export function scaleText({ kind, most }: MeasuredLane): string | undefined {
  if (kind === 'gaps') return undefined;
  return `max ${kind === 'share' ? formatShare(most, 1, 0) : quantityText(kind, most)}`;
}
