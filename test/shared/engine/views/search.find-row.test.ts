import { expect, test } from 'vitest';
import { nextByWeight } from '../../../../shared/engine/views/search.ts';

const weight = [5, 9, 1, 5, 7, 5];
const rows = (...matching: readonly number[]) => ({
  length: weight.length,
  isMatch: (row: number) => matching.includes(row),
  weight,
});

test('matches follow one another by weight, equal ones by number, and begin again', () => {
  const walk = (direction: 1 | -1): string[] => {
    let at = -1;
    return Array.from({ length: 6 }, () => {
      const found = nextByWeight(rows(0, 1, 3, 4, 5), at, direction)!;
      at = found.row;
      return `${found.row}: ${found.position} of ${found.total}`;
    });
  };
  expect(walk(1)).toEqual(['1: 1 of 5', '4: 2 of 5', '0: 3 of 5', '3: 4 of 5', '5: 5 of 5', '1: 1 of 5']);
  expect(walk(-1)).toEqual(['5: 5 of 5', '3: 4 of 5', '0: 3 of 5', '4: 2 of 5', '1: 1 of 5', '5: 5 of 5']);
});

test('from a row that does not match the heaviest is found, and nothing where nothing matches', () => {
  expect(nextByWeight(rows(0, 4), 2, 1)).toEqual({ row: 4, position: 1, total: 2 });
  expect(nextByWeight(rows(2), 2, 1)).toEqual({ row: 2, position: 1, total: 1 });
  expect(nextByWeight(rows(), 2, -1)).toBeUndefined();
});
