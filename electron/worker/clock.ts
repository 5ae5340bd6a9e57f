/** Time for a log session; tests replace it. */
export interface Clock {
  /** Monotonic milliseconds, to measure durations. */
  now(): number;
  /** Milliseconds since 1970 by the system clock. */
  wall(): number;
  /** Waits. */
  pause(ms: number): Promise<void>;
  /** Resolves after pending events are processed. */
  afterPendingEvents(): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  afterPendingEvents: () => new Promise((resolve) => setImmediate(resolve)),
};
