import { expect, test } from 'vitest';
import { SampleTable } from '../../../../shared/profile/sample-table.ts';
import { TimeOrder } from '../../../../shared/engine/values/time-order.ts';
import {
  HEATMAP_SCALE_NAMES,
  HEATMAP_SCALES,
  type HeatmapColumns,
  heatmapColumns,
  type HeatmapMarks,
  type HeatmapView,
} from '../../../../shared/engine/views/heatmap-columns.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('heatmap-columns');
const NO_MARKS: HeatmapMarks = { isOutside: undefined, isMatch: undefined, isSelected: undefined };
const SECOND = 1e9;

type Sample = readonly [at: number, self: number];

function heatmapOf(
  samples: readonly Sample[],
  view: Partial<HeatmapView>,
  marks = NO_MARKS,
): HeatmapColumns | undefined {
  const table = new SampleTable();
  table.origin = 1_000n;
  for (const [at, self] of samples) table.append(at, self, 1);
  const order = new TimeOrder();
  order.update(table);
  return heatmapColumns(table, order, { scale: 'fine', fit: 10, from: 0, columns: 10, ...view }, marks);
}

test('each sample is in the square of its time; of a column that is cut off only the squares that are wanted', () => {
  const samples: Sample[] = [
    [1.03 * SECOND, 0],
    [0, 0],
    [39_999_999, 1],
    [40_000_000, 1],
    [2 * SECOND, 0],
    [2 * SECOND, 1],
  ];
  const all = heatmapOf(samples, {})!;
  expect([all.first, all.last, all.length, all.samples.length, all.most]).toEqual([
    ...['1000', 2e9, 3, 150, 2],
  ]);
  const filled = (counts: Uint32Array): string[] =>
    [...counts].flatMap((count, square) => (count > 0 ? [`${square}: ${count}`] : []));
  expect(filled(all.samples)).toEqual(['0: 1', '1: 1', '2: 1', '51: 1', '100: 2']);
  const marks = { ...NO_MARKS, isOutside: Uint8Array.of(0, 1), isSelected: Uint8Array.of(1, 0) };
  const second = heatmapOf(samples, { from: 1, columns: 1 }, marks)!;
  expect([filled(second.samples), filled(second.selected!), second.matches]).toEqual([
    ...[['1: 1'], ['1: 1'], undefined],
  ]);
  // The colours stay the same while the window scrolls.
  expect([second.most, second.mostSelected, second.mostMatches]).toEqual([1, 1, 0]);
});

test('the scale is the finest one that fits; a day fits at the coarsest', () => {
  const scaleOf = (seconds: number, fit: number): string => {
    const heatmap = heatmapOf(
      [
        [0, 0],
        [seconds * SECOND, 0],
      ],
      { scale: undefined, fit, columns: fit },
    )!;
    return `${heatmap.scale} ${heatmap.length}`;
  };
  expect([scaleOf(0, 300), scaleOf(299, 300), scaleOf(300, 300), scaleOf(24 * 3600 - 1, 300)]).toEqual([
    ...['fine 1', 'fine 300', 'middle 21', 'coarse 288'],
  ]);
  // Longer than fits at any: it scrolls.
  expect(scaleOf(7 * 24 * 3600, 300)).toBe('coarse 2017');
});

test('a year has no columns of seconds, which no browser can lay out', () => {
  const shown = (days: number, scale: HeatmapView['scale']): unknown => {
    const { length, scale: used } = heatmapOf(
      [
        [0, 0],
        [(days * 86_400 - 1) * SECOND, 0],
      ],
      { scale },
    )!;
    return `${used} ${length}`;
  };
  expect([shown(90, 'fine'), shown(365, 'fine'), shown(365, 'coarse')]).toEqual([
    'fine 7776000',
    'middle 2102400',
    'coarse 105120',
  ]);
});

test('there is nothing to show without samples', () => {
  expect(heatmapOf([], {})).toBeUndefined();
});

test('on random tables each square has the samples that a count one by one has, and none is lost', () => {
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(scenario);
    const scale = random.pick(HEATMAP_SCALE_NAMES);
    const { squareNs, rows } = HEATMAP_SCALES[scale];
    const most = squareNs * rows * (1 + random.below(5));
    const samples = Array.from({ length: 1 + random.below(60) }, (): Sample => [
      random.below(2) === 0 ? squareNs * random.below(rows) : random.below(most),
      random.below(4),
    ]);
    const mark = (): Uint8Array => Uint8Array.from({ length: 4 }, () => random.below(2));
    const marks = { isOutside: mark(), isMatch: mark(), isSelected: mark() };
    const view = { scale, fit: 3, from: random.below(6), columns: 1 + random.below(7) };
    const heatmap = heatmapOf(samples, view, marks)!;
    const where = `SEED=${seed} scenario ${scenario}`;
    const first = Math.min(...samples.map(([at]) => at));
    const inScope = samples.filter(([, self]) => marks.isOutside[self] === 0);
    const counted = (isCounted: Uint8Array | undefined): number[] => {
      const counts = new Array<number>(heatmap.length * rows).fill(0);
      for (const [at, self] of inScope)
        if (isCounted?.[self] !== 0) counts[Math.floor((at - first) / squareNs)]++;
      return counts;
    };
    const columns = [
      [heatmap.samples, heatmap.most, undefined],
      [heatmap.matches!, heatmap.mostMatches, marks.isMatch],
      [heatmap.selected!, heatmap.mostSelected, marks.isSelected],
    ] as const;
    for (const [counts, largest, isCounted] of columns) {
      const all = counted(isCounted);
      expect(largest, where).toBe(Math.max(...all));
      const from = heatmap.from * rows;
      expect([...counts], where).toEqual(all.slice(from, from + counts.length));
    }
    const whole = heatmapOf(samples, { ...view, from: 0, columns: heatmap.length }, marks)!;
    expect(
      whole.samples.reduce((sum, count) => sum + count, 0),
      where,
    ).toBe(inScope.length);
  }
});
