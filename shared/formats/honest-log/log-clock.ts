import { int64 } from '../../profile/int64.ts';
import type { Gaps } from '../../facts/losses.ts';

/** 46 days: as nanoseconds, and with the nanoseconds of a trace start added, they are safe integers. */
const MOST_SECONDS = 4_000_000;

/**
 * Measures the time of each trace: the interval from its start to the start of the next trace of any thread, in file
 * order. It may be negative. The last trace repeats the interval before it. After a start without seconds > 0 there is
 * no interval, and the one before is repeated (specs: Honest Profiler LeanLogCollector).
 */
export class LogClock {
  /** The latest interval in nanoseconds; a bigint if it is not a safe integer. */
  interval: number | bigint = 0;
  backwardSteps = 0;
  readonly pauses = new Pauses();
  /** Nanoseconds since 1970 of the trace start that has a time and comes first in the file. */
  base: bigint | undefined;

  #secondsHi = 0;
  #secondsLo = 0;
  #nanosHi = 0;
  #nanosLo = 0;
  /** Seconds hi and lo, nanoseconds hi and lo of the last trace start that has a time. */
  readonly #last = new Int32Array(4);
  /** Low halves of the seconds and nanoseconds of `base`; undefined if their high halves are not 0. */
  #first: readonly [secondsLo: number, nanosLo: number] | undefined;

  /** The earliest and the latest start before the last step backwards; undefined if the file has none. */
  #earliest: bigint | undefined;
  #latest: bigint | undefined;

  /** Nanoseconds since 1970 of the earliest trace start that has a time: a log of several threads is not in order. */
  get firstTime(): bigint | undefined {
    return this.#earliest !== undefined && this.base !== undefined && this.#earliest < this.base
      ? this.#earliest
      : this.base;
  }

  /** The time of the latest trace start. */
  get lastTime(): bigint | undefined {
    if (this.base === undefined) return undefined;
    const last = this.#lastNanoseconds();
    return this.#latest !== undefined && this.#latest > last ? this.#latest : last;
  }

