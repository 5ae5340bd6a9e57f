/** Time as a log session needs it; tests put their own in its place. */
export interface Clock {
  /** Milliseconds that only grow; for how long something has lasted. */
  now(): number;
  /** Milliseconds since the epoch, as the system believes. */
  wall(): number;
  /** Waits. */
  pause(ms: number): Promise<void>;
  /** Lets events in that have arrived, and comes back at once. */
  breathe(): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
};
