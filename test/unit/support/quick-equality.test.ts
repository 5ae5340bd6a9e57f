import { expect, test } from 'vitest';

test('what differs is not equal, and what toEqual allows is, with the quick look, too', () => {
  expect(() => expect(Float64Array.of(1, 2)).toEqual(Float64Array.of(1, 3))).toThrow();
  expect(() => expect([{ a: 1 }]).not.toEqual([{ a: 1 }])).toThrow();
  expect({ a: 1, b: undefined }).toEqual({ a: 1 });
  expect({ a: 1, b: undefined }).not.toStrictEqual({ a: 1 });
  expect([1, 'x']).toEqual([1, expect.any(String)]);
});
