/** Least time between two refreshes while the profile catches up with the host. */
const CATCHING_UP_MS = 500;
/** Estimated cost of a refresh per call node added since the last one: trees, lists and sums are linear. */
const MS_PER_NODE = 1e-4;

/**
 * Decides when views are refreshed while a profile grows. Requests of the window wait during a refresh, so refreshing takes
 * at most about half of the worker's time. While the profile catches up, deltas wait too; then it takes at most a ninth, by
 * its estimated cost at the present size.
 */
export class RefreshPace {
  readonly #refresh: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nodes = 0;
  #lastEnd = 0;
  #lastCost = 0;
  #lastNodes = 0;

  constructor(refresh: () => void) {
    this.#refresh = refresh;
  }

  /** The profile grew to so many nodes. `catchingUp`: more growth is known to follow. */
  grew(catchingUp: boolean, nodes: number): void {
    this.#nodes = nodes;
    clearTimeout(this.#timer);
    const cost = this.#lastCost + MS_PER_NODE * Math.max(0, nodes - this.#lastNodes);
    const rest = catchingUp ? Math.max(CATCHING_UP_MS, 8 * cost) : Math.max(25, this.#lastCost);
    this.#timer = setTimeout(() => this.now(), Math.max(0, this.#lastEnd + rest - performance.now()));
  }

  /** No more growth is known to follow: a refresh that is due waits no longer than for a live log. */
  caughtUp(): void {
    if (this.isDue) this.grew(false, this.#nodes);
  }

  /** Growth is here that is not on screen. */
  get isDue(): boolean {
    return this.#timer !== undefined;
  }

  /** Refreshes at once and cancels a refresh that was due. */
  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const start = performance.now();
    this.#refresh();
    this.#lastEnd = performance.now();
    this.#lastCost = this.#lastEnd - start;
    this.#lastNodes = this.#nodes;
  }

  /** Refreshes no more. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Refreshes at once if a refresh is due. */
  finish(): void {
    if (this.#timer !== undefined) this.now();
  }
}
