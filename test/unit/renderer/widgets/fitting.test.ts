import { expect, test } from 'vitest';
import { fittingItems } from '../../../../renderer/widgets/fitting.ts';

/** Indexes of the items that fit; each is [width, rank]. */
function fitting(items: readonly (readonly [number, number])[], space: number): readonly number[] {
  const fits = fittingItems(
    items.map(([width, rank]) => ({ width, rank })),
    space,
  );
  return [...fits.keys()].filter((at) => fits[at]);
}

test('items stay in the order of their ranks, wherever they stand', () => {
  const row = [
    [50, 1],
    [40, 5],
    [30, 2],
  ] as const;
  expect(fitting(row, 120)).toEqual([0, 1, 2]);
  expect(fitting(row, 119)).toEqual([0, 2]);
  expect(fitting(row, 79)).toEqual([0]);
  expect(fitting(row, 49)).toEqual([]);
  expect(fitting([], 10)).toEqual([]);
});

test('what is less important than something left out is left out, too', () => {
  expect(
    fitting(
      [
        [50, 1],
        [60, 2],
        [10, 3],
      ],
      80,
    ),
  ).toEqual([0]);
});

test('an item of rank 0 stays, however little space there is', () => {
  expect(
    fitting(
      [
        [20, 1],
        [100, 0],
      ],
      60,
    ),
  ).toEqual([1]);
});
