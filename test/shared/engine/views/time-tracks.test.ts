import { expect, test } from 'vitest';
import { SampleTable } from '../../../../shared/profile/sample-table.ts';
import { SAMPLE_KINDS } from '../../../../shared/engine/views/self-groups.ts';
import { timeTracks, type TracksView } from '../../../../shared/engine/views/time-tracks.ts';
import { timelineColumns } from '../../../../shared/engine/views/timeline-columns.ts';
import { NO_MARKS } from '../../../support/no-marks.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('time-tracks');
const NAMES = [
  'main',
  'http-1',
  'http-2',
  'GC Thread#0',
  'http-3',
  'main',
  'Unknown Thread(s)',
  'Unknown Thread(s)',
];
const IDS = NAMES.map((name, thread) => `${name} <${thread}>`);
const SELF_ROWS = 16;

interface Sample {
  readonly at: number;
  readonly self: number;
}

interface Scene {
  readonly samples: readonly Sample[];
  readonly table: SampleTable;
  readonly threads: Int32Array;
  readonly kinds: Int32Array;
  readonly isOutside: Uint8Array;
  readonly columns: NonNullable<ReturnType<typeof timelineColumns>>;
  /** Samples in scope of a bucket. */
  readonly inBucket: (bucket: number) => readonly Sample[];
}

function randomScene(random: SeededRandom): Scene {
  const samples = Array.from({ length: 1 + random.below(80) }, () => ({
    at: random.below(1_000),
    self: random.below(SELF_ROWS),
  }));
  const table = new SampleTable();
  table.origin = 5_000n;
  for (const { at, self } of samples) table.append(at, self, 1);
  const threads = Int32Array.from({ length: SELF_ROWS }, () => random.below(NAMES.length));
  const kinds = Int32Array.from({ length: SELF_ROWS }, () => random.below(SAMPLE_KINDS.length));
  const isOutside = Uint8Array.from({ length: SELF_ROWS }, () => (random.below(4) === 0 ? 1 : 0));
  const zoom = random.below(2) === 0 ? undefined : { from: 100, to: 700 };
  const marks = { ...NO_MARKS, isOutside };
  const columns = timelineColumns(table, { zoom, buckets: 1 + random.below(9) }, marks)!;
  const first = Math.min(...samples.map(({ at }) => at)) + columns.from;
  const inBucket = (bucket: number): Sample[] =>
    samples.filter(
      ({ at, self }) => isOutside[self] === 0 && Math.floor((at - first) / columns.bucketNs) === bucket,
    );
  return { samples, table, threads, kinds, isOutside, columns, inBucket };
}

function tracksOf(
  { table, threads, kinds, isOutside, columns }: Scene,
  view: Omit<TracksView, 'holds'>,
  order?: Map<string, number>,
): ReturnType<typeof timeTracks> {
  const methods = Int32Array.from(threads.keys());
  const methodLabel = (method: number): string => `method ${method}`;
  const isSelected = kinds.map((kind) => (kind === 1 ? 1 : 0));
  return timeTracks(
    {
      table,
      threads,
      kinds,
      methods,
      methodLabel,
      isOutside,
      names: NAMES,
      ids: IDS,
      isSelected: Uint8Array.from(isSelected),
    },
    columns,
    { ...view, holds: order !== undefined },
    undefined,
    order,
  );
}

