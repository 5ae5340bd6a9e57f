/** Two pictures of a profile that is still being caught up are at least so far apart. */
const CATCHING_UP_MS = 500;
/** What a node adds to a refresh, before a refresh of that size has told: trees, lists and their sums are linear. */
const MS_PER_NODE = 1e-4;

/**
 * When views are computed anew while a profile grows. A refresh may take a while on a large profile, and requests of
 * the window wait behind it, so refreshing never takes more than about half of the mirror's time. While the profile is
 * still being caught up, the next delta waits behind it too, and behind the drawing of what it gives: then it takes at
 * most a ninth, by what it would cost at the size that the profile has by now. How far the log is, is told by its status.
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

  /** The profile grew to so many nodes. `catchingUp`: more is known to be there. */
  grew(catchingUp: boolean, nodes: number): void {
    this.#nodes = nodes;
    clearTimeout(this.#timer);
    const cost = this.#lastCost + MS_PER_NODE * Math.max(0, nodes - this.#lastNodes);
    const rest = catchingUp ? Math.max(CATCHING_UP_MS, 8 * cost) : Math.max(25, this.#lastCost);
    this.#timer = setTimeout(() => this.now(), Math.max(0, this.#lastEnd + rest - performance.now()));
  }

  /** No more is known to be there: what grew last waits no longer than it does in a log that grows. */
  caughtUp(): void {
    if (this.#timer !== undefined) this.grew(false, this.#nodes);
  }

  /** Refreshes at once, and no second time for what grew before. */
  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const start = performance.now();
    this.#refresh();
    this.#lastEnd = performance.now();
    this.#lastCost = this.#lastEnd - start;
    this.#lastNodes = this.#nodes;
  }

  /** Refreshes at once if a refresh is due. */
  finish(): void {
    if (this.#timer !== undefined) this.now();
  }
}
