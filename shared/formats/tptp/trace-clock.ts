import { int64 } from '../../profile/int64.ts';
import { METHOD_ENTRY } from './messages.ts';
import type { TraceEvent } from './trace-event.ts';

const NS_PER_SECOND = 1_000_000_000;
const WORD = 0x1_0000_0000;

/**
 * Converts the times of a trace to nanoseconds since its first time, because nanoseconds since 1970 do not fit a
 * double. The trace gives the ticks per second; until then, ticks are nanoseconds (specs: tptp, section 5).
 *
 *   frequency 2 400 000 000
 *   ticks     2846137023600000000    2846137023600002400
 *   ns        0                      1000
 */
export class TraceClock {
  /** Ticks per second. */
  frequency = NS_PER_SECOND;
  /** The earliest and latest time, ns; undefined before the first. */
  earliest: number | undefined;
  latest: number | undefined;

  /** The first time, ns since 1970, or since the start of the trace's clock. All other times are relative to it. */
  origin = 0n;
  /** The first time as it was read: in nanoseconds in a trace whose times are seconds with a fraction, else in ticks. */
  #first: { readonly value: bigint; readonly isNs: boolean } | undefined;
  #originNs = halvesOf(0n);
  #originTicks = halvesOf(0n);

  /**
   * Sets the ticks per second of all times. If times were already read in ticks of another frequency, returns what
   * converts them. The first, the earliest and the latest are already converted.
   */
  setFrequency(frequency: number): ((ns: number) => number) | undefined {
    const before = this.frequency;
    this.frequency = frequency;
    if (this.#first === undefined || frequency === before) return undefined;
    this.#begin(this.#first);
    if (this.#first.isNs) return undefined;
    // A time that is not known stays NaN or infinite.
    const convert = (ns: number): number => (Number.isFinite(ns) ? this.#ns(ticksOf(ns, before)) : ns);
    if (this.earliest !== undefined) this.earliest = convert(this.earliest);
    if (this.latest !== undefined) this.latest = convert(this.latest);
    return convert;
  }

  /**
   * The time of an event, ns. 0 ticks mean that the writer did not know it, except for a call. Unknown times do not
   * count for `earliest` and `latest`.
   */
  moment(event: TraceEvent, at: number): number {
    const hi = event.hi[at];
    const lo = event.lo[at];
    const isKnown = (hi | lo) !== 0 || event.message === METHOD_ENTRY;
    if (this.#first === undefined && isKnown)
      this.#begin((this.#first = { value: int64(hi, lo), isNs: event.timesAreNs }));
    const ns = event.timesAreNs
      ? difference(hi, lo, this.#originNs)
      : this.#ns(difference(hi, lo, this.#originTicks));
    if (isKnown) {
      if (this.earliest === undefined || ns < this.earliest) this.earliest = ns;
      if (this.latest === undefined || ns > this.latest) this.latest = ns;
    }
    return ns;
  }

  interval(event: TraceEvent, at: number): number {
    const value = event.number(at);
    return event.timesAreNs ? value : this.#ns(value);
  }

  /** `earliest` or `latest` in ns since 1970, or since the start of the trace's clock. */
  absolute(ns: number): bigint {
    return this.origin + BigInt(Math.round(ns));
  }

  #begin({ value, isNs }: { readonly value: bigint; readonly isNs: boolean }): void {
    const frequency = BigInt(Math.round(this.frequency));
    const perSecond = BigInt(NS_PER_SECOND);
    this.origin = BigInt.asIntN(64, isNs ? value : (value * perSecond) / frequency);
    this.#originNs = halvesOf(this.origin);
    this.#originTicks = halvesOf(isNs ? (value * frequency) / perSecond : value);
  }

  #ns(ticks: number): number {
    const { frequency } = this;
    if (frequency === NS_PER_SECOND) return ticks;
    // Seconds are converted separately: ticks · 10^9 would leave the range in which doubles are exact.
    const seconds = Math.floor(ticks / frequency);
    return seconds * NS_PER_SECOND + Math.round(((ticks - seconds * frequency) * NS_PER_SECOND) / frequency);
  }
}

interface Halves {
  readonly hi: number;
  readonly lo: number;
}

function halvesOf(value: bigint): Halves {
  return { hi: Number(BigInt.asIntN(32, value >> 32n)), lo: Number(BigInt.asIntN(32, value)) };
}

/** Exact below 2^53. */
function difference(hi: number, lo: number, from: Halves): number {
  return (hi - from.hi) * WORD + ((lo >>> 0) - (from.lo >>> 0));
}

/** The ticks that were converted to `ns`. */
function ticksOf(ns: number, frequency: number): number {
  if (frequency === NS_PER_SECOND) return ns;
  const seconds = Math.floor(ns / NS_PER_SECOND);
  return seconds * frequency + Math.round(((ns - seconds * NS_PER_SECOND) * frequency) / NS_PER_SECOND);
}
