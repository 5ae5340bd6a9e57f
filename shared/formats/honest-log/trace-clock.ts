import { int64 } from '../../profile/int64.ts';
import { Pauses } from './pauses.ts';

/**
 * Measures the time of each trace: the interval from its start to the start of the next trace of any thread, in file
 * order. It may be negative. The last trace repeats the interval before it. After a start without seconds > 0 there is
 * no interval, and the one before is repeated (specs: Honest Profiler LeanLogCollector).
 */
export class TraceClock {
  /** The latest interval in nanoseconds; a bigint if it is not a safe integer. */
  interval: number | bigint = 0;
  backwardSteps = 0;
  readonly pauses = new Pauses();
  /** Nanoseconds since 1970 of the first trace start that has a time. */
  firstTime: bigint | undefined;

  #secondsHi = 0;
  #secondsLo = 0;
  #nanosHi = 0;
  #nanosLo = 0;
  /** Seconds hi and lo, nanoseconds hi and lo of the last trace start that has a time. */
  readonly #last = new Int32Array(4);

  /** Nanoseconds since 1970 of the last trace start that has a time. */
  get lastTime(): bigint | undefined {
    return this.firstTime === undefined ? undefined : this.#lastNanoseconds();
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

  /** Includes the latest start, which has a time, in `firstTime` … `lastTime`. */
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
      // Up to 46 days, the product and the sum are safe integers.
      if (seconds > -4_000_000 && seconds < 4_000_000) {
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

  #lastNanoseconds(): bigint {
    const [secondsHi, secondsLo, nanosHi, nanosLo] = this.#last;
    return int64(secondsHi, secondsLo) * 1_000_000_000n + int64(nanosHi, nanosLo);
  }
}

function isPositive(secondsHi: number, secondsLo: number): boolean {
  return secondsHi > 0 || (secondsHi === 0 && secondsLo !== 0);
}