  /** The next trace starts. `interval` is then the time of the trace before it. */
  start(secondsHi: number, secondsLo: number, nanosHi: number, nanosLo: number): void {
    if (isPositive(this.#secondsHi, this.#secondsLo)) {
      this.interval = this.#since(secondsHi, secondsLo, nanosHi, nanosLo);
      if (this.interval < 0) this.backwardSteps++;
      else this.pauses.note(Number(this.interval));
    }
    this.#secondsHi = secondsHi;
    this.#secondsLo = secondsLo;
    this.#nanosHi = nanosHi;
    this.#nanosLo = nanosLo;
  }

  /** Includes the latest start, which has a time, in `firstTime` … `lastTime`. Only a step backwards costs more. */
  noteTime(): void {
    const last = this.#last;
    const isBackward = this.base !== undefined && this.#isBeforeLast();
    if (isBackward) {
      const time = this.#lastNanoseconds();
      if (this.#latest === undefined || time > this.#latest) this.#latest = time;
    }
    last[0] = this.#secondsHi;
    last[1] = this.#secondsLo;
    last[2] = this.#nanosHi;
    last[3] = this.#nanosLo;
    if (isBackward) {
      const time = this.#lastNanoseconds();
      if (this.#earliest === undefined || time < this.#earliest) this.#earliest = time;
    }
    if (this.base !== undefined) return;
    this.base = this.#lastNanoseconds();
    if ((last[0] | last[2]) === 0) this.#first = [last[1] >>> 0, last[3] >>> 0];
  }

  /** Nanoseconds from `base` to the last trace start that has a time, exact. */
  get sinceFirst(): number | bigint {
    const last = this.#last;
    if (this.#first !== undefined && (last[0] | last[2]) === 0) {
      const seconds = (last[1] >>> 0) - this.#first[0];
      if (seconds > -MOST_SECONDS && seconds < MOST_SECONDS)
        return seconds * 1e9 + ((last[3] >>> 0) - this.#first[1]);
    }
    const exact = this.#lastNanoseconds() - (this.base ?? 0n);
    const nearest = Number(exact);
    return Number.isSafeInteger(nearest) ? nearest : exact;
  }

  #since(secondsHi: number, secondsLo: number, nanosHi: number, nanosLo: number): number | bigint {
    if ((secondsHi | this.#secondsHi | nanosHi | this.#nanosHi) === 0) {
      const seconds = (secondsLo >>> 0) - (this.#secondsLo >>> 0);
      if (seconds > -MOST_SECONDS && seconds < MOST_SECONDS) {
        return seconds * 1e9 + ((nanosLo >>> 0) - (this.#nanosLo >>> 0));
      }
    }
    const seconds = int64(secondsHi, secondsLo) - int64(this.#secondsHi, this.#secondsLo);
    const nanos = int64(nanosHi, nanosLo) - int64(this.#nanosHi, this.#nanosLo);
    // Like the reference, whose Java longs overflow.
    const exact = BigInt.asIntN(64, seconds * 1_000_000_000n + nanos);
    const nearest = Number(exact);
    return Number.isSafeInteger(nearest) ? nearest : exact;
  }

  /** Whether the latest start is before the last one that was noted. */
  #isBeforeLast(): boolean {
    const last = this.#last;
    if ((last[0] | this.#secondsHi | last[2] | this.#nanosHi) !== 0)
      return this.#ofStart() < this.#lastNanoseconds();
    const seconds = (this.#secondsLo >>> 0) - (last[1] >>> 0);
    const nanos = (this.#nanosLo >>> 0) - (last[3] >>> 0);
    return seconds * 1e9 + nanos < 0;
  }

  #ofStart(): bigint {
    return int64(this.#secondsHi, this.#secondsLo) * 1_000_000_000n + int64(this.#nanosHi, this.#nanosLo);
  }

  #lastNanoseconds(): bigint {
    const [secondsHi, secondsLo, nanosHi, nanosLo] = this.#last;
    return int64(secondsHi, secondsLo) * 1_000_000_000n + int64(nanosHi, nanosLo);
  }
}

function isPositive(secondsHi: number, secondsLo: number): boolean {
  return secondsHi > 0 || (secondsHi === 0 && secondsLo !== 0);
}

/** Intervals are counted in classes: up to 1/64 s, up to 1/32 s, … up to 1 s, up to 2 s, … */
const FIRST_CLASS_NS = 1e9 / 64;
/** The class of intervals from 1 s to 2 s. */
const SECOND = 7;
/** A gap is at least as many classes above the median: 32 times as long. */
const CLASSES_ABOVE_MEDIAN = 6;
const CLASSES = 33;

/**
 * Finds gaps between samples: intervals of at least a second that are at least 32 times as long as the median one. They
 * are counted in classes, so that memory is constant and the result does not depend on the order.
 *
 *   class   0          1          …   7        8
 *   from    0          1/64 s         1 s      2 s
 *   count   1 540      8              3        1        four gaps
 */
export class Pauses {
  readonly #count = new Float64Array(CLASSES);
  readonly #sum = new Float64Array(CLASSES);
  #longest = 0;

  /** Adds an interval, ns. One that is not positive is a step of the clock and no pause. */
  note(interval: number): void {
    if (!(interval > 0)) return;
    const at = 32 - Math.clz32(Math.min(0x7fffffff, interval / FIRST_CLASS_NS));
    this.#count[at]++;
    this.#sum[at] += interval;
    if (interval > this.#longest) this.#longest = interval;
  }

  get gaps(): Gaps {
    const from = Math.max(SECOND, this.#medianClass + CLASSES_ABOVE_MEDIAN);
    let count = 0;
    let totalNs = 0;
    for (let at = from; at < CLASSES; at++) {
      count += this.#count[at];
      totalNs += this.#sum[at];
    }
    const leastNs = FIRST_CLASS_NS * 2 ** (from - 1);
    return { count, totalNs, longestNs: count === 0 ? 0 : this.#longest, leastNs };
  }

  get #medianClass(): number {
    const all = this.#count.reduce((sum, count) => sum + count, 0);
    let below = 0;
    for (let at = 0; at < CLASSES; at++) {
      below += this.#count[at];
      if (below * 2 >= all) return at;
    }
    return 0;
  }
}
