import { expect, test } from 'vitest';
import { equalCells, linearCells } from '../../../../shared/engine/views/chart-layout.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('chart-cells');
const text = (leaf: Int32Array): string => [...leaf].map((row) => (row < 0 ? '-' : 'abc'[row])).join('');

test('a sample is as wide as its time, a gap is a gap, and a cell has the stack of most of its samples', () => {
  const times = Float64Array.of(0, 10, 20, 70);
  const leaf = Int32Array.of(0, 0, 1, 2);
  const whole = linearCells(times, leaf, { from: 0, to: 90 }, 9);
  // 15 of the 50 ns after the third sample are its own.
  expect(text(whole.leaf)).toBe('aabb---c-');
  expect([...whole.before]).toEqual([0, 1, 2, 3, 3, 3, 3, 3, 4, 4]);
  // What began before the part reaches into it, and is not counted in it.
  const part = linearCells(times, leaf, { from: 25, to: 75 }, 5);
  expect([text(part.leaf), part.before[5]]).toEqual(['b---c', 1]);
  const many = Float64Array.from({ length: 30 }, (_, at) => at);
  const mixed = Int32Array.from({ length: 30 }, (_, at) => (at % 3 === 2 ? 1 : 0));
  expect(text(linearCells(many, mixed, { from: 0, to: 30 }, 2).leaf)).toBe('aa');
});

test('equally wide samples have a cell each, or share one with others where pixels are fewer', () => {
  const at = Float64Array.of(0, 10, 20, 70);
  const leaf = Int32Array.of(0, 0, 1, 2);
  const each = equalCells(at, leaf, 100);
  expect([text(each.leaf), [...each.before], [...each.times]]).toEqual([
    'aabc',
    [0, 1, 2, 3, 4],
    [0, 10, 20, 70, 71],
  ]);
  const shared = equalCells(at, leaf, 2);
  expect([text(shared.leaf), [...shared.before], [...shared.times]]).toEqual(['ab', [0, 2, 4], [0, 20, 71]]);
  expect(equalCells(at.subarray(0, 0), leaf.subarray(0, 0), 9).leaf).toHaveLength(0);
});

test('on random samples a cell with a sample has a stack, and no sample is lost', () => {
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const times = Float64Array.from({ length: 1 + random.below(60) }, () => random.below(1_000)).sort();
    const leaf = Int32Array.from(times, () => random.below(3));
    const from = random.below(500);
    const shown = { from, to: from + 1 + random.below(900) };
    const pixels = 1 + random.below(80);
    const cells = linearCells(times, leaf, shown, pixels);
    const inside = times.filter((time) => time >= shown.from && time < shown.to);
    expect(cells.before[pixels], where).toBe(inside.length);
    for (const time of inside) {
      const cell = Math.floor(((time - from) * pixels) / (shown.to - from));
      expect(cells.leaf[cell], where).toBeGreaterThanOrEqual(0);
    }
    const equal = equalCells(times, leaf, pixels);
    expect([equal.before.at(-1), equal.leaf.includes(-1)], where).toEqual([times.length, false]);
  }
});
