/**
 * When views are computed anew while a profile grows. A refresh may take a while on a large profile, and requests of
 * the window wait behind it, so refreshing never takes more than about half of the mirror's time. While the profile is
 * still being caught up, the next delta waits behind it too, and behind the drawing of what it gives: then it takes a fifth,
 * and comes twice a second at the most; that more is coming is said by the log's status.
 */
export class RefreshPace {
  readonly #refresh: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastEnd = 0;
  #lastCost = 0;

  constructor(refresh: () => void) {
    this.#refresh = refresh;
  }

  /** The profile grew. `catchingUp`: more is known to be there. */
  grew(catchingUp: boolean): void {
    if (this.#timer !== undefined) return;
    const rest = catchingUp ? Math.max(500, 4 * this.#lastCost) : Math.max(25, this.#lastCost);
    this.#timer = setTimeout(() => this.now(), Math.max(0, this.#lastEnd + rest - performance.now()));
  }

  /** Refreshes at once, and no second time for what grew before. */
  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const start = performance.now();
    this.#refresh();
    this.#lastEnd = performance.now();
    this.#lastCost = this.#lastEnd - start;
  }

  /** Refreshes at once if a refresh is due. */
  finish(): void {
    if (this.#timer !== undefined) this.now();
  }
}
