/** Reloads that are worth trying by themselves; a page that keeps crashing would reload for ever. */
const MOST = 3;
const WITHIN_MS = 5 * 60 * 1000;

export class CrashLimit {
  #crashes: readonly number[] = [];

  /** Counts a crash at this time (ms). True while there were no more than three in the last five minutes. */
  allowsReload(now: number): boolean {
    this.#crashes = [...this.#crashes.filter((at) => now - at < WITHIN_MS), now];
    return this.#crashes.length <= MOST;
  }

  /** Somebody decided to go on. */
  reset(): void {
    this.#crashes = [];
  }
}
