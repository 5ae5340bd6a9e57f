/** The clock of a log session. Tests replace it. */
export interface Clock {
  /** Monotonic milliseconds, to measure durations. */
  now(): number;
  /** Milliseconds since 1970 by the system clock. */
  wall(): number;
  /** Resolves after `ms` milliseconds. */
  pause(ms: number): Promise<void>;
  /** Resolves after the events that are pending now were processed. */
  afterPendingEvents(): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  afterPendingEvents: () => new Promise((resolve) => setImmediate(resolve)),
};
