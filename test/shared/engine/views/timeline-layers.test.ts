import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import { SampleTable } from '../../../../shared/profile/sample-table.ts';
import { SAMPLE_KINDS, SelfGroups } from '../../../../shared/engine/views/self-groups.ts';
import { threadLanes } from '../../../../shared/engine/views/thread-lanes.ts';
import { NO_MARKS, timelineColumns } from '../../../../shared/engine/views/timeline-columns.ts';
import { byKind, byPool, timelineLayers } from '../../../../shared/engine/views/timeline-layers.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('timeline-layers');
const NAMES = ['main', 'http-1', 'http-2', 'GC Thread#0', 'http-3', 'main'];
const IDS = NAMES.map((name, thread) => `${name} <${thread}>`);
const SELF_ROWS = 12;

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

const poolNames: Readonly<Record<string, string>> = { main: 'main', 'GC Thread#0': 'GC Thread#*' };

test('on random tables layers have the samples of their kind or pool, and together all', () => {
  for (let scenario = 0; scenario < 200; scenario++) {
    const where = `SEED=${seed} scenario ${scenario}`;
    const { table, threads, kinds, isOutside, columns, inBucket } = randomScene(randomFor(scenario));
    const kindOf = (self: number): string => SAMPLE_KINDS[kinds[self]];
    const poolOf = (self: number): string => poolNames[NAMES[threads[self]]] ?? 'http-*';
    const cases = [
      [byKind(kinds), kindOf],
      [byPool(threads, NAMES, table), poolOf],
    ] as const;
    for (const [grouping, nameOf] of cases) {
      const layers = timelineLayers(table, columns, grouping, isOutside);
      for (let bucket = 0; bucket < columns.samples.length; bucket++) {
        for (const { name, samples } of layers)
          expect(samples[bucket], where).toBe(
            inBucket(bucket).filter(({ self }) => nameOf(self) === name).length,
          );
        const sum = layers.reduce((all, { samples }) => all + samples[bucket], 0);
        expect(sum, where).toBe(columns.samples[bucket]);
      }
    }
  }
});

test('the pools with fewest samples are one layer, the last', () => {
  const names = Array.from({ length: 12 }, (_, at) => `${'abcdefghijkl'[at]}-1`);
  const table = new SampleTable();
  // The later a pool, the more samples it has.
  for (let thread = 0; thread < 12; thread++)
    for (let at = 0; at <= thread; at++) table.append(at, thread, 1);
  const { names: shown, groupOf } = byPool(Int32Array.from(names.keys()), names, table);
  expect(shown).toEqual(['f-*', 'g-*', 'h-*', 'i-*', 'j-*', 'k-*', 'l-*', '']);
  expect([...groupOf]).toEqual([7, 7, 7, 7, 7, 0, 1, 2, 3, 4, 5, 6]);
});

test('on random tables a lane has the kind of most of its samples, whichever lanes are on screen', () => {
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(1_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const { table, threads, kinds, isOutside, columns, inBucket, samples } = randomScene(random);
    const view = { from: random.below(3), count: 1 + random.below(4) };
    const lanes = threadLanes({ table, threads, kinds, names: NAMES, ids: IDS, isOutside }, columns, view);
    const seen = new Set(
      samples.filter(({ self }) => isOutside[self] === 0).map(({ self }) => threads[self]),
    );
    // Pools together, in order of first appearance.
    const order = [0, 5, 1, 2, 4, 3].filter((thread) => seen.has(thread));
    expect(lanes.total, where).toBe(order.length);
    const shown = order.slice(view.from, view.from + view.count);
    expect(lanes.names, where).toEqual(shown.map((thread) => NAMES[thread]));
    const areTwo = seen.has(0) && seen.has(5);
    const labels = shown.map((thread) => (NAMES[thread] === 'main' && areTwo ? IDS : NAMES)[thread]);
    expect(lanes.labels, where).toEqual(labels);
    for (const [lane, thread] of shown.entries())
      for (let bucket = 0; bucket < lanes.buckets; bucket++) {
        const found = inBucket(bucket).filter(({ self }) => threads[self] === thread);
        const counts = SAMPLE_KINDS.map((_, kind) => found.filter(({ self }) => kinds[self] === kind).length);
        const most = Math.max(...counts);
        const kind = most === 0 ? 0 : counts.indexOf(most) + 1;
        expect(lanes.kinds[lane * lanes.buckets + bucket], where).toBe(kind);
      }
  }
});

test('the places of samples are freed after use', () => {
  const { table, threads, kinds, isOutside, columns } = randomScene(randomFor(0));
  const before = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'transfer');
  const freed: ArrayBuffer[] = [];
  // Not every engine has it.
  Object.defineProperty(ArrayBuffer.prototype, 'transfer', {
    configurable: true,
    value(this: ArrayBuffer) {
      freed.push(this);
    },
  });
  try {
    timelineLayers(table, columns, byKind(kinds), isOutside);
    threadLanes({ table, threads, kinds, names: NAMES, ids: IDS, isOutside }, columns, { from: 0, count: 2 });
  } finally {
    if (before === undefined) Reflect.deleteProperty(ArrayBuffer.prototype, 'transfer');
    else Object.defineProperty(ArrayBuffer.prototype, 'transfer', before);
  }
  const places = table.length * Int32Array.BYTES_PER_ELEMENT;
  expect(
    freed.map(({ byteLength }) => byteLength),
    `SEED=${seed}`,
  ).toEqual([places, places]);
});

test('the kind of a sample is that of the frame where it ended, also when the name comes late', () => {
  const aggregator = new ProfileAggregator();
  const groups = new SelfGroups(aggregator.profile);
  const thread = aggregator.thread(0, 1);
  const sample = (...methods: number[]): void => {
    const stack = Int32Array.from(methods.flatMap((method) => [0, method, -1, -1]));
    aggregator.sample(thread, stack, methods.length, 1);
  };
  const name = (method: number, className: string, methodName: string): void =>
    aggregator.defineMethod(aggregator.method(0, method), { file: '', className, methodName });
  name(1, 'shop.Cart', 'add');
  name(2, 'java.lang.Thread', 'run');
  name(3, 'AGCT', 'UnknownJava5');
  sample(1, 2);
  sample(2);
  sample(3);
  sample(4, 2);
  const kinds = (): string[] => [...groups.kinds()].map((kind) => SAMPLE_KINDS[kind]);
  expect(kinds()).toEqual(['application', 'jdk', 'error', 'native']);
  name(4, 'shop.Cart', 'pay');
  sample(5, 2);
  expect(kinds()).toEqual(['application', 'jdk', 'error', 'application', 'native']);
  expect([...groups.threads()]).toEqual([0, 0, 0, 0, 0]);
});
