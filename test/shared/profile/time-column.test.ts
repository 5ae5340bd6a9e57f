import { expect, test } from 'vitest';
import { TimeColumn } from '../../../shared/profile/time-column.ts';

const LIMIT = Number.MAX_SAFE_INTEGER;

test('sums stay exact beyond 2^53, and come back', () => {
  const column = new TimeColumn(2);
  column.add(0, LIMIT);
  column.add(0, 1);
  column.add(0, 1);
  expect(column.text(0)).toBe('9007199254740993');
  expect(column.bigints?.size).toBe(1);
  column.add(0, -2n);
  expect(column.text(0)).toBe(String(LIMIT));
  expect(column.bigints).toBeUndefined();
});

test('sums of corrupt clocks: 2^63 and more, of either sign', () => {
  const column = new TimeColumn(1);
  column.add(0, 2n ** 63n - 1n);
  column.add(0, 2n ** 63n - 1n);
  column.add(0, 3);
  expect(column.exact(0)).toBe(2n ** 64n + 1n);
  column.add(0, -(2n ** 65n));
  expect(column.text(0)).toBe(String(-(2n ** 65n) + 2n ** 64n + 1n));
});

test('a double that is no safe integer is added as what it is', () => {
  const column = new TimeColumn(1);
  column.add(0, -LIMIT);
  column.add(0, 2 ** 60);
  expect(column.exact(0)).toBe(2n ** 60n - BigInt(LIMIT));
  column.add(0, -(2 ** 60));
  expect(column.text(0)).toBe(String(-LIMIT));
});

test('rows add rows, and zero is never negative', () => {
  const column = new TimeColumn(1);
  const other = new TimeColumn(2);
  other.add(1, 2n ** 60n + 1n);
  column.add(0, -0);
  expect(column.text(0)).toBe('0');
  column.addFrom(0, other, 1);
  expect(column.exact(0)).toBe(2n ** 60n + 1n);
});
