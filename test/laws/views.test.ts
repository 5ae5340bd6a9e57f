import { expect, test } from 'vitest';
import { callTreeOf } from '../../shared/export/tree.ts';
import { flatProfileOf } from '../../shared/export/flat.ts';
import { exportCollapsed } from '../../shared/export/collapsed.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { NONE } from '../../shared/profile/columns.ts';
import { sumTotals } from '../../shared/profile/lean-profile.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import {
  ALL_ROWS,
  flameCounts,
  type FlameLayout,
  flameRows,
} from '../../shared/engine/views/flame-columns.ts';
import { type FlameOptions, layoutFlame, type SiblingOrder } from '../../shared/engine/views/flame-layout.ts';
import { zoomedRoot } from '../../shared/engine/zoomed-root.ts';
import { compareKeys } from '../../shared/engine/trees/keys.ts';
import type { RowSums } from '../../shared/engine/values/row-sums.ts';
import { flameWeights } from '../../shared/engine/views/flame-measures.ts';
import { FRAME_GROUPINGS, THREAD_GROUPINGS } from '../../shared/engine/trees/grouping.ts';
import { METRICS } from '../../shared/engine/values/metric.ts';
import type { RowTree } from '../../shared/engine/trees/row-tree.ts';
import { randomLog } from '../support/random-log.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import { modelKey, readModel } from '../support/reference-model.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('views');

test('weight is conserved: self values, roots and samples are one sum', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const bytes = randomLog(randomFor(scenario), { traces: 40, maxDepth: 30 });
    const { profile } = readLog(bytes);
    const { samples } = readModel(bytes);
    const where = `SEED=${seed} scenario ${scenario}`;
    const ns = samples.reduce((sum, sample) => sum + sample.ns, 0n);
    const totals = sumTotals(profile);
    let count = 0;
    let time = 0n;
    for (let node = 0; node < profile.nodes.length; node++) {
      if (!profile.nodes.isRoot(node)) continue;
      count += totals.count[node];
      time += totals.time.exact(node);
    }
    expect([count, time], where).toEqual([samples.length, ns]);
    for (const threads of THREAD_GROUPINGS) {
      const { tree, totalCount, selfCount, selfTime } = callTreeOf(profile, { threads, frames: 'fqmn' });
      expect(
        sumOf(tree.roots(), (row) => totalCount[row]),
        where,
      ).toBe(samples.length);
      const rows = Array.from({ length: tree.length }, (_, row) => row);
      expect(
        sumOf(rows, (row) => selfCount[row]),
        where,
      ).toBe(samples.length);
      expect(
        rows.reduce((sum, row) => sum + selfTime.exact(row), 0n),
        where,
      ).toBe(ns);
    }
  }
});

test('flat equals a count sample by sample, once or per level, in all groupings', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const bytes = randomLog(randomFor(1_000 + scenario), { traces: 30, maxDepth: 40, methods: 5 });
    const { profile } = readLog(bytes);
    const model = readModel(bytes);
    for (const frames of FRAME_GROUPINGS) {
      for (const recursion of ['once', 'per-level'] as const) {
        const expected = new Map<
          string,
          [self: number, total: number, selfTime: bigint, totalTime: bigint]
        >();
        for (const { stack, ns } of model.samples) {
          const keys = stack.map((frame) => modelKey(model, frame, frames));
          for (const key of recursion === 'once' ? new Set(keys) : keys) {
            const row = expected.get(key) ?? [0, 0, 0n, 0n];
            expected.set(key, [row[0], row[1] + 1, row[2], row[3] + ns]);
          }
          const leaf = expected.get(keys[keys.length - 1])!;
          leaf[0]++;
          leaf[2] += ns;
        }
        const flat = flatProfileOf(profile, { frames, recursion });
        const actual = new Map(
          flat.keys.labels.map((label, key) => [
            label,
            [flat.selfCount[key], flat.totalCount[key], flat.selfTime.exact(key), flat.totalTime.exact(key)],
          ]),
        );
        expect(actual, `SEED=${seed} scenario ${scenario} ${frames} ${recursion}`).toEqual(expected);
      }
    }
  }
});

test('no total of a flat profile exceeds the number of samples, in the deepest recursion either', () => {
  const { profile, aggregator } = readLog(goldenLog('deeprec'));
  const once = flatProfileOf(profile, { frames: 'fqmn', recursion: 'once' });
  const perLevel = flatProfileOf(profile, { frames: 'fqmn', recursion: 'per-level' });
  expect(Math.max(...once.totalCount)).toBeLessThanOrEqual(aggregator.sampleCount);
  expect(Math.max(...perLevel.totalCount)).toBeGreaterThan(aggregator.sampleCount * 10);
});

