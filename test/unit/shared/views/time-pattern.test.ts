import { expect, test } from 'vitest';
import { TIME_PARTS, timePattern } from '../../../../shared/views/time-pattern.ts';

/** Part -> samples. */
const spread = (counts: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: TIME_PARTS }, (_, part) => counts[part] ?? 0);

test('once: a single sample, and all samples in two neighbouring parts', () => {
  expect(timePattern(spread({ 7: 1 }))).toBe('once');
  expect(timePattern(spread({ 7: 20, 8: 30 }))).toBe('once');
  expect(timePattern(spread({ [TIME_PARTS - 1]: 3 }))).toBe('once');
});

test('burst: half of the samples in two neighbouring parts', () => {
  expect(timePattern(spread({ 3: 1, 7: 2, 8: 2, 20: 3 }))).toBe('burst');
  expect(timePattern(spread({ 3: 1, 7: 2, 8: 2, 20: 4 }))).toBeUndefined();
  expect(timePattern(spread({ 7: 2, 9: 2 }))).toBe('burst');
});

test('steady: some samples in at least half of the parts', () => {
  const everySecond = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [2 * at, 5]));
  expect(timePattern(spread(everySecond))).toBe('steady');
  expect(timePattern(spread({ ...everySecond, 4: 0 }))).toBeUndefined();
});

test('no word without samples; counts of one row among those of several', () => {
  expect(timePattern(spread({}))).toBeUndefined();
  expect(timePattern([...spread({}), ...spread({ 0: 9 })], TIME_PARTS)).toBe('once');
});
