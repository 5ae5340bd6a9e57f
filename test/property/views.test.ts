import { expect, test } from 'vitest';
import { callTreeOf } from '../../shared/export/tree.ts';
import { flatProfileOf } from '../../shared/export/flat.ts';
import { exportCollapsed } from '../../shared/export/collapsed.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { NONE } from '../../shared/profile/columns.ts';
import { sumTotals } from '../../shared/profile/lean-profile.ts';
import { KEEP_ALL } from '../../shared/views/filter.ts';
import { type FlameLayout, layoutFlame } from '../../shared/views/flame-layout.ts';
import { flameWeights } from '../../shared/views/flame-measures.ts';
import { FRAME_GROUPINGS, THREAD_GROUPINGS } from '../../shared/trees/grouping.ts';
import { METRICS } from '../../shared/values/metric.ts';
import type { RowTree } from '../../shared/trees/row-tree.ts';
import { randomLog } from '../support/random-log.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import { modelKey, readModel } from '../support/reference-model.ts';
import { testSeed } from '../support/test-seed.ts';

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
        exportCollapsed(profile, { grouping, metric: 'samples', filter: KEEP_ALL }, sink);
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

test('flame layouts are exact: children, remainder and self fill their parent, whatever is too small', () => {
  for (let scenario = 0; scenario < 300; scenario++) {
    const random = randomFor(3_000 + scenario);
    const { profile } = readLog(
      randomLog(random, { traces: 1 + random.below(60), maxDepth: 20, methods: 6 }),
    );
    const sums = callTreeOf(profile, { threads: random.pick(THREAD_GROUPINGS), frames: 'fqmn' });
    const { tree } = sums;
    const metric = random.pick(METRICS);
    const weights = flameWeights(sums, metric);
    const heavy = Array.from(weights.keys()).filter((row) => weights[row] > 0);
    const options = {
      metric,
      zoom: random.next() < 0.5 && heavy.length > 0 ? random.pick(heavy) : undefined,
      minShare: random.pick([0, 0.01, 0.2]),
      maxFrames: random.pick([1, 5, 1_000]),
      matching: undefined,
      kept: undefined,
    };
    const layout = layoutFlame(sums, options);
    const where = `SEED=${seed} scenario ${scenario} ${JSON.stringify(options)}`;
    checkLayout(tree, layout, weights, options.zoom, where);
    expect(layout.rows.filter(({ kind }) => kind !== 'remainder').length, where).toBeLessThanOrEqual(
      options.maxFrames + 1,
    );
    expect(layoutFlame(sums, options), where).toEqual(layout);
    // A filter that keeps everything has the blocks summed child by child.
    const kept = new Uint8Array(tree.length).fill(1);
    expect(layoutFlame(sums, { ...options, kept }), where).toEqual(layout);
  }
});

function checkLayout(
  tree: RowTree,
  { rows, smaller, smallerWeight, deepest }: FlameLayout,
  weights: Float64Array,
  zoom: number | undefined,
  where: string,
): void {
  const ownWeight = (id: number): number => {
    if (id < 0) return 0;
    const row = tree.rowOf(id);
    let children = 0;
    for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child))
      children += weights[child];
    return weights[row] - children;
  };
  rows.forEach((row, at) => {
    if (row.kind === 'remainder') return;
    const children = rows.filter(({ parent }) => parent === at);
    let edge = row.start;
    for (const child of children) {
      expect(near(child.start, edge), where).toBe(true);
      expect(child.depth, where).toBe(row.depth + 1);
      edge += child.weight;
    }
    expect(near(edge + ownWeight(row.id), row.start + row.weight), where).toBe(true);
    const blocks = children.filter(({ kind }) => kind === 'remainder');
    expect(blocks.length, where).toBeLessThanOrEqual(1);
    if (blocks.length > 0) expect(children.at(-1), where).toBe(blocks[0]);
  });
  const blocks = rows.filter(({ kind }) => kind === 'remainder');
  expect(
    sumOf(blocks, (block) => block.smaller),
    where,
  ).toBe(smaller);
  expect(
    near(
      sumOf(blocks, (block) => block.weight),
      smallerWeight,
    ),
    where,
  ).toBe(true);
  expect(Math.max(0, ...rows.map(({ depth }) => depth)), where).toBe(deepest);

  // Every frame with a weight is drawn or in a block.
  const inside = new Set<number>();
  for (let row = zoom ?? 0; row < tree.length; row++) {
    const up = tree.parent[row];
    if (zoom === undefined || row === zoom || inside.has(up)) inside.add(row);
  }
  const frames = [...inside].filter((row) => weights[row] > 0).length;
  const drawn = rows.filter(({ kind, id }) => kind !== 'remainder' && id >= 0).length;
  expect(drawn + smaller, where).toBe(frames);
}

/** Sums of doubles: exact for samples and for all sane times; corrupt clocks leave the safe integers. */
function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-9;
}

function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