test('collapsed stacks hold every sample, sorted, each stack once', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(2_000 + scenario);
    const bytes = randomLog(random, { traces: 40, methods: random.pick([3, 20]) });
    const { profile } = readLog(bytes);
    const { samples } = readModel(bytes);
    const where = `SEED=${seed} scenario ${scenario}`;
    for (const threads of THREAD_GROUPINGS) {
      const grouping = { threads, frames: random.pick(FRAME_GROUPINGS) };
      const text = collectText((sink) => {
        exportCollapsed({ profile, ...grouping, metric: 'samples', filter: KEEP_ALL }, sink);
      });
      const lines = text.split('\n').slice(0, -1);
      const stacks = lines.map((line) => line.slice(0, line.lastIndexOf(' ')));
      expect(
        sumOf(lines, (line) => Number(line.slice(line.lastIndexOf(' ')))),
        where,
      ).toBe(samples.length);
      expect(lines, where).toEqual([...lines].sort());
      expect(new Set(stacks).size, where).toBe(stacks.length);
      for (const { stack } of samples.slice(0, 3)) {
        expect(
          stacks.map((each) => each.split(';').length),
          where,
        ).toContain(stack.length + (threads === 'all' ? 0 : 1));
      }
    }
  }
});

test('flame layouts are exact and complete: frames, blocks and self fill their parent at any width', () => {
  for (let scenario = 0; scenario < testSize(150, 3_000); scenario++) {
    const random = randomFor(3_000 + scenario);
    const { profile } = readLog(
      randomLog(random, { traces: 1 + random.below(60), maxDepth: 20, methods: 6 }),
    );
    const sums = callTreeOf(profile, { threads: random.pick(THREAD_GROUPINGS), frames: 'fqmn' });
    const { tree } = sums;
    const metric = random.pick(METRICS);
    const weights = flameWeights(sums, metric);
    const heavy = Array.from(weights.keys()).filter((row) => weights[row] > 0);
    const row = random.next() < 0.5 && heavy.length > 0 ? random.pick(heavy) : undefined;
    const options = {
      metric,
      siblings: random.pick(['weight', 'name'] as const),
      zoom: row === undefined ? undefined : { row, run: undefined },
      pixels: random.pick([1, 5, 40, 300]),
      matching: undefined,
      kept: undefined,
    };
    const layout = layoutFlame(sums, options);
    const where = `SEED=${seed} scenario ${scenario} ${JSON.stringify(options)}`;
    checkLayout(tree, layout, weights, row, options.siblings, where);
    expect(layoutFlame(sums, options), where).toEqual(layout);
    const kept = new Uint8Array(tree.length).fill(1);
    expect(layoutFlame(sums, { ...options, kept }), where).toEqual(layout);
    if (row === undefined) checkZoomIntoBlocks(sums, layout, options, where);
  }
});

function checkLayout(
  tree: RowTree,
  layout: FlameLayout,
  weights: Float64Array,
  zoom: number | undefined,
  siblings: SiblingOrder,
  where: string,
): void {
  const rows = flameRows(layout);
  const childrenOf = (row: number): number[] => {
    const children: number[] = [];
    for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child))
      if (weights[child] > 0) children.push(child);
    return children;
  };
  const ownWeight = (id: number): number =>
    id < 0 ? 0 : weights[tree.rowOf(id)] - sumOf(childrenOf(tree.rowOf(id)), (child) => weights[child]);
  for (const [at, row] of rows.entries()) {
    expect(layout.levelStart[row.depth] <= at && at < layout.levelStart[row.depth + 1], where).toBe(true);
    if (row.kind === 'block') continue;
    const children = rows.filter(({ parent }) => parent === at);
    let edge = row.start;
    for (const [place, child] of children.entries()) {
      expect(near(child.start, edge), where).toBe(true);
      expect(child.depth, where).toBe(row.depth + 1);
      // Blocks are as long as they can be.
      if (place > 0 && child.kind === 'block') expect(children[place - 1].kind, where).not.toBe('block');
      edge += child.weight;
    }
    expect(near(edge + ownWeight(row.id), row.start + row.weight), where).toBe(true);
  }

  // Level by level, straight from the tree: what is as wide as a pixel is there, and nothing else.
  const whole = rows.length === 0 ? 0 : layout.weight[0];
  const isWide = (row: number): boolean => weights[row] * layout.pixels >= whole;
  const root = zoom ?? (rows.length > 0 && rows[0].id >= 0 ? tree.rowOf(rows[0].id) : undefined);
  let level = root === undefined ? tree.roots().filter((row) => weights[row] > 0) : [root];
  if (root !== undefined && !(weights[root] > 0)) level = [];
  const wanted: number[] = [];
  const hasFrames: number[] = [];
  for (let reached = root === undefined ? [...level] : childrenOf(root); reached.length > 0;)
    reached = reached.flatMap((row) => (hasFrames.push(row), childrenOf(row)));
  if (root !== undefined) wanted.push(root);
  for (let front = root === undefined ? level : childrenOf(root); front.length > 0;)
    front = front.filter(isWide).flatMap((row) => (wanted.push(row), childrenOf(row)));
  const drawn = rows.filter(({ kind, id }) => kind !== 'block' && id >= 0);
  if (whole > 0) {
    expect(
      drawn.map(({ id }) => tree.rowOf(id)).sort((a, b) => a - b),
      where,
    ).toEqual(wanted.sort((a, b) => a - b));
    const { frames, grouped, groupedWeight } = flameCounts(layout);
    expect(frames, where).toBe(drawn.length + (rows[0].id < 0 ? 1 : 0));
    expect(drawn.length + grouped, where).toBe(hasFrames.length + (root === undefined ? 0 : 1));
    const blocks = rows.filter(({ kind }) => kind === 'block');
    expect(
      near(
        sumOf(blocks, ({ weight }) => weight),
        groupedWeight,
      ),
      where,
    ).toBe(true);
    // No level has more frames than pixels.
    for (let depth = 0; depth + 1 < layout.levelStart.length; depth++)
      expect(drawn.filter((row) => row.depth === depth).length, where).toBeLessThanOrEqual(layout.pixels);
  } else expect(rows, where).toEqual([]);
  checkColumns(tree, layout, weights, root, siblings, where);
}

