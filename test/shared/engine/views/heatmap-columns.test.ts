import { expect, test } from 'vitest';
import { SampleTable } from '../../../../shared/profile/sample-table.ts';
import { TimeOrder } from '../../../../shared/engine/values/time-order.ts';
import {
  type HeatmapColumns,
  heatmapColumns,
  type HeatmapView,
} from '../../../../shared/engine/views/heatmap-columns.ts';
import { NO_MARKS } from '../../../support/no-marks.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('heatmap-columns');
const SECOND = 1e9;

type Sample = readonly [at: number, self: number];

function heatmapOf(
  samples: readonly Sample[],
  view: Partial<HeatmapView>,
  marks: typeof NO_MARKS = NO_MARKS,
): HeatmapColumns | undefined {
  const table = new SampleTable();
  table.origin = 1_000n;
  for (const [at, self] of samples) table.append(at, self, 1);
  const order = new TimeOrder();
  order.update(table);
  return heatmapColumns(table, order, { zoom: undefined, fit: 10, ...view }, marks);
}

test('each sample is in the square of its time; of a zoom only the columns on screen', () => {
  const samples: Sample[] = [
    [1.03 * SECOND, 0],
    [0, 0],
    [39_999_999, 1],
    [40_000_000, 1],
    [2 * SECOND, 0],
    [2 * SECOND, 1],
  ];
  const all = heatmapOf(samples, {})!;
  expect([all.first, all.last, all.squareNs, all.samples.length, all.most]).toEqual([
    '1000',
    2e9,
    20e6,
    150,
    2,
  ]);
  const filled = (counts: Uint32Array): string[] =>
    [...counts].flatMap((count, square) => (count > 0 ? [`${square}: ${count}`] : []));
  expect(filled(all.samples)).toEqual(['0: 1', '1: 1', '2: 1', '51: 1', '100: 2']);
  const marks = { ...NO_MARKS, isOutside: Uint8Array.of(0, 1), isSelected: Uint8Array.of(1, 0) };
  const second = heatmapOf(samples, { zoom: { from: SECOND, to: 1.9 * SECOND } }, marks)!;
  expect(second.from).toBe(50);
  expect([filled(second.samples), filled(second.selected!), second.matches]).toEqual([
    ['1: 1'],
    ['1: 1'],
    undefined,
  ]);
  // The colours stay the same in a zoom.
  expect([second.most, second.mostSelected, second.mostMatches]).toEqual([1, 1, 0]);
});

test('the scale is the finest one that fits; a year fits, and a zoom has finer squares', () => {
  const scaleOf = (seconds: number, fit: number, zoom?: HeatmapView['zoom']): string => {
    const { squareNs, samples, rows } = heatmapOf(
      [
        [0, 0],
        [seconds * SECOND, 0],
      ],
      { zoom, fit },
    )!;
    return `${squareNs / SECOND} s, ${samples.length / rows} columns`;
  };
  expect([
    scaleOf(0, 300),
    scaleOf(59, 300),
    scaleOf(299, 300),
    scaleOf(300, 300),
    scaleOf(24 * 3600 - 1, 300),
  ]).toEqual([
    '0.02 s, 1 columns',
    '0.02 s, 296 columns',
    '0.02 s, 300 columns',
    '0.25 s, 21 columns',
    '5 s, 288 columns',
  ]);
  const day = 24 * 3600;
  expect([scaleOf(7 * day, 300), scaleOf(365 * day, 300)]).toEqual([
    '60 s, 169 columns',
    '1440 s, 366 columns',
  ]);
  expect(scaleOf(365 * day, 300, { from: 9 * SECOND, to: 12 * SECOND })).toBe('0.02 s, 15 columns');
  // No sample is that late.
  expect(scaleOf(9, 300, { from: 20 * SECOND, to: 30 * SECOND })).toBe('0.02 s, 46 columns');
});

test('there is nothing to show without samples', () => {
  expect(heatmapOf([], {})).toBeUndefined();
});

test('on random tables each square has the samples that a count one by one has, and none is lost', () => {
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(scenario);
    const most = random.pick([1, 15, 300, 3_600]) * SECOND * (1 + random.below(5));
    const samples = Array.from({ length: 1 + random.below(60) }, (): Sample => [
      random.below(2) === 0 ? 20e6 * random.below(50) : random.below(most),
      random.below(4),
    ]);
    const mark = (): Uint8Array => Uint8Array.from({ length: 4 }, () => random.below(2));
    const marks = { isError: undefined, isOutside: mark(), isMatch: mark(), isSelected: mark() };
    const from = random.below(most);
    const zoom = random.below(2) === 0 ? undefined : { from, to: from + 1 + random.below(most) };
    const heatmap = heatmapOf(samples, { zoom, fit: 5 }, marks)!;
    const { squareNs, rows } = heatmap;
    const where = `SEED=${seed} scenario ${scenario}`;
    const first = Math.min(...samples.map(([at]) => at));
    const inScope = samples.filter(([, self]) => marks.isOutside[self] === 0);
    const counted = (isCounted: Uint8Array | undefined): number[] => {
      const counts = new Array<number>(Math.floor(heatmap.last / squareNs) + rows).fill(0);
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
      // A log of hours has more squares than a call has space for arguments.
      expect(largest, where).toBe(all.reduce((most, count) => Math.max(most, count), 0));
      const expected = all.slice(heatmap.from, heatmap.from + counts.length);
      expect([...counts].slice(0, expected.length), where).toEqual(expected);
      expect(counts.length % rows, where).toBe(0);
    }
    const whole = heatmapOf(samples, { fit: 5 }, marks)!;
    const inAll = whole.samples.reduce((sum, count) => sum + count, 0);
    expect(inAll, where).toBe(inScope.length);
  }
});
