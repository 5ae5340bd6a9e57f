import { expect, test } from 'vitest';
import { RecentGrowth } from '../../shared/engine/views/recent-methods.ts';
import { testSeed } from '../support/test-seed.ts';

const { randomFor } = testSeed('growth of late');
const METHODS = 12;

/** One sample: when, the method on top, all methods on its stack. */
interface Sample {
  readonly at: number;
  readonly self: number;
  readonly stack: ReadonlySet<number>;
}

function sums(samples: readonly Sample[], methods: number) {
  const count = (has: (sample: Sample, method: number) => boolean): Float64Array =>
    Float64Array.from({ length: methods }, (_, method) => samples.filter((each) => has(each, method)).length);
  return {
    length: methods,
    selfCount: count((sample, method) => sample.self === method),
    totalCount: count((sample, method) => sample.stack.has(method)),
  };
}

test.each(Array.from({ length: 60 }, (_, scenario) => scenario))(
  'equals the samples of the period that it says it covers, counted one by one: %i',
  (scenario) => {
    const random = randomFor(scenario);
    const growth = new RecentGrowth(30_000, 1_000);
    const samples: Sample[] = [];
    let methods = 1;
    let now = random.below(1_000_000);
    let firstTake: number | undefined;
    for (let round = 0; round < 120; round++) {
      now += random.pick([0, 30, 400, 1_000, 1_001, 5_000, 40_000]);
      // Methods are added while the log grows; sometimes the last sample was provisional and is withdrawn.
      methods = Math.min(METHODS, methods + random.below(2));
      if (random.below(8) === 0) samples.pop();
      for (let left = random.below(5); left > 0; left--) {
        const self = random.below(methods);
        const stack = new Set([self, random.below(methods), random.below(methods)]);
        samples.push({ at: now, self, stack });
      }
      if (random.below(40) === 0) {
        growth.restart();
        firstTake = undefined;
      }
      const isDue = growth.isDue(now);
      if (isDue) {
        growth.take(now, samples.length, sums(samples, methods));
        firstTake ??= now;
        takes.push({ at: now, samples: [...samples], scenario });
      }
      if (growth.seconds === 0) continue;
      const last = takes.findLast((take) => take.scenario === scenario)!;
      const from = last.at - Math.round(growth.seconds * 1000);
      // It covers the window as soon as there is so much, and at most one step of the past more.
      expect(from).toBeGreaterThanOrEqual(firstTake!);
      if (last.at - firstTake! >= 30_000) expect(growth.seconds).toBeGreaterThanOrEqual(30);
      const start = takes.findLast((take) => take.scenario === scenario && take.at === from)!;
      const [before, after] = [sums(start.samples, METHODS), sums(last.samples, METHODS)];
      expect(growth.samples).toBe(last.samples.length - start.samples.length);
      for (let method = 0; method < METHODS; method++) {
        expect(growth.of(method)).toEqual({
          method,
          self: after.selfCount[method] - before.selfCount[method],
          total: after.totalCount[method] - before.totalCount[method],
        });
      }
      const grown = growth.grown().map(({ method }) => method);
      const expected = Array.from({ length: METHODS }, (_, method) => method).filter(
        (method) =>
          after.totalCount[method] > before.totalCount[method] ||
          after.selfCount[method] > before.selfCount[method],
      );
      expect(grown.toSorted((a, b) => a - b)).toEqual(expected);
    }
  },
);

/** What was taken, so that the beginning of a period can be looked up. */
const takes: { readonly at: number; readonly samples: readonly Sample[]; readonly scenario: number }[] = [];

test('is nothing again when nothing has grown for the whole period', () => {
  const growth = new RecentGrowth(30_000, 1_000);
  const one = { length: 1, selfCount: [3], totalCount: [5] };
  growth.take(0, 0, { length: 0, selfCount: [], totalCount: [] });
  growth.take(1_000, 5, one);
  const seen: string[] = [];
  for (let now = 2_000; now <= 33_000; now += 1_000) {
    growth.take(now, 5, one);
    if (now % 10_000 <= 2_000) seen.push(`${now / 1000} s: ${growth.samples} in ${growth.seconds} s`);
  }
  expect(seen).toEqual([
    '2 s: 5 in 2 s',
    '10 s: 5 in 10 s',
    '11 s: 5 in 11 s',
    '12 s: 5 in 12 s',
    '20 s: 5 in 20 s',
    '21 s: 5 in 21 s',
    '22 s: 5 in 22 s',
    '30 s: 5 in 30 s',
    '31 s: 0 in 30 s',
    '32 s: 0 in 30 s',
  ]);
  expect(growth.hasGrowth).toBe(false);
  expect(growth.grown()).toEqual([]);
});
