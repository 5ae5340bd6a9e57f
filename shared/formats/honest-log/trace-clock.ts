import { int64 } from '../../profile/int64.ts';

/** State of a clock at the end of a byte range, structured-cloneable. */
export interface PartClock {
  /** Seconds hi and lo, nanoseconds hi and lo of the part's first trace start, and of its last. */
  readonly first: Int32Array;
  readonly latest: Int32Array;
  /** The last trace start that carries a time. */
  readonly lastTimed: Int32Array;
  readonly firstTime: bigint | undefined;
  /** Undefined while no interval was known. */
  readonly interval: number | bigint | undefined;
  readonly backwardSteps: number;
}

/**
 * The time of a trace is the start of the next trace, of any thread, minus its own, in file order; it may be
 * negative. The last trace repeats the interval before it. An interval is taken only when the previous start had
 * seconds > 0, else the one before stays (specs: Honest Profiler LeanLogCollector).
 */
export class TraceClock {
  /** Nanoseconds of the latest known interval; a bigint when it is no safe integer. */
  interval: number | bigint = 0;
  backwardSteps = 0;
  /** Nanoseconds since the epoch of the first trace start that carries a time. */
  firstTime: bigint | undefined;

  #knowsInterval = false;
  #first: Int32Array | undefined;
  #secondsHi = 0;
  #secondsLo = 0;
  #nanosHi = 0;
  #nanosLo = 0;
  /** Seconds hi and lo, nanoseconds hi and lo of the last trace start that carries a time. */
  readonly #last = new Int32Array(4);

  /** Nanoseconds since the epoch of the last trace start that carries a time. */
  get lastTime(): bigint | undefined {
    return this.firstTime === undefined ? undefined : this.#lastNanoseconds();
  }

  /** The next trace starts; afterwards `interval` is that of the trace before it. */
  start(secondsHi: number, secondsLo: number, nanosHi: number, nanosLo: number): void {
    this.#first ??= Int32Array.of(secondsHi, secondsLo, nanosHi, nanosLo);
    if (isPositive(this.#secondsHi, this.#secondsLo)) {
      this.interval = this.#since(secondsHi, secondsLo, nanosHi, nanosLo);
      this.#knowsInterval = true;
      if (this.interval < 0) this.backwardSteps++;
    }
    this.#secondsHi = secondsHi;
    this.#secondsLo = secondsLo;
    this.#nanosHi = nanosHi;
    this.#nanosLo = nanosLo;
  }

  /** Undefined when no trace has started. */
  get part(): PartClock | undefined {
    if (this.#first === undefined) return undefined;
    return {
      first: this.#first,
      latest: Int32Array.of(this.#secondsHi, this.#secondsLo, this.#nanosHi, this.#nanosLo),
      lastTimed: this.#last,
      firstTime: this.firstTime,
      interval: this.#knowsInterval ? this.interval : undefined,
      backwardSteps: this.backwardSteps,
    };
  }

  /**
   * Whether the intervals of the range are also correct after this clock. A range that begins without a time has used
   * 0 as the interval before it.
   */
  canGoOnWith({ first }: PartClock): boolean {
    return (
      isPositive(first[0], first[1]) || !(this.#knowsInterval || isPositive(this.#secondsHi, this.#secondsLo))
    );
  }

  /** What follows the start of the part's first trace, which has been noted. */
  goOnWith({ latest, lastTimed, firstTime, interval, backwardSteps }: PartClock): void {
    [this.#secondsHi, this.#secondsLo, this.#nanosHi, this.#nanosLo] = latest;
    this.backwardSteps += backwardSteps;
    this.firstTime ??= firstTime;
    if (firstTime !== undefined) this.#last.set(lastTimed);
    if (interval === undefined) return;
    this.interval = interval;
    this.#knowsInterval = true;
  }

  /** The latest start carries a time: it counts for the span of the log. */
  noteTime(): void {
    const last = this.#last;
    last[0] = this.#secondsHi;
    last[1] = this.#secondsLo;
    last[2] = this.#nanosHi;
    last[3] = this.#nanosLo;
    this.firstTime ??= this.#lastNanoseconds();
  }

  #since(secondsHi: number, secondsLo: number, nanosHi: number, nanosLo: number): number | bigint {
    if ((secondsHi | this.#secondsHi | nanosHi | this.#nanosHi) === 0) {
      const seconds = (secondsLo >>> 0) - (this.#secondsLo >>> 0);
      // Within 46 days the product is a safe integer, and so is the sum.
      if (seconds > -4_000_000 && seconds < 4_000_000) {
        return seconds * 1e9 + ((nanosLo >>> 0) - (this.#nanosLo >>> 0));
      }
    }
    const seconds = int64(secondsHi, secondsLo) - int64(this.#secondsHi, this.#secondsLo);
    const nanos = int64(nanosHi, nanosLo) - int64(this.#nanosHi, this.#nanosLo);
    // The reference computes in Java longs, which wrap.
    const exact = BigInt.asIntN(64, seconds * 1_000_000_000n + nanos);
    const nearest = Number(exact);
    return Number.isSafeInteger(nearest) ? nearest : exact;
  }

  #lastNanoseconds(): bigint {
    const [secondsHi, secondsLo, nanosHi, nanosLo] = this.#last;
    return int64(secondsHi, secondsLo) * 1_000_000_000n + int64(nanosHi, nanosLo);
  }
}

function isPositive(secondsHi: number, secondsLo: number): boolean {
  return secondsHi > 0 || (secondsHi === 0 && secondsLo !== 0);
}