test('a track is for each pool, the heaviest first, for each thread of an open one, and one for threads without a name, last', () => {
  const table = new SampleTable();
  table.origin = 0n;
  // Rows of the SelfTable are threads here; the nameless ones have the most samples.
  const weights = [3, 4, 5, 1, 2, 6, 50, 50];
  for (const [thread, weight] of weights.entries())
    for (let at = 0; at < weight; at++) table.append(at, thread, 1);
  const threads = Int32Array.from(weights.keys());
  const columns = timelineColumns(table, { zoom: undefined, buckets: 4 }, NO_MARKS)!;
  const isOutside = new Uint8Array(weights.length);
  const scene = {
    table,
    threads,
    kinds: new Int32Array(8),
    isOutside,
    columns,
    samples: [],
    inBucket: () => [],
  };
  const labels = (open: readonly string[]): readonly string[] =>
    tracksOf(scene, { open, from: 0, count: 20 }).tracks.map(
      ({ label, threads: count }) => `${label} ${count}`,
    );
  expect(labels([])).toEqual(['http-* 3', 'main 2', 'GC Thread#0 1', 'JVM threads 2']);
  expect(labels(['http-*', 'main'])).toEqual([
    'http-* 3',
    'http-2 1',
    'http-1 1',
    'http-3 1',
    'main 2',
    'main <5> 1',
    'main <0> 1',
    'GC Thread#0 1',
    'JVM threads 2',
  ]);
});

test('while a log grows tracks keep their order, and new ones come after them, before threads without a name', () => {
  const table = new SampleTable();
  table.origin = 0n;
  const add = (thread: number, samples: number): void => {
    for (let at = 0; at < samples; at++) table.append(at, thread, 1);
  };
  const order = new Map<string, number>();
  const labels = (): readonly string[] => {
    const scene = {
      table,
      threads: Int32Array.from({ length: 8 }, (_, row) => row),
      kinds: new Int32Array(8),
      isOutside: new Uint8Array(8),
      samples: [],
      inBucket: () => [],
      columns: timelineColumns(table, { zoom: undefined, buckets: 4 }, NO_MARKS)!,
    };
    return tracksOf(scene, { open: [], from: 0, count: 20 }, order).tracks.map(({ label }) => label);
  };
  const [main, worker, collector, nameless] = [0, 1, 3, 6];
  add(worker, 5);
  add(main, 2);
  add(nameless, 9);
  const before = labels();
  expect(before.at(-1)).toBe('JVM threads');
  add(main, 20);
  add(collector, 40);
  expect(labels()).toEqual([...before.slice(0, -1), 'GC Thread#0', 'JVM threads']);
});

test('on random tables tracks have the samples of their threads by kind, and the last one has all', () => {
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const scene = randomScene(random);
    const { threads, kinds, inBucket } = scene;
    const open = random.below(2) === 0 ? [] : ['http-*'];
    const all = tracksOf(scene, { open, from: 0, count: 100 });
    const view = { open, from: random.below(3), count: 1 + random.below(4) };
    const found = tracksOf(scene, view);
    expect(found.total, where).toBe(all.tracks.length);
    expect(found.tracks, where).toEqual(all.tracks.slice(view.from, view.from + view.count));
    const { buckets, tracks } = found;
    for (let track = 0; track <= tracks.length; track++) {
      const named = tracks.at(track);
      const isOf = (self: number): boolean =>
        named === undefined ||
        (named.kind === 'thread' && named.label.includes('<')
          ? IDS[threads[self]] === named.label
          : named.names.includes(NAMES[threads[self]]));
      for (let bucket = 0; bucket < buckets; bucket++) {
        const ofTrack = inBucket(bucket).filter(({ self }) => isOf(self));
        for (const kind of SAMPLE_KINDS.keys())
          expect(found.kinds[(track * SAMPLE_KINDS.length + kind) * buckets + bucket], where).toBe(
            ofTrack.filter(({ self }) => kinds[self] === kind).length,
          );
        const cell = track * buckets + bucket;
        expect(found.selected[cell], where).toBe(ofTrack.filter(({ self }) => kinds[self] === 1).length);
        const leaf = found.leaf[cell] < 0 ? undefined : found.methods[found.leaf[cell]];
        expect(
          ofTrack.length === 0 ? [undefined] : ofTrack.map(({ self }) => `method ${self}`),
          where,
        ).toContain(leaf);
      }
    }
  }
});
