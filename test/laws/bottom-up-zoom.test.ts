import type { FlameZoom, ZoomedRow } from '../../shared/engine/query.ts';
import { expect, test } from 'vitest';
import { zoomOfRow } from '../../renderer/panes/flame/flame-walk.ts';
import { EMPTY_SCOPE, type Scope } from '../../shared/scope/scope.ts';
import { FRAME_GROUPINGS } from '../../shared/engine/trees/grouping.ts';
import { compareKeys } from '../../shared/engine/trees/keys.ts';
import { ALL_ROWS, kindAt } from '../../shared/engine/views/flame-columns.ts';
import { Driven, FLAT, flame, type Handled, rowsOf, TREE_SPEC } from '../support/driven-mirror.ts';
import { FollowedLog } from '../support/followed-log.ts';
import { randomLog } from '../support/random-log.ts';
import { randomScope, threadNames } from '../support/random-scope.ts';
import { readLog } from '../support/read-log.ts';
import { readModel } from '../support/reference-model.ts';
import { scopedStacks } from '../support/scoped-stacks.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('bottom-up-zoom');

/** Wide enough for every frame of a random profile to be drawn, and so narrow that most are in blocks. */
const WIDE = 10_000;
const NARROW = 3;

const THREAD = 'thread: ';

/** A raw stack from its end to its thread, which is named like no method. */
interface Sample {
  readonly reversed: readonly string[];
  readonly count: number;
}

const BOTTOM_UP: Handled = { type: 'pane', pane: 'bottomUp', spec: { ...TREE_SPEC, of: 'bottom-up' } };

/** Rows of a pane: label -> total and self count. */
type Sums = ReadonlyMap<string, string>;

function added(sums: Map<string, [number, number]>, label: string, total: number, self: number): void {
  const [before, selfBefore] = sums.get(label) ?? [0, 0];
  sums.set(label, [before + total, selfBefore + self]);
}

const asText = (sums: ReadonlyMap<string, readonly number[]>): Sums =>
  new Map([...sums].sort(([a], [b]) => compareKeys(a, b)).map(([label, of]) => [label, of.join(' ')]));

/** What the methods, and the roots of the bottom-up tree, show of some samples. */
function expectedSums(samples: readonly Sample[]): { readonly flat: Sums; readonly roots: Sums } {
  const flat = new Map<string, [number, number]>();
  const roots = new Map<string, [number, number]>();
  for (const { reversed, count } of samples) {
    const methods = reversed.slice(0, -1);
    for (const key of new Set(methods)) added(flat, key, count, key === methods[0] ? count : 0);
    added(roots, reversed[0], count, count);
  }
  return { flat: asText(flat), roots: asText(roots) };
}

function shownSums(driven: Driven, pane: 'flat' | 'bottomUp'): Sums {
  driven.ask(rowsOf(pane, 0, 5_000));
  const rows = driven.shown(pane).rows.filter(({ depth }) => depth === 0);
  return asText(
    new Map(
      rows.map(({ kind, label, totalCount, selfCount }) => [
        kind === 'frame' || kind === 'error' ? label : THREAD + label,
        [totalCount, selfCount],
      ]),
    ),
  );
}

const graph = (zoom: FlameZoom | undefined, pixels: number): Handled =>
  flame({ of: 'bottom-up', threads: 'name', zoom, pixels });

/** The labels on the way to a row from where samples end; undefined where no sample is in it any more. */
function pathTo(driven: Driven, row: ZoomedRow): readonly string[] | undefined {
  driven.ask(graph({ row, run: undefined }, WIDE));
  const { zoom, path, layout } = driven.last('flame');
  if (zoom === undefined) return undefined;
  const labels = path.slice(1).map(({ label }) => label);
  return kindAt(layout, 0) === 'thread' ? [...labels.slice(0, -1), THREAD + labels.at(-1)!] : labels;
}

