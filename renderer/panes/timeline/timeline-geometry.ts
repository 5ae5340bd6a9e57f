import type { Clock } from '../../store/state/preferences.ts';
import type { TimeRange } from '../../../shared/scope/scope.ts';
import { clockText } from '../../../shared/scope/time-range.ts';
import type { Interval, TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';

/** From the earliest sample to the latest one, and when the earliest one was taken. */
type SampleTimes = Pick<TimelineColumns, 'first' | 'last'>;

/** A zoom by a key, or by 100 pixels of the wheel. */
export const ZOOM_STEP = 1.5;
/** A zoom shows at least this many ns. */
const LEAST_NS = 1_000;

type Buckets = Pick<TimelineColumns, 'shown' | 'from' | 'bucketNs' | 'samples'>;

/** The left edge of a bucket across a width; the first and the last bucket may begin and end beyond the edges. */
export function leftOf({ shown, from, bucketNs }: Buckets, bucket: number, width: number): number {
  const share = (from + bucket * bucketNs - shown.from) / (shown.to - shown.from);
  return Math.max(0, Math.min(width, share * width));
}

/** The bucket of a time; the nearest one for a time outside of all. */
export function bucketAt({ from, bucketNs, samples }: Buckets, time: number): number {
  return Math.max(0, Math.min(samples.length - 1, Math.floor((time - from) / bucketNs)));
}

/** The time at a place across a width. */
export function timeAt({ shown }: Pick<Buckets, 'shown'>, x: number, width: number): number {
  return shown.from + (x / width) * (shown.to - shown.from);
}

const DAY = 86_400e9;
/** Times below this one are of a clock that began with the machine. ns since 1970, in 2001. */
const LEAST_KNOWN = 10n ** 18n;

/** The time of day of the earliest sample, ns; undefined where times are told since it, or the file does not know it. */
export function dayTimeOf(first: string, clock: Clock): number | undefined {
  const ns = BigInt(first);
  if (clock === 'since' || ns < LEAST_KNOWN) return undefined;
  const minutes = clock === 'utc' ? 0 : new Date(Number(ns / 1_000_000n)).getTimezoneOffset();
  return Number((ns - BigInt(minutes) * 60_000_000_000n) % BigInt(DAY));
}

/** A time since the earliest sample, as it is told. `dayTime`: see `dayTimeOf`. */
export function timeText(ns: number, dayTime?: number): string {
  if (dayTime === undefined) return clockText(BigInt(Math.round(ns)), 3);
  const [seconds, fraction = ''] = clockText(BigInt(Math.round(ns + dayTime) % DAY), 3).split('.');
  const parts = `0:0:${seconds}`.split(':').slice(-3);
  return `${parts.map((part) => part.padStart(2, '0')).join(':')}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Steps between labels, ns: from a minute on, whole parts of an hour or of a day. */
const LABEL_STEPS = [
  ...Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((each) => each * 10 ** power)).flat(),
  ...[10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800].map((s) => s * 1e9),
];

interface AxisLabel {
  readonly time: number;
  readonly text: string;
}

/** Labels of an axis at round times, at least `least` of it apart, all with as many digits. */
export function axisLabels({ from, to }: Interval, least: number, dayTime?: number): readonly AxisLabel[] {
  const wanted = (to - from) * least;
  const step = LABEL_STEPS.find((each) => each >= wanted) ?? Math.ceil(wanted / DAY) * DAY;
  const digits = Math.max(0, 9 - Math.floor(Math.log10(step)));
  const labels: AxisLabel[] = [];
  const shift = dayTime ?? 0;
  for (let round = Math.ceil((from + shift) / step) * step; round - shift < to; round += step) {
    const [whole, fraction = ''] =
      dayTime === undefined ? clockText(BigInt(round)).split('.') : timeText(round, 0).split('.');
    const text = digits === 0 ? whole : `${whole}.${fraction.padEnd(digits, '0')}`;
    labels.push({ time: round - shift, text });
  }
  return labels;
}

/** From the earliest sample to the latest one, which is in it. */
export function wholeInterval({ last }: Pick<SampleTimes, 'last'>): Interval {
  return { from: 0, to: last + 1 };
}

/** The part of the timeline that a range covers; undefined for no range. */
export function intervalOf(range: TimeRange | undefined, columns: SampleTimes): Interval | undefined {
  if (range === undefined) return undefined;
  const whole = wholeInterval(columns);
  if (range.kind === 'latest') return { from: Math.max(0, columns.last - range.ns), to: whole.to };
  const first = BigInt(columns.first);
  return {
    from: range.from === undefined ? 0 : Number(BigInt(range.from) - first),
    to: range.to === undefined ? whole.to : Number(BigInt(range.to) - first),
  };
}

export function rangeOf({ from, to }: Interval, { first }: Pick<SampleTimes, 'first'>): TimeRange {
  const at = (ns: number): string => (BigInt(first) + BigInt(Math.round(ns))).toString();
  return { kind: 'between', from: at(from), to: at(to) };
}

/** The interval between two times, within the timeline and at least 1 ns wide. */
export function between(a: number, b: number, columns: Pick<SampleTimes, 'last'>): Interval {
  const { to } = wholeInterval(columns);
  const within = (time: number): number => Math.min(to, Math.max(0, Math.round(time)));
  const from = Math.min(within(Math.min(a, b)), to - 1);
  return { from, to: Math.max(within(Math.max(a, b)), from + 1) };
}

/** The interval of the same width, moved by so many ns as far as there are samples. */
export function moved({ from, to }: Interval, by: number, columns: TimelineColumns): Interval {
  const most = wholeInterval(columns).to - to;
  const step = Math.round(Math.max(-from, Math.min(most, by)));
  return { from: from + step, to: to + step };
}

/** The visible part after a zoom by a factor around a time, which stays in its place; undefined: all. */
export function zoomed(columns: TimelineColumns, factor: number, around: number): Interval | undefined {
  const { shown } = columns;
  const width = Math.max(LEAST_NS, (shown.to - shown.from) * factor);
  const share = (around - shown.from) / (shown.to - shown.from);
  return limited(around - share * width, width, columns);
}

/** The visible part after scrolling by so many ns. */
export function panned(columns: TimelineColumns, by: number): Interval | undefined {
  const { shown } = columns;
  return limited(shown.from + by, shown.to - shown.from, columns);
}

/** The visible part after scrolling just so far that a time is in it; undefined where it is already. */
export function scrolledTo(columns: TimelineColumns, time: number): Interval | undefined {
  const { shown } = columns;
  if (time >= shown.from && time <= shown.to) return undefined;
  return panned(columns, time - (time < shown.from ? shown.from : shown.to));
}

function limited(from: number, width: number, columns: TimelineColumns): Interval | undefined {
  const whole = wholeInterval(columns);
  if (width >= whole.to) return undefined;
  const start = Math.round(Math.max(0, Math.min(whole.to - width, from)));
  return { from: start, to: start + Math.round(width) };
}
