import { expect, test } from 'vitest';
import { largestValues } from '../../../renderer/profile-worker/largest-values.ts';

test('the largest of each value comes from the rows that are named, and is never negative', () => {
  const counts = Float64Array.of(5, 9, 7);
  const times = Float64Array.of(-3, -9, -1);
  expect(largestValues([0, 2], counts, counts, times, Float64Array.of(1, 50, 4))).toEqual({
    selfCount: 7,
    totalCount: 7,
    selfTime: 0,
    totalTime: 4,
  });
  expect(largestValues([], counts, counts, times, times).totalCount).toBe(0);
});
