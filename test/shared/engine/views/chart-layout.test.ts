import { expect, test } from 'vitest';
import { NONE } from '../../../../shared/profile/columns.ts';
import type { RowTree } from '../../../../shared/engine/trees/row-tree.ts';
import { layoutChart } from '../../../../shared/engine/views/chart-layout.ts';
import { ChartSamples } from '../../../../shared/engine/views/chart-samples.ts';
import {
  flameCounts,
  flameRows,
  type FlameRow,
  isBlock,
} from '../../../../shared/engine/views/flame-columns.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { testSeed } from '../../../support/test-seed.ts';
import { testSize } from '../../../support/test-size.ts';

const { seed, randomFor } = testSeed('chart-layout');

/** Stacks from the root on, a letter a frame. Rows of the tree are their prefixes. */
class Stacks {
  readonly tree: Pick<RowTree, 'parent' | 'key' | 'length' | 'numbering' | 'idOf' | 'label' | 'kind'>;
  readonly leaf: Int32Array;
  readonly paths: string[] = [];
  readonly stacks: readonly string[];

  constructor(stacks: readonly string[]) {
    this.stacks = stacks;
    const parent: number[] = [];
    const rowOf = new Map<string, number>();
    const add = (path: string): number => {
      const known = rowOf.get(path);
      if (known !== undefined) return known;
      const above = path.length === 1 ? NONE : add(path.slice(0, -1));
      const row = this.paths.push(path) - 1;
      parent[row] = above;
      rowOf.set(path, row);
      return row;
    };
    this.leaf = Int32Array.from(stacks, add);
    this.tree = {
      parent: Int32Array.from(parent),
      key: Int32Array.from(this.paths, (path) => path.charCodeAt(path.length - 1) - 97),
      length: this.paths.length,
      numbering: 0,
      idOf: (row) => 100 + row,
      label: (row) => this.paths[row].at(-1)!,
      kind: () => 'frame',
    };
  }

  samples(): ChartSamples {
    const samples = new ChartSamples();
    samples.update(this.tree, this.leaf);
    return samples;
  }

  layout(options: Partial<Parameters<typeof layoutChart>[2]> = {}): readonly FlameRow[] {
    return flameRows(this.columns(options));
  }

  columns(options: Partial<Parameters<typeof layoutChart>[2]> = {}): ReturnType<typeof layoutChart> {
    const all = { from: 0, to: this.stacks.length, pixels: 1_000, label: 'all', matching: undefined };
    return layoutChart(this.samples(), this.tree, { ...all, ...options });
  }
}

const text = ({ depth, label, start, weight, selfCount }: FlameRow): string =>
  `${depth}: ${label} ${start}+${weight} self ${selfCount}`;

test('stacks are in the order in which they were sampled, and equal neighbours are one frame', () => {
  const stacks = new Stacks(['abc', 'abd', 'abd', 'a', 'abc', 'xb']);
  expect(stacks.layout().map(text)).toEqual([
    ...['0: all 0+6 self 0', '1: a 0+5 self 1', '1: x 5+1 self 0', '2: b 0+3 self 0', '2: b 4+1 self 0'],
    ...['2: b 5+1 self 1', '3: c 0+1 self 1', '3: d 1+2 self 2', '3: c 4+1 self 1'],
  ]);
  // The two calls are the same row of the tree.
  const ids = stacks
    .layout()
    .filter(({ label }) => label === 'c')
    .map(({ id }) => id);
  expect(ids[0]).toBe(ids[1]);
  // The levels stay while other samples are shown.
  expect(stacks.layout({ from: 2, to: 3 }).map(text)).toEqual([
    ...['0: all 0+1 self 0', '1: a 0+1 self 0', '2: b 0+1 self 0', '3: d 0+1 self 1'],
  ]);
});

test('stacks with one root have it as the root of the chart', () => {
  expect(new Stacks(['ab', 'ac']).layout().map(text)).toEqual([
    ...['0: a 0+2 self 0', '1: b 0+1 self 1', '1: c 1+1 self 1'],
  ]);
  expect(new Stacks([]).layout()).toEqual([]);
});

test('runs narrower than a pixel are one block with the gaps between them, filled as high as they are', () => {
  const stacks = new Stacks(['abcd', 'ac', 'a', 'ab', 'aaaaa', 'a', 'a', 'a', 'ab', 'ab', 'ab', 'ab']);
  const matching = Uint8Array.from({ length: 26 }, (_, key) => (key === 3 ? 1 : 0));
  const columns = stacks.columns({ pixels: 4, matching });
  const [root, block, frame] = flameRows(columns);
  expect([text(root), text(frame)]).toEqual(['0: a 0+12 self 4', '1: b 8+4 self 4']);
  expect([block.kind, block.start, block.weight, block.totalCount, block.grouped]).toEqual([
    'block',
    0,
    5,
    4,
    9,
  ]);
  expect([[...columns.columnTop], [...columns.columnMatch], block.match]).toEqual([[4, 5], [1, 0], true]);
  expect(columns.levels).toBe(5);
});

/** A walk: mostly the next stack is like the one before. */
function randomStacks(random: SeededRandom): string[] {
  const roots = random.pick([['a'], ['a', 'b']]);
  let stack = '';
  return Array.from({ length: 1 + random.below(random.pick([6, 60, 400])) }, () => {
    stack = stack.slice(0, random.below(stack.length + 1));
    while (stack === '' || random.below(3) > 0)
      stack += stack === '' ? random.pick(roots) : random.pick(['a', 'b', 'c']);
    return stack;
  });
}

