import { expect, test } from 'vitest';
import { certaintyOf, type Part, shareChange } from '../../../../shared/engine/values/share-change.ts';

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
