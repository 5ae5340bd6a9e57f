import { expect, test } from 'vitest';
import {
  noiseFloor,
  type Run,
  runChanges,
  renames,
  studentQuantile,
} from '../../../../shared/engine/comparison/run-changes.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { randomFor } = testSeed('runs');
const INDEPENDENT = { isIndependent: true };

/** A run by the samples of its methods; the callers and callees are those of the drawing `caller > method > callee`. */
function runOf(
  name: string,
  samples: Readonly<Record<string, number>>,
  neighbours: Run['neighbours'] = new Map(),
): Run {
  const whole = Object.values(samples).reduce((all, each) => all + each, 0);
  const parts = new Map(
    Object.entries(samples).map(([label, count]) => [label, { amount: count, samples: count }]),
  );
  return { name, samples: whole, whole, self: parts, total: parts, neighbours };
}

/** A normal variate. */
function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** A run of 3,000 samples in which the weights of methods vary from run to run by `spread`, a fraction of each. */
function madeRun(random: SeededRandom, weights: readonly number[], spread: number): Run {
  const varied = weights.map((weight) => Math.max(0, weight * (1 + spread * normal(random))));
  const all = varied.reduce((sum, each) => sum + each, 0);
  const samples: Record<string, number> = {};
  for (let at = 0; at < 3_000; at++) {
    let left = random.next() * all;
    let method = 0;
    while (method < varied.length - 1 && left >= varied[method]) left -= varied[method++];
    samples[`m${method}`] = (samples[`m${method}`] ?? 0) + 1;
  }
  return runOf('run', samples);
}

const WEIGHTS = [40, 20, 10, 8, 6, 5, 4, 3, 2, 1, 0.5, 0.5];

test('of 200 pairs of equal loads, at most one method in twenty is called different, however much runs vary', () => {
  for (const spread of [0, 0.1, 0.3]) {
    for (const [before, after] of [
      [2, 2],
      [3, 3],
      [5, 2],
      [1, 4],
    ]) {
      let called = 0;
      let methods = 0;
      for (let pair = 0; pair < 200; pair++) {
        const random = randomFor(pair * 31 + before * 7 + after + Math.round(spread * 1000));
        const runs = (count: number): Run[] =>
          Array.from({ length: count }, () => madeRun(random, WEIGHTS, spread));
        const changes = runChanges(runs(before), runs(after), INDEPENDENT).filter(({ of }) => of === 'self');
        called += changes.filter(({ certainty }) => certainty === 'real').length;
        methods += changes.length;
      }
      // Three standard errors of a share of 5 % in as many methods as pairs, which are not independent within a pair.
      expect(called / methods, `${before} against ${after}, spread ${spread}`).toBeLessThan(
        0.05 + 3 * Math.sqrt(0.05 / 200 / 4),
      );
    }
  }
});

test('a change that is larger than what runs differ by is real, and one pair of runs with the same numbers is not trusted more', () => {
  const [before, after] = [40, 60].map((share) =>
    [-1, 0, 1].map((off) =>
      runOf(`run ${off}`, { hot: share * 30 + off * 20, rest: (100 - share) * 30 - off * 20 }),
    ),
  );
  const [hot] = runChanges(before, after, INDEPENDENT).filter(({ label }) => label === 'hot');
  expect(hot.certainty).toBe('real');
  expect(hot.base).toBeCloseTo(0.4, 12);
  expect(hot.next).toBeCloseTo(0.6, 12);
  expect(hot.interval?.low).toBeGreaterThan(0.15);
  const alike = runChanges(
    [runOf('a', { hot: 10, rest: 990 }), runOf('b', { hot: 10, rest: 990 })],
    [runOf('c', { hot: 12, rest: 988 }), runOf('d', { hot: 12, rest: 988 })],
    INDEPENDENT,
  );
  expect(alike.map(({ certainty }) => certainty)).toEqual(alike.map(() => 'chance'));
});

test('of one run a side nothing is known between runs: independent samples have their own interval, others have none', () => {
  const sides = [[runOf('a', { hot: 100, rest: 900 })], [runOf('b', { hot: 300, rest: 700 })]] as const;
  expect(runChanges(...sides, INDEPENDENT)[0].certainty).toBe('real');
  expect(runChanges(...sides, { isIndependent: false })[0]).toMatchObject({
    certainty: 'unknown',
    interval: undefined,
  });
});

test('the noise floor shrinks with more runs, and says how many half of it needs', () => {
  const floorOf = (count: number) => {
    const random = randomFor(count);
    const runs = (): Run[] => Array.from({ length: count }, () => madeRun(random, WEIGHTS, 0.1));
    return noiseFloor(runChanges(runs(), runs(), INDEPENDENT), count);
  };
  const [few, many] = [floorOf(2), floorOf(20)];
  expect(few?.least).toBeGreaterThan(many?.least ?? Infinity);
  expect(many?.runsForHalf).toBeGreaterThan(70);
  expect(many?.runsForHalf).toBeLessThan(90);
  expect(floorOf(1)).toBeUndefined();
});

test('a method that vanished and one that came with like share, caller and callee may be one that was renamed', () => {
  const named = (name: string): Run['neighbours'] => new Map([[name, { caller: 'main', callee: 'leaf' }]]);
  const side = (name: string, count: number): Run[] =>
    [0, 1, 2].map((off) => runOf(`${off}`, { [name]: count + off, rest: 1000 - count }, named(name)));
  const [before, after] = [side('Old.run', 300), side('New.run', 310)];
  const changes = runChanges(before, after, INDEPENDENT);
  expect(renames(changes, before[0], after[0]).map(({ from, to }) => [from.label, to.label])).toEqual([
    ['Old.run', 'New.run'],
  ]);
  const other = side('Other.run', 900);
  expect(renames(runChanges(before, other, INDEPENDENT), before[0], other[0])).toEqual([]);
});

test('quantiles of the t distribution between those of the table are right to three digits', () => {
  // R: qt(0.975, c(1.5, 4, 11, 25, 100))
  for (const [degrees, quantile] of [
    [4, 2.776],
    [11, 2.201],
    [25, 2.06],
    [100, 1.984],
  ])
    expect(studentQuantile(degrees)).toBeCloseTo(quantile, 2);
  expect(studentQuantile(0.5)).toBe(12.706);
});
