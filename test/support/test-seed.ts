import { SeededRandom } from './seeded-random.ts';

/**
 * Randomness of one test file. Each run has a new seed, which is printed; `SEED=n` repeats a run. Each case has its own
 * sequence, so that a case repeats independently of the cases before it.
 */
export function testSeed(what: string): {
  readonly seed: number;
  readonly randomFor: (scenario: number) => SeededRandom;
} {
  const given = process.env.SEED;
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  console.log(`${what}: SEED=${seed}`);
  return { seed, randomFor: (scenario) => new SeededRandom(seed + Math.imul(scenario, 0x9e3779b1)) };
}
