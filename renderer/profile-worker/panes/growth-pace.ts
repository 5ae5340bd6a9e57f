/**
 * Says how long growth waits for what is computed anew from all of a profile: a least pause after the last time, and longer
 * where it took long, so that it has only a part of the worker's time.
 */
export class GrowthPace {
  readonly #pauseMs: number;
  readonly #partOfTime: number;
  #madeAt = -Infinity;
  #tookMs = 0;

  /** It takes at most one of `partOfTime` parts of the time. */
  constructor(pauseMs: number, partOfTime: number) {
    this.#pauseMs = pauseMs;
    this.#partOfTime = partOfTime;
  }

  /** Milliseconds until it may be computed again. */
  get wait(): number {
    return this.#until(Math.max(this.#pauseMs, this.#tookMs * this.#partOfTime));
  }

  /** Milliseconds until the least pause is over. */
  get leastWait(): number {
    return this.#until(this.#pauseMs);
  }

  /** It was computed, which took so long without what others did meanwhile. */
  made(tookMs: number): void {
    this.#madeAt = performance.now();
    this.#tookMs = tookMs;
  }

  #until(pause: number): number {
    return Math.max(0, this.#madeAt + pause - performance.now());
  }
}
