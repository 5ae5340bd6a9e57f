import { expect, test } from 'vitest';
import { TIME_PARTS, timePattern } from '../../../../shared/engine/views/time-pattern.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('time pattern');

/** Part -> samples. */
const spread = (counts: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: TIME_PARTS }, (_, part) => counts[part] ?? 0);

test('once: a single sample, and all samples in two neighbouring parts', () => {
  expect(timePattern(spread({ 7: 1 }))).toBe('once');
  expect(timePattern(spread({ 7: 20, 8: 30 }))).toBe('once');
  expect(timePattern(spread({ [TIME_PARTS - 1]: 3 }))).toBe('once');
});

test('two samples at opposite ends, or four anywhere, are too few to tell', () => {
  expect(timePattern(spread({ 0: 1, 23: 1 }))).toBe('few');
  expect(timePattern(spread({ 3: 1, 7: 2, 20: 1 }))).toBe('few');
});

test('burst: half of the samples in two neighbouring parts, unless chance puts them there', () => {
  expect(timePattern(spread({ 3: 5, 7: 10, 8: 10, 20: 15 }))).toBe('burst');
  expect(timePattern(spread({ 3: 5, 7: 10, 8: 10, 20: 16 }))).toBe('intermittent');
  expect(timePattern(spread({ 7: 10, 9: 10 }))).toBe('burst');
  // Three of six are in one of 23 twelfths in every fifth row; four are not.
  expect(timePattern(spread({ 1: 1, 6: 1, 12: 1, 18: 2, 19: 1 }))).toBe('steady');
  expect(timePattern(spread({ 1: 1, 6: 1, 18: 3, 19: 1 }))).toBe('burst');
});

test('steady: samples in at least half of the parts, or in as many as so few samples reach', () => {
  const everySecond = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [2 * at, 5]));
  expect(timePattern(spread(everySecond))).toBe('steady');
  const everyThird = (samples: number): number[] =>
    spread(Object.fromEntries(Array.from({ length: 8 }, (_, at) => [3 * at, samples])));
  expect(timePattern(everyThird(1))).toBe('steady');
  expect(timePattern(everyThird(50))).toBe('intermittent');
});

test('no word without samples; counts of one row among those of several', () => {
  expect(timePattern(spread({}))).toBeUndefined();
  expect(timePattern([...spread({}), ...spread({ 0: 9 })], TIME_PARTS)).toBe('once');
});

test('samples that are spread evenly at random are steady, and seldom anything else, however few', () => {
  // The least is 0.908 of the rows, of six samples: of 1000 rows 850 are six standard deviations below.
  const random = randomFor(0);
  for (const samples of [5, 6, 8, 12, 20, 40, 100, 1000]) {
    let steady = 0;
    for (let round = 0; round < 1000; round++) {
      const counts = spread({});
      for (let sample = 0; sample < samples; sample++) counts[random.below(TIME_PARTS)]++;
      if (timePattern(counts) === 'steady') steady++;
    }
    expect(steady, `SEED=${seed}, ${samples} samples`).toBeGreaterThan(850);
  }
});
