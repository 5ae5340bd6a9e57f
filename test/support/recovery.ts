import { expect } from 'vitest';

/** Most milliseconds from when something is killed, or from when it can go on, to when all samples are shown again. */
const MOST_MS = 2_000;

/**
 * Prints how long the slowest recovery took. The long form also requires that it was fast enough, so it needs a processor
 * of its own; in `npm test`, other tests run at the same time.
 */
export function expectRecovery(what: string, slowestMs: number): void {
  console.log(`${what}: at most ${Math.round(slowestMs)} ms until the profile was right again`);
  if (process.env.LEANSCOPE_LONG !== undefined) expect(slowestMs, what).toBeLessThanOrEqual(MOST_MS);
}
