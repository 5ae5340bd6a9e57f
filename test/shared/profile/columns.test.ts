import { expect, test } from 'vitest';
import { extended } from '../../../shared/profile/columns.ts';

test('an extended column has zeros after its values, whatever its memory held there', () => {
  const column = Int32Array.of(1, 2, 3, 4).subarray(0, 2);
  expect([...extended(column, 3)]).toEqual([1, 2, 0]);
  expect([...extended(column, 5)]).toEqual([1, 2, 0, 0, 0]);
});