test('on random stacks drawn runs are the stacks in order, and no sample and no frame is lost', () => {
  for (let scenario = 0; scenario < testSize(150, 3_000); scenario++) {
    const random = randomFor(scenario);
    const list = randomStacks(random);
    const stacks = new Stacks(list);
    const from = random.below(list.length);
    const to = from + 1 + random.below(list.length - from);
    const pixels = random.pick([to - from, 1, 5, 50, 1_000]);
    const where = `SEED=${seed} scenario ${scenario}`;
    const columns = stacks.columns({ from, to, pixels });
    const rows = flameRows(columns);
    const above = new Set(list.map(([root]) => root)).size > 1 ? 1 : 0;
    // Each frame is a run of samples with one path, which is at least a pixel wide and could not be wider.
    rows.forEach((row, at) => {
      if (at === 0 && above === 1) return;
      const [first, end] = [from + row.start, from + row.start + row.weight];
      if (isBlock(columns, at)) return;
      const depth = row.depth - above + 1;
      const path = stacks.paths[row.id - 100];
      const isOfRun = (place: number): boolean =>
        place >= from && place < to && list[place].slice(0, depth) === path && list[place].length >= depth;
      expect(path.length, where).toBe(depth);
      for (let place = first; place < end; place++) expect(isOfRun(place), where).toBe(true);
      expect([isOfRun(first - 1), isOfRun(end)], where).toEqual([false, false]);
      expect(at === 0 || row.weight * pixels >= to - from, where).toBe(true);
    });
    rows.forEach((row, at) => {
      if (isBlock(columns, at)) return;
      const children = rows.filter(({ parent }) => parent === at);
      const below = children.reduce((sum, { totalCount }) => sum + totalCount, 0);
      expect(below + row.selfCount, where).toBe(row.weight);
    });
    // Drawn or grouped, each run is there once.
    let runs = above;
    for (let place = from; place < to; place++) {
      const before = place === from ? '' : list[place - 1];
      let common = 0;
      while (common < Math.min(before.length, list[place].length) && before[common] === list[place][common])
        common++;
      runs += list[place].length - common;
    }
    const { frames, grouped } = flameCounts(columns);
    expect(frames + grouped, where).toBe(runs);
    if (pixels >= to - from) expect(grouped, where).toBe(0);
    expect(columns.levels, where).toBe(Math.max(...list.slice(from, to).map(({ length }) => length)) + above);
    // Rows never are more than pixels allow.
    for (let level = 0; level + 1 < columns.levelStart.length; level++)
      expect(columns.levelStart[level + 1] - columns.levelStart[level], where).toBeLessThanOrEqual(
        2 * pixels + 1,
      );
  }
});

test('samples that are added, taken back or inserted give the same as all at once', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(1_000 + scenario);
    const { tree, leaf } = new Stacks(randomStacks(random));
    const growing = new ChartSamples();
    for (let step = 0; step < 5; step++) {
      const end = random.below(leaf.length + 1);
      growing.update(
        tree,
        leaf.filter((_, place) => place < end && random.below(20) > 0),
      );
    }
    growing.update(tree, leaf);
    const whole = new ChartSamples();
    whole.update(tree, leaf);
    const shown = ({ shared, length, hasOneRoot }: ChartSamples): unknown => [
      ...[...shared.subarray(0, length)],
      hasOneRoot,
    ];
    const where = `SEED=${seed} scenario ${scenario}`;
    expect(shown(growing), where).toEqual(shown(whole));
    for (let place = 0; place < leaf.length; place += 7)
      expect(growing.nextBreak(place, 1, leaf.length), where).toBe(whole.nextBreak(place, 1, leaf.length));
  }
});

test('a window that moves over the samples compares only stacks that come into it', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(2_000 + scenario);
    const { tree, leaf } = new Stacks(randomStacks(random));
    const moving = new ChartSamples();
    let [from, to] = [0, leaf.length];
    moving.update(tree, leaf);
    for (let step = 0; step < 8; step++) {
      const next = [random.below(leaf.length + 1), random.below(leaf.length + 1)].sort((a, b) => a - b);
      // A hint that is wrong costs time, and nothing else.
      const error = random.below(4) === 0 ? random.below(5) - 2 : 0;
      const compared = moving.update(tree, leaf.subarray(next[0], next[1]), next[0] - from + error);
      const where = `SEED=${seed} scenario ${scenario} step ${step}`;
      const came = Math.max(0, from - next[0]) + Math.max(0, next[1] - to);
      if (error === 0 && next[0] < to && from < next[1])
        expect(compared, where).toBeLessThanOrEqual(came + (next[0] === from ? 0 : 1));
      [from, to] = next;
      const whole = new ChartSamples();
      whole.update(tree, leaf.subarray(from, to));
      expect([moving.length, moving.hasOneRoot, moving.shared.subarray(0, moving.length)], where).toEqual([
        whole.length,
        whole.hasOneRoot,
        whole.shared.subarray(0, whole.length),
      ]);
      for (let place = 0; place < moving.length; place += 7)
        expect(moving.nextBreak(place, 1, to - from), where).toBe(whole.nextBreak(place, 1, to - from));
    }
  }
});
