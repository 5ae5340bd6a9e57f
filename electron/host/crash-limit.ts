const MOST = 3;
const WITHIN_MS = 5 * 60 * 1000;

/**
 * Limits how often a page is reloaded, or the thread of a log is started again, by itself: without a limit one that crashes
 * at every start would go on for ever.
 */
export class CrashLimit {
  #crashes: readonly number[] = [];

  /** Counts a crash at this time (ms). True if the last five minutes had at most three crashes. */
  allowsRestart(now: number): boolean {
    this.#crashes = [...this.#crashes.filter((at) => now - at < WITHIN_MS), now];
    return this.#crashes.length <= MOST;
  }

  /** The user chose to continue. */
  reset(): void {
    this.#crashes = [];
  }
}
