import { expect, test } from 'vitest';
import { fittedWidths, type RowItem } from '../../../renderer/widgets/FittingRow.tsx';
import { testSeed } from '../../support/test-seed.ts';

/** Indexes of the items that fit; each is [width, rank]. */
function fitting(items: readonly (readonly [number, number])[], space: number): readonly number[] {
  const widths = fittedWidths(
    items.map(([width, rank]) => ({ width, rank })),
    space,
  );
  return [...widths.keys()].filter((at) => widths[at] > 0);
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

const CHIP: RowItem = { width: 100, rank: 1, least: { width: 40, restRank: 3 } };

test.each([
  // Everything fits.
  [240, [100, 100, 30, 10]],
  // Both are narrower: what is less important than their width is left out, and its space is theirs.
  [239, [100, 100, 30, 0]],
  [229, [99.5, 99.5, 30, 0]],
  [110, [40, 40, 30, 0]],
  // The space of something more important that does not fit is theirs, too.
  [109, [54.5, 54.5, 0, 0]],
  [79, [79, 0, 0, 0]],
  [40, [40, 0, 0, 0]],
  [39, [0, 0, 0, 0]],
])('items that can be narrower, in %d pixels: %j', (space, widths) => {
  const row = [CHIP, CHIP, { width: 30, rank: 2 }, { width: 10, rank: 4 }];
  expect(fittedWidths(row, space)).toEqual(widths);
});

test('of those that are shortened, short ones stay whole, and long ones end at the same width', () => {
  const row = [50, 300, 30, 200].map((width): RowItem => ({ ...CHIP, width }));
  expect(fittedWidths(row, 400)).toEqual([50, 160, 30, 160]);
  expect(fittedWidths(row, 150)).toEqual([40, 40, 30, 40]);
});

test.each([
  // All listed fit: no list, whose width is free.
  [180, [100, 0, 30, 50]],
  // What does not fit is not listed.
  [179, [100, 0, 30, 0]],
  [70, [40, 0, 30, 0]],
  // The list has nothing to count.
  [69, [57, 12, 0, 0]],
  [52, [40, 12, 0, 0]],
  // It takes its space first.
  [51, [0, 20, 0, 0]],
])('a list is there where something that is listed does not fit, in %d pixels: %j', (space, widths) => {
  const row: readonly RowItem[] = [
    { ...CHIP, listed: 'counted' },
    { width: 20, rank: 0, bare: 12 },
    { width: 30, rank: 2, listed: 'uncounted' },
    { width: 50, rank: 4 },
  ];
  expect(fittedWidths(row, space)).toEqual(widths);
});

test('random rows: nothing is wider than the space, or than itself, and more space never hides anything', () => {
  const { seed, randomFor } = testSeed('rows');
  for (let turn = 0; turn < 200; turn++) {
    const random = randomFor(turn);
    const row = Array.from({ length: 1 + random.below(8) }, (): RowItem => {
      const width = 1 + random.below(200);
      const rank = 1 + random.below(6);
      const least =
        random.below(2) === 0
          ? undefined
          : { width: 1 + random.below(120), restRank: rank + random.below(4) };
      return { width, rank, least, listed: random.pick(['counted', 'uncounted', undefined]) };
    });
    let before = 0;
    for (let space = 0; space < 900; space += 19) {
      const widths = fittedWidths(row, space);
      const shown = widths.filter((width) => width > 0).length;
      const isWrong = widths.some((fitted, at) => {
        const { width, least } = row[at];
        return fitted > 0 && (fitted > width || fitted < Math.min(width, least?.width ?? width));
      });
      const taken = widths.reduce((sum, width) => sum + width, 0);
      if (isWrong || shown < before || taken > space + 1e-9)
        expect.fail(`SEED=${seed}, row ${turn}, ${space} pixels: ${JSON.stringify({ row, widths })}`);
      before = shown;
    }
  }
});
