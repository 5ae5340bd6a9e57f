import { expect, test } from 'vitest';
import {
  isRankUndecided,
  isTooFewToTell,
  shareInterval,
} from '../../../../shared/engine/values/share-interval.ts';

/** Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I, method 3. */
const PUBLISHED = [
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
] as const;

test.each(PUBLISHED)('the interval of %i of %i is the published one', (part, whole, low, high) => {
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
