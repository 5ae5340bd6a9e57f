import type { Clock } from '../../electron/worker/log-session.ts';

/** A clock that a test advances. `pause` resolves when the clock has advanced far enough. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #wallAtStart = Date.now();
  #sleeper: { readonly until: number; readonly wake: () => void } | undefined;
  #onSleep: (() => void) | undefined;

  now(): number {
    return this.#now;
  }

  wall(): number {
    return this.#wallAtStart + this.#now;
  }

  pause(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleeper = { until: this.#now + ms, wake };
      this.#onSleep?.();
    });
  }

  afterPendingEvents(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Resolves when a `pause` is pending. */
  async sleeping(): Promise<void> {
    if (this.#sleeper !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#onSleep = resolve;
    });
    this.#onSleep = undefined;
  }

  /** Advances the clock by `ms` and ends every `pause` that is due by then, including those that begin meanwhile. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await this.sleeping();
      const sleeper = this.#sleeper;
      if (sleeper === undefined || sleeper.until > end) break;
      this.#now = sleeper.until;
      this.#sleeper = undefined;
      sleeper.wake();
    }
    this.#now = end;
  }

  /** Advances the clock, where nobody pauses. */
  advance(ms: number): void {
    this.#now += ms;
  }

  /** Ends the pending `pause` early, for a caller that then stops and does not pause again. */
  release(): void {
    const sleeper = this.#sleeper;
    this.#sleeper = undefined;
    sleeper?.wake();
  }
}
