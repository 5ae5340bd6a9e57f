import { expect, test } from 'vitest';
import {
  type ComparedWhole,
  type Pair,
  relativeChange,
  rowChange,
} from '../../../../shared/engine/values/row-change.ts';
import { shareChange } from '../../../../shared/engine/values/share-change.ts';

const pair = (base: number, next: number): Pair => ({ base, next });

function whole(by: ComparedWhole['by'], change: Partial<ComparedWhole> = {}): ComparedWhole {
  const scale = { share: pair(1000, 2000), amount: pair(1, 1), rate: pair(10, 20) }[by];
  return {
    by,
    scale: { metric: 'samples', ...scale },
    samples: pair(1000, 2000),
    seconds: pair(10, 20),
    isSampled: true,
    ...change,
  };
}

test('shares of the own totals are compared, with their interval', () => {
  const samples = pair(100, 300);
  const change = rowChange(samples, samples, whole('share'))!;
  const { difference, ...rest } = change;
  expect(difference).toBeCloseTo(0.05);
  expect(rest).toMatchObject({ base: 0.1, next: 0.15, certainty: 'real', only: undefined, most: 300 });
  expect(change.sampled).toEqual(shareChange({ part: 100, whole: 1000 }, { part: 300, whole: 2000 }));
  expect(rowChange(pair(100, 205), pair(100, 205), whole('share'))!.certainty).toBe('chance');
});

test('amounts, and amounts per second, by what each side covers', () => {
  const certainty = (by: 'amount' | 'rate', samples: Pair): string =>
    rowChange(samples, samples, whole(by))!.certainty;
  expect(certainty('amount', pair(100, 200))).toBe('real');
  expect(certainty('rate', pair(100, 200))).toBe('chance');
  expect(certainty('rate', pair(100, 100))).toBe('real');
  expect(certainty('amount', pair(4, 0))).toBe('chance');
  expect(rowChange(pair(100, 100), pair(100, 100), whole('rate'))!.difference).toBe(-5);
});

test.each(['share', 'amount', 'rate'] as const)(
  'a change of time is real only if that of the samples is, and in the same direction: %s',
  (by) => {
    const ofTime = whole(by);
    const certainty = (samples: Pair, times: Pair): string =>
      rowChange(samples, times, { ...ofTime, scale: { ...ofTime.scale, metric: 'time' } })!.certainty;
    expect(certainty(pair(100, 400), pair(100, 400))).toBe('real');
    expect(certainty(pair(400, 100), pair(400, 100))).toBe('real');
    expect(certainty(pair(100, 400), pair(400, 100))).toBe('chance');
    expect(certainty(pair(400, 100), pair(100, 400))).toBe('chance');
  },
);

test('what only one side has, what was not sampled, and a side without samples', () => {
  const only = (samples: Pair) => rowChange(samples, samples, whole('share'))!.only;
  expect([only(pair(0, 9)), only(pair(9, 0)), only(pair(9, 9))]).toEqual(['new', 'base', undefined]);
  const calls = whole('amount', { isSampled: false });
  expect(rowChange(pair(100, 101), pair(100, 101), calls)!.certainty).toBe('exact');
  expect(rowChange(pair(9, 0), pair(9, 0), whole('share', { samples: pair(1000, 0) }))).toBeUndefined();
});

test.each(['share', 'amount', 'rate'] as const)(
  'what is not independent of each other is never real, and what is not whole is not exact: %s',
  (by) => {
    const certainty = (samples: Pair, change: Partial<ComparedWhole>): string =>
      rowChange(samples, samples, whole(by, change))!.certainty;
    const allocations = { isDependent: true };
    expect(certainty(pair(100, 400), allocations)).toBe('unknown');
    expect(certainty(pair(100, 100.5), {})).toBe('unknown');
    expect(certainty(pair(4, 0), allocations)).toBe('chance');
    expect(certainty(pair(100, 101), { isSampled: false, isDependent: true })).toBe('unknown');
  },
);

test('the strength of a change is a part of the larger whole', () => {
  const samples = pair(100, 400);
  const change = (by: 'share' | 'amount' | 'rate'): number =>
    relativeChange(rowChange(samples, samples, whole(by))!, whole(by), pair(1000, 2000));
  expect([change('share'), change('amount'), change('rate')]).toEqual([0.1, 0.15, 0.1]);
});

/** The probability of each number of events where `mean` are expected; numbers that never occur are left out. */
function poisson(mean: number): readonly (readonly [number: number, probability: number])[] {
  const found: [number, number][] = [];
  let logarithm = -mean;
  for (let events = 0; events < 3 * mean + 40; logarithm += Math.log(mean / ++events))
    if (logarithm > -25) found.push([events, Math.exp(logarithm)]);
  return found;
}

test('of all pairs of counts with one rate, by their probabilities, at most 5 % are called different', () => {
  for (const [before, after] of [
    [3, 8],
    [5, 5],
    [10, 20],
    [30, 60],
    [100, 100],
    [7, 140],
    [40, 1],
  ]) {
    const both = whole('rate', { seconds: pair(before, after) });
    let different = 0;
    let all = 0;
    for (const [base, one] of poisson(before))
      for (const [next, other] of poisson(after)) {
        const samples = pair(base, next);
        all += one * other;
        if (rowChange(samples, samples, both)!.certainty === 'real') different += one * other;
      }
    expect(all).toBeCloseTo(1, 6);
    expect(different, `${before} and ${after} expected`).toBeLessThanOrEqual(0.05);
    expect(different).toBeGreaterThan(0);
  }
});
