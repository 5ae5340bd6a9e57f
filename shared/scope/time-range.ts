import {
  type TimeBounds,
  boundedBy,
  lengthOf,
  type NamedBounds,
  UNBOUNDED,
} from '../engine/values/time-range.ts';
import type { TimeRange } from './scope.ts';
import { sampleSpan, type SampleTable } from '../profile/sample-table.ts';

/** The bounds of a range, for the samples that there are now. */
export function boundsOf(range: TimeRange, samples: SampleTable): TimeBounds {
  return boundsInSpan(range, range.kind === 'latest' ? sampleSpan(samples) : undefined);
}

/** The bounds of a range, for samples of which the latest one is known; undefined: there are none. */
export function boundsInSpan(range: TimeRange, span: { readonly last: bigint } | undefined): TimeBounds {
  if (range.kind === 'between') {
    const { from, to, except } = range;
    return {
      from: parsed(from),
      to: parsed(to),
      except: except && { from: parsed(except.from), to: parsed(except.to) },
    };
  }
  return { from: span && span.last - BigInt(Math.round(range.ns)), to: undefined };
}

function parsed(ns: string | undefined): bigint | undefined {
  return ns === undefined ? undefined : BigInt(ns);
}

/** The range as an exported file tells it; undefined: it has samples of any time. O(samples). */
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

/** A time as the command line and the window take it: since 1970, or since the earliest sample. */
export interface GivenTime {
  readonly since: '1970' | 'first';
  readonly ns: bigint;
}

const UNIT_NS: Readonly<Record<string, bigint>> = {
  '': 1_000_000_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
/** Hours, minutes and seconds since the earliest sample. */
const CLOCK = /^(?:(\d{1,9}):)?(\d{1,9}):(\d\d)(?:\.(\d{1,18}))?$/;
/** A time zone is required: samples have no local time. */
const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads a time, exact to the nanosecond; undefined for any other text.
 *
 *   12.5 90s 5m 250ms 1h       since the earliest sample; without a unit in seconds
 *   2:05.25 1:02:05            minutes and seconds, hours, minutes and seconds, since the earliest sample
 *   2026-11-20T14:27:02.5Z     an ISO time
 *   1795174022011079152ns      since 1970
 */
export function parseTime(text: string): GivenTime | undefined {
  const since1970 = /^(-?\d{1,25})ns$/.exec(text);
  if (since1970 !== null) return { since: '1970', ns: BigInt(since1970[1]) };
  const sinceFirst = /^(\d{1,15})(?:\.(\d{1,18}))?(ms|s|m|h|)$/.exec(text);
  if (sinceFirst !== null) {
    const [, whole, fraction = '', unit] = sinceFirst;
    const scaled = BigInt(whole + fraction) * UNIT_NS[unit];
    return { since: 'first', ns: scaled / 10n ** BigInt(fraction.length) };
  }
  const clock = CLOCK.exec(text);
  if (clock !== null) {
    const [, hours = '0', minutes, seconds, fraction = ''] = clock;
    const whole = BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds);
    return { since: 'first', ns: whole * UNIT_NS.s + BigInt(fraction.padEnd(9, '0').slice(0, 9)) };
  }
  const iso = ISO.exec(text);
  if (iso === null) return undefined;
  const [, instant, fraction = '', zone] = iso;
  const ms = Date.parse(`${instant}${zone}`);
  if (Number.isNaN(ms)) return undefined;
  return { since: '1970', ns: BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0')) };
}

/** A range in words. */
export type SaidRange =
  | Extract<TimeRange, { kind: 'latest' }>
  | {
      readonly kind: 'between';
      readonly from?: GivenTime | undefined;
      readonly to?: GivenTime | undefined;
    };

/**
 * The range that is meant, if the earliest sample was taken at `first`, ns. Where that is undefined, times since it are left
 * out, and undefined is what has no other.
 */
export function rangeMeant(said: SaidRange | undefined, first: bigint | undefined): TimeRange | undefined {
  if (said?.kind !== 'between') return said;
  const [from, to] = [said.from, said.to].map((time) =>
    time === undefined || (time.since === 'first' && first === undefined)
      ? undefined
      : resolveTime(time, first ?? 0n).toString(),
  );
  return from === undefined && to === undefined ? undefined : { kind: 'between', from, to };
}

/** The time that is meant, if the earliest sample was taken at `first`, ns. */
export function resolveTime({ since, ns }: GivenTime, first: bigint): bigint {
  return since === '1970' ? ns : first + ns;
}

/**
 * A time since the earliest sample as `parseTime` takes it, exact: `0:12.5`, `2:05.250000001`, `1:02:05`. `digits`: of a
 * second, rounded down.
 */
export function clockText(ns: bigint, digits = 9): string {
  const sign = ns < 0n ? '-' : '';
  const size = ns < 0n ? -ns : ns;
  const seconds = size / UNIT_NS.s;
  const fraction = (size % UNIT_NS.s).toString().padStart(9, '0').slice(0, digits).replace(/0+$/, '');
  const [hours, minutes] = [seconds / 3600n, (seconds / 60n) % 60n];
  const two = (value: bigint): string => value.toString().padStart(2, '0');
  const whole =
    hours > 0n ? `${hours}:${two(minutes)}:${two(seconds % 60n)}` : `${minutes}:${two(seconds % 60n)}`;
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Times from here on are since 1970, and not since the recording began: the year 2001, ns. */
const FIRST_DATE = 10n ** 18n;

/** Whether a time is one of a clock, and not since a recording began. */
export function isDate(ns: bigint): boolean {
  return ns >= FIRST_DATE;
}

/** The times that a Date can have, ms before and after 1970. */
const MOST_DATE_MS = 8.64e15;

function dateText(ns: string): string {
  const ms = Number(BigInt(ns) / 1_000_000n);
  return Math.abs(ms) > MOST_DATE_MS ? `${ns} ns` : new Date(ms).toISOString();
}

/** A range in a few words, for a chip. `first`: time of the earliest sample; undefined if it is not known. */
export function rangeText(range: TimeRange, first: bigint | undefined): string {
  if (range.kind === 'latest') return `last ${lastText(range.ns)}`;
  const at = (ns: string): string => (first === undefined ? dateText(ns) : clockText(BigInt(ns) - first, 3));
  return endsText(range, at);
}

/** The text of bounds, with what they leave out: `0:05 to 0:10, without 0:06 to 0:07.5`. */
export function boundsText(bounds: TimeBounds, first: bigint): string {
  const text = endsText(bounds, (ns) => clockText(ns - first, 3));
  return bounds.except === undefined ? text : `${text}, without ${boundsText(bounds.except, first)}`;
}

/** `0:05 to 0:10`, `before 0:10`. `at`: the text of a time. */
export function endsText<Time>(
  { from, to }: { readonly from: Time | undefined; readonly to: Time | undefined },
  at: (time: Time) => string,
): string {
  if (from === undefined) return to === undefined ? 'any time' : `before ${at(to)}`;
  return to === undefined ? `from ${at(from)}` : `${at(from)} to ${at(to)}`;
}

/** `10 s`, `2.5 s`, `5 min`. */
function lastText(ns: number): string {
  const seconds = ns / 1e9;
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
