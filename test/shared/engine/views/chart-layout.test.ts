import { expect, test } from 'vitest';
import { NONE } from '../../../../shared/profile/columns.ts';
import type { RowTree } from '../../../../shared/engine/trees/row-tree.ts';
import { layoutChart, equalCells } from '../../../../shared/engine/views/chart-layout.ts';
import { type FlameLayout, flameRows, type FlameRow } from '../../../../shared/engine/views/flame-columns.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { testSeed } from '../../../support/test-seed.ts';
import { testSize } from '../../../support/test-size.ts';

const { seed, randomFor } = testSeed('chart-layout');

/** Stacks from the root on, a letter a frame. Rows of the tree are their prefixes. */
class Stacks {
  readonly tree: Pick<RowTree, 'parent' | 'key' | 'length' | 'idOf' | 'label' | 'kind'>;
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
    this.leaf = Int32Array.from(stacks, (stack) => (stack === '' ? NONE : add(stack)));
    this.tree = {
      parent: Int32Array.from(parent),
      key: Int32Array.from(this.paths, (path) => path.charCodeAt(path.length - 1) - 97),
      length: this.paths.length,
      idOf: (row) => 100 + row,
      label: (row) => this.paths[row].at(-1)!,
      kind: () => 'frame',
    };
  }

  /** A cell each; a place without a stack is a gap. */
  columns(from = 0, to = this.stacks.length, matching?: Uint8Array): FlameLayout {
    const at = Float64Array.from(this.leaf, (_, place) => place).subarray(from, to);
    return layoutChart(equalCells(at, this.leaf.subarray(from, to), to - from), this.tree, {
      label: 'all',
      matching,
    });
  }

  layout(from?: number, to?: number): readonly FlameRow[] {
    return flameRows(this.columns(from, to));
  }
}

const text = ({ depth, label, start, weight, selfCount }: FlameRow): string =>
  `${depth}: ${label} ${start}+${weight} self ${selfCount}`;

test('stacks are in the order in which they were sampled, and equal neighbours are one frame', () => {
  const stacks = new Stacks(['abc', 'abd', 'abd', 'a', 'abc', 'xb']);
  expect(stacks.layout().map(text)).toEqual([
    '0: all 0+6 self 0',
    '1: a 0+5 self 1',
    '1: x 5+1 self 0',
    '2: b 0+3 self 0',
    '2: b 4+1 self 0',
    '2: b 5+1 self 1',
    '3: c 0+1 self 1',
    '3: d 1+2 self 2',
    '3: c 4+1 self 1',
  ]);
  // The two calls are the same row of the tree.
  const ids = stacks
    .layout()
    .filter(({ label }) => label === 'c')
    .map(({ id }) => id);
  expect(ids[0]).toBe(ids[1]);
  // Only what is shown decides what the root is.
  expect(stacks.layout(2, 3).map(text)).toEqual(['0: a 0+1 self 0', '1: b 0+1 self 0', '2: d 0+1 self 1']);
});

test('stacks with one root have it as the root of the chart', () => {
  expect(new Stacks(['ab', 'ac']).layout().map(text)).toEqual([
    '0: a 0+2 self 0',
    '1: b 0+1 self 1',
    '1: c 1+1 self 1',
  ]);
  expect(new Stacks([]).layout()).toEqual([]);
});

test('a gap ends all frames but the root, and what matches is marked', () => {
  const stacks = new Stacks(['ab', '', 'ab', 'ac']);
  expect(stacks.layout().map(text)).toEqual([
    // A gap has no sample, but here each cell has one.
    '0: a 0+4 self 1',
    '1: b 0+1 self 1',
    '1: b 2+1 self 1',
    '1: c 3+1 self 1',
  ]);
  const matching = Uint8Array.from({ length: 26 }, (_, key) => (key === 2 ? 1 : 0));
  const marked = flameRows(stacks.columns(0, 4, matching)).filter(({ match }) => match);
  expect(marked.map(text)).toEqual(['1: c 3+1 self 1']);
  expect(new Stacks(['', '']).layout().map(text)).toEqual(['0: all 0+2 self 2']);
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
    const where = `SEED=${seed} scenario ${scenario}`;
    const columns = stacks.columns(from, to);
    const rows = flameRows(columns);
    const above = new Set(list.slice(from, to).map(([root]) => root)).size > 1 ? 1 : 0;
    // Each frame is a run of samples with one path, and could not be wider.
    rows.forEach((row, at) => {
      if (at === 0 && above === 1) return;
      const [first, end] = [from + row.start, from + row.start + row.weight];
      const depth = row.depth - above + 1;
      const path = stacks.paths[row.id - 100];
      const isOfRun = (place: number): boolean =>
        place >= from && place < to && list[place].slice(0, depth) === path && list[place].length >= depth;
      expect(path.length, where).toBe(depth);
      for (let place = first; place < end; place++) expect(isOfRun(place), where).toBe(true);
      expect([isOfRun(first - 1), isOfRun(end)], where).toEqual([false, false]);
    });
    rows.forEach((row, at) => {
      const below = rows
        .filter(({ parent }) => parent === at)
        .reduce((sum, each) => sum + each.totalCount, 0);
      expect([below + row.selfCount, row.totalCount], where).toEqual([row.weight, row.weight]);
    });
    // Each run is there once.
    let runs = above;
    for (let place = from; place < to; place++) {
      const before = place === from ? '' : list[place - 1];
      let common = 0;
      while (common < Math.min(before.length, list[place].length) && before[common] === list[place][common])
        common++;
      runs += list[place].length - common;
    }
    expect(rows.length, where).toBe(runs);
    expect(columns.levels, where).toBe(Math.max(...list.slice(from, to).map(({ length }) => length)) + above);
  }
});
