import { expect, test } from 'vitest';
import {
  isRankUndecided,
  isTooFewToTell,
  shareInterval,
  certaintyOf,
  type Part,
  shareChange,
} from '../../../../shared/engine/values/share-change.ts';

/** Newcombe 1998, "Interval estimation for the difference between independent proportions", table II, method 11. */
const PUBLISHED = `
56/70   48/80    0.0428   0.3422
 9/10    3/10    0.1013   0.8387
 6/7     2/7    -0.0290   0.8423
 5/56    0/29   -0.0667   0.2037
 0/10    0/20   -0.2005   0.3445
 0/10    0/10   -0.3445   0.3445
10/10    0/20    0.6014   1.0000
10/10    0/10    0.5128   1.0000
`;

function part(text: string): Part {
  const [of, whole] = text.split('/').map(Number);
  return { part: of, whole };
}

test.each(
  PUBLISHED.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/)),
)('%s minus %s is from %s to %s, as published', (one, other, low, high) => {
  const change = shareChange(part(other), part(one))!;
  expect([change.low.toFixed(4), change.high.toFixed(4)]).toEqual([low, high]);
  const inverse = shareChange(part(one), part(other))!;
  expect(inverse.low).toBeCloseTo(-change.high, 12);
  expect(inverse.high).toBeCloseTo(-change.low, 12);
});

test('weights, more than the whole, and nothing have no interval', () => {
  const five = { part: 5, whole: 10 };
  for (const other of [
    { part: 0.5, whole: 10 },
    { part: 11, whole: 10 },
    { part: -1, whole: 10 },
    { part: 0, whole: 0 },
  ]) {
    expect(shareChange(five, other)).toBeUndefined();
    expect(shareChange(other, five)).toBeUndefined();
  }
});

const SAMPLED = { isSampled: true } as const;

test.each([
  // The same change is chance in few samples and real in many.
  ['3/10', '4/10', 'chance'],
  ['300/1000', '400/1000', 'real'],
  ['400/1000', '300/1000', 'real'],
  ['300/1000', '300/1000', 'chance'],
  // Four samples say nothing, although the other profile has so many without any.
  ['4/20', '0/100000', 'chance'],
  ['5/20', '0/100000', 'real'],
] as const)('%s to %s is %s', (base, next, certainty) => {
  const change = shareChange(part(base), part(next));
  expect(certaintyOf(change, SAMPLED)).toBe(certainty);
  expect(certaintyOf(change, {})).toBe('exact');
  // Allocations: what is chance stays so, and nothing is real.
  expect(certaintyOf(change, { isSampled: true, isDependent: true })).toBe(
    certainty === 'real' ? 'unknown' : 'chance',
  );
  // Waits, and weights, are not exact.
  expect(certaintyOf(change, { isDependent: true })).toBe('unknown');
  expect(certaintyOf(undefined, SAMPLED)).toBe('unknown');
});

test('a difference of times is real only if the share of samples changed in the same direction', () => {
  const change = shareChange(part('300/1000'), part('400/1000'));
  expect([0.02, 0, -0.3].map((difference) => certaintyOf(change, SAMPLED, difference))).toEqual([
    'real',
    'chance',
    'chance',
  ]);
  expect(certaintyOf(change, {}, -0.3)).toBe('exact');
});

/** log n! */
const logFactorials = [0];
for (let n = 1; n <= 400; n++) logFactorials.push(logFactorials[n - 1] + Math.log(n));

function binomial(n: number, k: number, p: number): number {
  const ways = logFactorials[n] - logFactorials[k] - logFactorials[n - k];
  return Math.exp(ways + k * Math.log(p) + (n - k) * Math.log(1 - p));
}

test.each([
  [20, 20],
  [40, 40],
  [40, 120],
  [15, 200],
  [120, 120],
])('of %i and %i samples of one load at most 5 %% are called different', (m, n) => {
  for (const p of [0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.8, 0.95]) {
    let called = 0;
    for (let i = 0; i <= m; i++)
      for (let j = 0; j <= n; j++) {
        const change = shareChange({ part: i, whole: m }, { part: j, whole: n });
        if (certaintyOf(change, SAMPLED) === 'real') called += binomial(m, i, p) * binomial(n, j, p);
      }
    expect(called, `p = ${p}`).toBeLessThanOrEqual(0.05);
  }
});

/** Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I, method 3. */
const PUBLISHED_INTERVALS = [
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
] as const;

test.each(PUBLISHED_INTERVALS)('the interval of %i of %i is the published one', (part, whole, low, high) => {
  const interval = shareInterval(part, whole)!;
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test('an interval holds its share, is symmetrical, and gets narrower with more samples', () => {
  for (const whole of [1, 2, 7, 100, 12_345, 1e12]) {
    for (const part of new Set([0, 1, Math.floor(whole / 3), whole - 1, whole])) {
      const { low, high } = shareInterval(part, whole)!;
      const share = part / whole;
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(share);
      expect(high).toBeGreaterThanOrEqual(share);
      expect(high).toBeLessThanOrEqual(1);
      const mirrored = shareInterval(whole - part, whole)!;
      expect(mirrored.low).toBeCloseTo(1 - high, 9);
      const more = shareInterval(part * 10, whole * 10)!;
      expect(more.high - more.low).toBeLessThan(high - low);
    }
  }
  expect(shareInterval(0, 5)!.low).toBe(0);
  expect(shareInterval(5, 5)!.high).toBe(1);
});

test('what is no number of samples has no interval', () => {
  for (const [part, whole] of [
    [0, 0],
    [1.5, 10],
    [1, 10.5],
    [-1, 10],
    [11, 10],
    [NaN, 10],
  ]) {
    expect(shareInterval(part, whole)).toBeUndefined();
  }
});

test('fewer than five samples are too few: their interval is wider than twice the share', () => {
  for (const whole of [100, 1000, 1_000_000]) {
    for (let part = 1; part <= 12; part++) {
      const { low, high } = shareInterval(part, whole)!;
      expect([part, isTooFewToTell(part)]).toEqual([part, high - low > (2 * part) / whole]);
    }
  }
});

test('a rank is undecided while the intervals overlap', () => {
  const decided = (one: number, other: number, whole: number): boolean => !isRankUndecided(one, other, whole);
  expect(decided(55, 45, 100)).toBe(false);
  expect(decided(600, 400, 1000)).toBe(true);
  expect(decided(400, 600, 1000)).toBe(true);
  expect(decided(5, 5, 1000)).toBe(false);
  expect(decided(1, 0, 1000)).toBe(false);
  // Nothing is said about numbers that are no samples.
  expect(decided(1.5, 1.4, 10)).toBe(true);
});