/** A pixel column is filled at a level if something of the tree lies in it, and otherwise not. */
function checkColumns(
  tree: RowTree,
  layout: FlameLayout,
  weights: Float64Array,
  root: number | undefined,
  siblings: SiblingOrder,
  where: string,
): void {
  const { pixels } = layout;
  if (layout.length === 0) return;
  const whole = layout.weight[0];
  const key = (level: number, column: number): number => level * pixels + column;
  const wanted = new Set<number>();
  const add = (set: Set<number>, level: number, from: number, to: number): void => {
    // What weighs less than a double tells is in one column all the same.
    const first = Math.min(pixels - 1, Math.floor(from));
    for (let column = first; column < Math.max(first + 1, Math.min(pixels, to)); column++)
      set.add(key(level, column));
  };
  const inOrder = (a: number, b: number): number =>
    (siblings === 'weight' ? weights[b] - weights[a] : 0) || compareKeys(tree.label(a), tree.label(b));
  let front: { readonly row: number; readonly start: number }[] = [];
  const place = (rows: number[], start: number): { row: number; start: number }[] => {
    let edge = start;
    return rows
      .filter((row) => weights[row] > 0)
      .sort(inOrder)
      .map((row) => ({ row, start: (edge += weights[row]) - weights[row] }));
  };
  front = root === undefined ? place(tree.roots(), 0) : [{ row: root, start: 0 }];
  for (let level = root === undefined ? 1 : 0; front.length > 0; level++) {
    for (const { row, start } of front)
      add(wanted, level, (start * pixels) / whole, ((start + weights[row]) * pixels) / whole);
    front = front.flatMap(({ row, start }) => {
      const children: number[] = [];
      for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child))
        children.push(child);
      return place(children, start);
    });
  }
  const filled = new Set<number>();
  for (const [at, row] of flameRows(layout).entries()) {
    if (row.id === ALL_ROWS) continue;
    const from = (row.start * pixels) / whole;
    if (row.kind !== 'block') {
      add(filled, row.depth, from, ((row.start + row.weight) * pixels) / whole);
      continue;
    }
    for (let entry = layout.columnStart[at]; entry < layout.columnStart[at + 1]; entry++)
      for (let level = row.depth; level < layout.columnTop[entry]; level++)
        filled.add(key(level, Math.min(pixels - 1, Math.floor(from)) + entry - layout.columnStart[at]));
  }
  expect(
    [...wanted].filter((cell) => !filled.has(cell)),
    where,
  ).toEqual([]);
  // A narrow frame that lies in two columns fills both, although what is high in it may lie in one.
  const beside = (cell: number): boolean => wanted.has(cell - 1) || wanted.has(cell + 1);
  expect(
    [...filled].filter((cell) => !wanted.has(cell) && !beside(cell)),
    where,
  ).toEqual([]);
  const levels = [...wanted].reduce((most, cell) => Math.max(most, Math.floor(cell / pixels) + 1), 0);
  expect(levels, where).toBe(root === undefined ? Math.max(1, layout.levels) : layout.levels);
}

/** The frames of a block are all there when it is zoomed into. */
function checkZoomIntoBlocks(sums: RowSums, layout: FlameLayout, options: FlameOptions, where: string): void {
  for (const row of flameRows(layout)) {
    if (row.kind !== 'block') continue;
    const parent = layout.id[row.parent];
    const asked = { row: parent, run: { first: row.id, last: row.lastId } };
    const zoom = zoomedRoot(sums, asked, flameWeights(sums, options.metric), options.siblings);
    const zoomed = layoutFlame(sums, { ...options, zoom });
    const { frames, grouped } = flameCounts(zoomed);
    expect(frames + grouped, where).toBe(row.grouped);
    expect(near(zoomed.weight[0], row.weight), where).toBe(true);
    expect(zoomed.grouped[0], where).toBe(row.grouped);
  }
}

/** Sums of doubles: exact for samples and for all sane times; corrupt clocks leave the safe integers. */
function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-9;
}

function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
