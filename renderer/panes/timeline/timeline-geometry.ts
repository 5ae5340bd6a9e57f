import type { TimeRange } from '../../../shared/scope/scope.ts';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';

/** [from, to), ns after the earliest sample. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** From the earliest sample to the latest one, and when the earliest one was taken. */
type SampleTimes = Pick<TimelineColumns, 'first' | 'last'>;

/** A zoom by a key, or by 100 pixels of the wheel. */
export const ZOOM_STEP = 1.5;
/** A zoom shows at least this many ns. */
const LEAST_NS = 1_000;

/** What the timeline draws. */
export function shownInterval({ from, bucketNs, samples }: TimelineColumns): Interval {
  return { from, to: from + bucketNs * samples.length };
}

/** From the earliest sample to the latest one, which is in it. */
export function wholeInterval({ last }: Pick<SampleTimes, 'last'>): Interval {
  return { from: 0, to: last + 1 };
}

/** What a range has of the timeline; undefined for no range. */
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

/** What is shown after a zoom by a factor around a time, which stays in its place; undefined: all. */
export function zoomed(columns: TimelineColumns, factor: number, around: number): Interval | undefined {
  const shown = shownInterval(columns);
  const width = Math.max(LEAST_NS, (shown.to - shown.from) * factor);
  const share = (around - shown.from) / (shown.to - shown.from);
  return limited(around - share * width, width, columns);
}

/** What is shown after scrolling by so many ns. */
export function panned(columns: TimelineColumns, by: number): Interval | undefined {
  const shown = shownInterval(columns);
  return limited(shown.from + by, shown.to - shown.from, columns);
}

/** What is shown after scrolling just so far that a time is; undefined where it is already. */
export function scrolledTo(columns: TimelineColumns, time: number): Interval | undefined {
  const shown = shownInterval(columns);
  if (time >= shown.from && time <= shown.to) return undefined;
  return panned(columns, time - (time < shown.from ? shown.from : shown.to));
}

function limited(from: number, width: number, columns: TimelineColumns): Interval | undefined {
  const whole = wholeInterval(columns);
  if (width >= whole.to) return undefined;
  const start = Math.round(Math.max(0, Math.min(whole.to - width, from)));
  return { from: start, to: start + Math.round(width) };
}
