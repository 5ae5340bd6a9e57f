import type { Clock } from '../../electron/worker/clock.ts';

/** Time that passes when a test says so. Whoever pauses sleeps until enough of it has passed. */
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

  breathe(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Resolves when the sleeper sleeps. */
  async sleeping(): Promise<void> {
    if (this.#sleeper !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#onSleep = resolve;
    });
    this.#onSleep = undefined;
  }

  /** Lets `ms` pass, with all the waking and falling asleep again that falls into it. */
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

  /** Wakes the sleeper before its time, for good: it is expected to go. */
  release(): void {
    const sleeper = this.#sleeper;
    this.#sleeper = undefined;
    sleeper?.wake();
  }
}
