import type { Gaps } from '../../facts/losses.ts';

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