/** Whether a stack ends as a zoom says; undefined where the zoom names nothing any more. */
function testOf(driven: Driven, { row, run }: FlameZoom): ((sample: Sample) => boolean) | undefined {
  const first = pathTo(driven, run?.first ?? row);
  const last = pathTo(driven, run?.last ?? row);
  if (first === undefined || last === undefined) return undefined;
  const above = first.slice(0, -1);
  // Names that came late may have collapsed an end, or the parent with one: it is no child of it then, and the parent is left.
  const parent = run === undefined || row === ALL_ROWS ? above : pathTo(driven, row);
  const isParent = (path: readonly string[]): boolean => path.slice(0, -1).join() === parent?.join();
  if (!isParent(first) || !isParent(last)) return testOf(driven, { row, run: undefined });
  // A block is of threads and methods in the order of their names, which came late and may have turned its ends.
  const [low, high] = [first, last].map((path) => path.at(-1)!.replace(THREAD, '')).sort(compareKeys);
  const isBetween = (label: string): boolean => compareKeys(label, low) >= 0 && compareKeys(label, high) <= 0;
  return ({ reversed }) => {
    const label = reversed.at(above.length);
    if (label === undefined || !above.every((each, at) => reversed[at] === each)) return false;
    return run === undefined ? label === first.at(-1) : isBetween(label.replace(THREAD, ''));
  };
}

test('a zoom of the bottom-up graph leaves the stacks that end so, by a count over raw samples, however the log grew', () => {
  const tested = { frame: 0, block: 0 };
  for (let scenario = 0; scenario < testSize(150, 1_500); scenario++) {
    const random = randomFor(scenario);
    const bytes = randomLog(random, { traces: 40, maxDepth: 15, methods: random.pick([3, 8]) });
    const model = readModel(bytes);
    const names = threadNames(readLog(bytes).profile);
    const frames = random.pick(FRAME_GROUPINGS);
    const scope: Scope = random.below(2) === 0 ? EMPTY_SCOPE : randomScope(random, model, frames);
    const { stacks } = scopedStacks(model, scope, frames, (id) => names.get(id) ?? '?');
    const samples = [...stacks].map(([stack, values]): Sample => {
      const [thread, ...keys] = JSON.parse(stack) as string[];
      return { reversed: [...keys.reverse(), THREAD + thread], count: Number(values.split(' ')[0]) };
    });
    const look = (zoom: FlameZoom | undefined): Handled => ({
      type: 'view',
      frames,
      keys: frames,
      siblings: 'name',
      metric: 'samples',
      search: '',
      hidesErrors: false,
      scope,
      where: [],
      narrowing: zoom && { threads: 'name', zoom },
    });

    const log = new FollowedLog();
    const driven = new Driven(
      look(undefined),
      graph(undefined, random.pick([WIDE, NARROW])),
      FLAT,
      BOTTOM_UP,
    );
    let zoom: FlameZoom | undefined;
    const pieces = 1 + random.below(5);
    for (let piece = 1; piece <= pieces; piece++) {
      const [from, end] = [piece - 1, piece].map((each) => Math.floor((each * bytes.length) / pieces));
      log.append(bytes.subarray(from, end), piece === pieces);
      driven.ask({ type: 'delta', message: log.delta() });
      const { layout } = driven.last('flame');
      if (zoom !== undefined || layout.length < 2) continue;
      zoom = zoomOfRow(layout, 1 + random.below(layout.length - 1), undefined);
      driven.ask(look(zoom), graph(zoom, WIDE));
    }
    if (zoom === undefined) continue;
    const where = `SEED=${seed} scenario ${scenario} ${frames} ${JSON.stringify({ scope, zoom })}`;
    const shown = driven.last('flame');
    const { summary } = driven.last('summary');
    const isInside = testOf(driven, zoom);
    // An end of a block that has no samples left still bounds it, and has no path here.
    if (isInside === undefined && shown.zoom !== undefined) continue;
    const inside = isInside === undefined ? samples : samples.filter(isInside);
    const expected = expectedSums(inside);
    expect(shownSums(driven, 'flat'), where).toEqual(expected.flat);
    expect(shownSums(driven, 'bottomUp'), where).toEqual(expected.roots);
    const [counted, inScope] = [inside, samples].map((of) => of.reduce((sum, { count }) => sum + count, 0));
    expect(summary.beyondZoom.samples, where).toBe(inScope - counted);
    if (isInside !== undefined) {
      tested[zoom.run === undefined ? 'frame' : 'block']++;
      // The graph itself keeps its numbers.
      // A name that came late may have left a block without frames.
      const weight = shown.layout.length === 0 ? 0 : shown.layout.weight[0];
      expect([shown.path[0].weight, weight], where).toEqual([inScope, counted]);
    }

    driven.ask(look(undefined), graph(undefined, WIDE));
    expect(shownSums(driven, 'flat'), where).toEqual(expectedSums(samples).flat);
    expect(driven.last('summary').summary.beyondZoom.samples, where).toBe(0);
  }
  expect(Math.min(tested.frame, tested.block)).toBeGreaterThan(20);
});
