import { expect, test } from 'vitest';
import { chartCells, countInCells } from '../../../../shared/engine/views/chart-cells.ts';
import { layoutChart } from '../../../../shared/engine/views/chart-layout.ts';
import { ChartSamples } from '../../../../shared/engine/views/chart-samples.ts';
import { flameRows } from '../../../../shared/engine/views/flame-columns.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('chart-cells');
const text = (leaf: Int32Array): string => [...leaf].map((row) => (row < 0 ? '-' : 'abc'[row])).join('');

test('a sample is as wide as its time, a gap is a gap, and a cell has the stack of most of its samples', () => {
  const times = Float64Array.of(0, 10, 20, 70);
  const leaf = Int32Array.of(0, 0, 1, 2);
  const whole = chartCells(times, leaf, { from: 0, to: 90 }, 9);
  // 15 of the 50 ns after the third sample are its own.
  expect(text(whole.leaf)).toBe('aabb---c-');
  expect([...whole.before]).toEqual([0, 1, 2, 3, 3, 3, 3, 3, 4, 4]);
  // What began before the part reaches into it, and is not counted in it.
  const part = chartCells(times, leaf, { from: 25, to: 75 }, 5);
  expect([text(part.leaf), part.before[5]]).toEqual(['b---c', 1]);
  const many = Float64Array.from({ length: 30 }, (_, at) => at);
  const mixed = Int32Array.from({ length: 30 }, (_, at) => (at % 3 === 2 ? 1 : 0));
  expect(text(chartCells(many, mixed, { from: 0, to: 30 }, 2).leaf)).toBe('aa');
});

test('on random samples each frame has the samples of its time: those of its children, and its own', () => {
  const tree = {
    ...{ parent: Int32Array.of(-1, 0, 1), key: Int32Array.of(0, 1, 2), length: 3, numbering: 0 },
    ...{ idOf: (row: number) => row, label: (row: number) => 'abc'[row], kind: () => 'frame' as const },
  };
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const times = Float64Array.from({ length: 1 + random.below(60) }, () => random.below(1_000)).sort();
    const leaf = Int32Array.from(times, () => random.below(3));
    const from = random.below(500);
    const shown = { from, to: from + 1 + random.below(900) };
    const pixels = 1 + random.below(80);
    const cells = chartCells(times, leaf, shown, pixels);
    const inside = times.filter((time) => time >= shown.from && time < shown.to);
    expect(cells.before[pixels], where).toBe(inside.length);
    for (const time of inside) {
      const cell = Math.floor(((time - from) * pixels) / (shown.to - from));
      expect(cells.leaf[cell], where).toBeGreaterThanOrEqual(0);
    }
    const samples = new ChartSamples();
    samples.update(tree, cells.leaf);
    const layout = layoutChart(samples, tree, {
      from: 0,
      to: pixels,
      pixels,
      label: 'all',
      matching: undefined,
    });
    countInCells(layout, cells);
    const rows = flameRows(layout);
    for (const [at, { totalCount, selfCount }] of rows.entries()) {
      const below = rows.filter((_, row) => layout.parent[row] === at);
      const sum = below.reduce((all, child) => all + child.totalCount, 0);
      expect([selfCount >= 0, sum + selfCount], where).toEqual([true, totalCount]);
    }
    expect(rows[0].totalCount, where).toBe(inside.length);
  }
});
