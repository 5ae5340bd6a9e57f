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

test('an item that can be narrower is, before something more important is left out', () => {
  const chip = { width: 100, rank: 1, least: { width: 40, restRank: 3 } };
  const row = [chip, chip, { width: 30, rank: 2 }, { width: 10, rank: 4 }];
  const fitting = (space: number): readonly boolean[] => fittingItems(row, space);
  expect(fitting(240)).toEqual([true, true, true, true]);
  // Both are narrower: what is less important than their width is left out.
  expect(fitting(239)).toEqual([true, true, true, false]);
  expect(fitting(110)).toEqual([true, true, true, false]);
  expect(fitting(109)).toEqual([true, true, false, false]);
  expect(fitting(79)).toEqual([true, false, false, false]);
  // One that is narrow anyway.
  expect(fittingItems([{ ...chip, width: 30 }], 30)).toEqual([true]);
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
