import { expect, test } from 'vitest';
import { runsOfParts, spreadOf } from '../../../../shared/engine/comparison/spread.ts';
import type { PartSums, SpreadParts } from '../../../../shared/engine/comparison/part-sums.ts';
import { Engine } from '../../../../shared/engine/engine.ts';
import type { ProfileView } from '../../../../shared/engine/profile-view.ts';
import { frameKey } from '../../../../shared/engine/trees/keys.ts';
import { INITIAL_QUERY } from '../../../../shared/engine/query.ts';
import { EMPTY_SCOPE, type TimeRange } from '../../../../shared/scope/scope.ts';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import type { LeanProfile } from '../../../../shared/profile/lean-profile.ts';
import { printable } from '../../../../shared/text/printable.ts';
import { methodText, stacksOf } from '../../../support/profile-stacks.ts';
import { randomLog } from '../../../support/random-log.ts';
import { readLog } from '../../../support/read-log.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { stackCells } from '../../../support/stack-cells.ts';
import { testSeed } from '../../../support/test-seed.ts';
import { testSize } from '../../../support/test-size.ts';

const { randomFor } = testSeed('spread');
const INDEPENDENT = { isIndependent: true };

function partSums(profile: LeanProfile, parts: SpreadParts = 'name'): PartSums {
  const engine = new Engine();
  engine.add('log', profile);
  return engine.view('log', INITIAL_QUERY, 'name').partSums(parts, 'fqmn', 'samples');
}

/** A normal variate. */
function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** A profile with a thread for each part, in which methods have these numbers of samples, each called by `main`. */
function profileOf(parts: readonly (readonly number[])[]): LeanProfile {
  const sink = new ProfileAggregator();
  parts.forEach((samples, part) => {
    const thread = sink.thread(0, part);
    sink.nameThread(thread, `part${String(part).padStart(3, '0')}`);
    for (const [method, count] of samples.entries()) {
      for (const [id, methodName] of [
        [0, 'main'],
        [method + 1, `m${method}`],
      ] as const)
        sink.defineMethod(sink.method(0, id), { file: '', className: 'A', methodName });
      sink.samples(thread, stackCells([0, method + 1, 1, 0], [0, 0, 1, 0]), 2, count, 0);
    }
  });
  return sink.profile;
}

const WEIGHTS = [40, 20, 10, 8, 6, 5, 4, 3, 2, 1, 0.5, 0.5];

/** Samples of methods whose weights vary by `spread`, a fraction of each. */
function madeSamples(random: SeededRandom, spread: number, change?: (weights: number[]) => void): number[] {
  const weights = WEIGHTS.map((weight) => Math.max(0, weight * (1 + spread * normal(random))));
  change?.(weights);
  const all = weights.reduce((sum, each) => sum + each, 0);
  const samples = WEIGHTS.map(() => 0);
  for (let at = 0; at < 3_000; at++) {
    let left = random.next() * all;
    let method = 0;
    while (method < weights.length - 1 && left >= weights[method]) left -= weights[method++];
    samples[method]++;
  }
  return samples;
}

test('of parts of one load, hardly any is called different, and hardly any method a change in time', () => {
  let [outliers, steps, cells, methods] = [0, 0, 0, 0];
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(scenario);
    const varying = random.pick([0, 0.1, 0.3]);
    const parts = Array.from({ length: 30 }, () => madeSamples(random, varying));
    const sums = partSums(profileOf(parts));
    for (const spread of spreadOf(sums, { ...INDEPENDENT, of: 'self', inOrder: true })) {
      cells += parts.length;
      methods++;
      outliers += spread.outliers.length;
      if (spread.step !== undefined) steps++;
    }
  }
  expect(outliers / cells).toBeLessThan(0.01);
  expect(steps / methods).toBeLessThan(0.01);
});

test('hosts that differ are found, several of one kind too, and the hour of a lasting change', () => {
  for (let scenario = 0; scenario < testSize(10, 100); scenario++) {
    const random = randomFor(1000 + scenario);
    const differs = new Set([3, 11, 12]);
    const hosts = Array.from({ length: 20 }, (_, host) =>
      madeSamples(random, 0.05, (weights) => {
        if (differs.has(host)) weights[5] *= 3;
      }),
    );
    const [found] = spreadOf(partSums(profileOf(hosts)), { ...INDEPENDENT, of: 'self', inOrder: false });
    expect(found.label).toBe('A.m5');
    expect(found.step).toBeUndefined();
    expect(found.outliers.map(({ part }) => part).sort((a, b) => a - b)).toEqual([...differs]);
    for (const { difference, interval } of found.outliers) {
      expect(interval.low).toBeGreaterThan(0);
      expect(interval.low).toBeLessThan(difference);
      expect(interval.high).toBeGreaterThan(difference);
    }
    const hours = Array.from({ length: 48 }, (_, hour) =>
      madeSamples(random, 0.05, (weights) => {
        if (hour >= 30) weights[6] *= 4;
      }),
    );
    const [changed] = spreadOf(partSums(profileOf(hours)), { ...INDEPENDENT, of: 'self', inOrder: true });
    expect(changed.label).toBe('A.m6');
    // An hour may by chance look like the other side.
    expect(Math.abs((changed.step?.part ?? 0) - 30)).toBeLessThanOrEqual(1);
  }
});

test('the sums of parts are those of their samples one by one, of recursive methods once', () => {
  for (let scenario = 0; scenario < testSize(20, 200); scenario++) {
    const { profile } = readLog(randomLog(randomFor(2000 + scenario), { traces: 300 }));
    const found: Record<string, number> = {};
    for (const { name, self, total } of runsOfParts(partSums(profile, 'all')))
      for (const [of, parts] of Object.entries({ self, total }))
        for (const [label, { amount }] of parts) found[`${name}|${of}|${label}`] = amount;
    const expected: Record<string, number> = {};
    const add = (key: string, count: number): void => {
      if (count !== 0) expected[key] = (expected[key] ?? 0) + count;
    };
    const [all] = new Set(Object.keys(found).map((key) => key.split('|')[0]));
    for (const { frames, count } of stacksOf(profile)) {
      // Keys are printable.
      const methods = frames.map((frame) => printable(methodText(frame)));
      add(`${all}|self|${methods[methods.length - 1]}`, count);
      for (const method of new Set(methods)) add(`${all}|total|${method}`, count);
    }
    expect(found).toEqual(expected);
  }
});

test('too few parts, and parts without samples, are left out', () => {
  const sums = partSums(
    profileOf([
      [10, 0],
      [0, 0],
      [9, 1],
    ]),
  );
  expect(runsOfParts(sums).map(({ name }) => name)).toEqual(['part000', 'part002']);
  expect(spreadOf(sums, { ...INDEPENDENT, of: 'total', inOrder: true })[0].shares).toEqual([1, 1]);
});

test('a part of the time has what the scope of its range has, and all of them together all samples with a time', () => {
  let [compared, untimed] = [0, 0];
  for (let scenario = 0; scenario < testSize(10, 100); scenario++) {
    // 300 are over in less than the shortest part of the time.
    const log = randomLog(randomFor(3000 + scenario), { traces: 1_500 });
    const engine = new Engine();
    engine.add('log', readLog(log, undefined, { samples: true }).profile);
    const asked = (range?: TimeRange): ProfileView =>
      engine.view('log', { ...INITIAL_QUERY, scope: { ...EMPTY_SCOPE, range } }, 'name');
    const whole = asked();
    for (const metric of ['samples', 'time'] as const) {
      const sums = whole.partSums('time', 'fqmn', metric);
      expect(sums.times?.length ?? 0).toBe(sums.names.length);
      if (sums.times !== undefined) {
        const [from, to] = [sums.times[0].from, sums.times[sums.times.length - 1].to].map(String);
        const timed = asked({ kind: 'between', from, to }).partSums('all', 'fqmn', metric);
        expect(sums.samples.reduce((sum, each) => sum + each, 0)).toBe(timed.samples[0]);
      }
      const all = whole.partSums('all', 'fqmn', metric).samples[0] ?? 0;
      expect(sums.samples.reduce((sum, each) => sum + each, sums.untimed)).toBe(all);
      untimed += sums.untimed;
      for (const [part, { from, to }] of (sums.times ?? []).entries()) {
        compared++;
        const range = { kind: 'between', from: String(from), to: String(to) } as const;
        const alone = asked(range).partSums('all', 'fqmn', metric);
        expect(sums.samples[part]).toBe(alone.samples.reduce((sum, each) => sum + each, 0));
        for (const of of ['self', 'total'] as const)
          expect(rowOf(sums, of, part)).toEqual(alone.names.length === 0 ? {} : rowOf(alone, of, 0));
      }
    }
  }
  expect(compared).toBeGreaterThan(0);
  expect(untimed).toBeGreaterThan(0);
});

test('parts of a chosen length begin at its multiples, of the clock where times have dates', () => {
  const at = Date.UTC(2026, 10, 28, 9, 58);
  const partsOf = (first: number, minutes: readonly number[], everyMinutes: number): PartSums => {
    const sink = new ProfileAggregator({ samples: true });
    const thread = sink.thread(0, 1);
    for (const minute of minutes) {
      sink.takenAt(BigInt(first + minute * 60_000) * 1_000_000n, 0);
      sink.samples(thread, stackCells([0, 1, 1, 0]), 1, 1, 0);
    }
    const engine = new Engine();
    engine.add('log', sink.profile);
    const view = engine.view('log', INITIAL_QUERY, 'name');
    return view.partSums('time', 'fqmn', 'samples', BigInt(everyMinutes) * 60_000_000_000n);
  };
  const dated = partsOf(at, [0, 1, 2, 61.5, 62], 60);
  expect(dated.names).toEqual(['2026-11-28 09:00', '2026-11-28 10:00', '2026-11-28 11:00']);
  expect(dated.samples).toEqual([2, 2, 1]);
  expect(partsOf(at, [0, 24 * 60], 24 * 60).names).toEqual(['2026-11-28', '2026-11-29']);
  const since = partsOf(5_000, [0, 9.99, 10, 25], 10);
  expect(since.names).toEqual(['0:00', '10:00', '20:00']);
  expect(since.samples).toEqual([2, 1, 1]);
  expect(() => partsOf(at, [0, 60 * 24 * 365], 1)).toThrow(
    'the time has parts of this length: 525,601, and at most 1,000 parts are counted',
  );
});

test('a call has the samples of all stacks that begin as its own, in each thread and time', () => {
  let compared = 0;
  for (let scenario = 0; scenario < testSize(10, 100); scenario++) {
    const random = randomFor(4000 + scenario);
    const log = randomLog(random, { traces: 200, methods: 6 });
    const { profile } = readLog(log, undefined, { samples: true });
    const engine = new Engine();
    engine.add('log', profile);
    const view = engine.view('log', INITIAL_QUERY, 'name');
    const { nodes } = profile;
    const pathOf = (node: number): readonly string[] =>
      node < 0 || nodes.isRoot(node)
        ? []
        : [...pathOf(nodes.parent[node]), frameKey(profile, nodes.frame[node], 'fqmn')];
    const node = random.below(nodes.length);
    const sums = view.callSums(node, 'name', 'fqmn', 'samples');
    if (nodes.isRoot(node)) {
      expect(sums).toBeUndefined();
      continue;
    }
    compared++;
    const path = pathOf(node);
    const expected = { self: 0, total: 0 };
    for (let row = 0; row < profile.selfValues.length; row++) {
      const end = pathOf(profile.selfValues.node[row]);
      if (path.some((method, at) => method !== end[at])) continue;
      expected.total += profile.selfValues.count[row];
      if (end.length === path.length) expected.self += profile.selfValues.count[row];
    }
    for (const parts of ['name', 'all'] as const) {
      const found = view.callSums(node, parts, 'fqmn', 'samples');
      for (const of of ['self', 'total'] as const)
        expect(found?.[of].samples.reduce((sum, each) => sum + each, 0)).toBe(expected[of]);
      expect(found?.samples).toEqual(view.partSums(parts, 'fqmn', 'samples').samples);
    }
  }
  expect(compared).toBeGreaterThan(3);
});

/** Method -> its amount in a part. */
function rowOf(sums: PartSums, of: 'self' | 'total', part: number): Record<string, number> {
  const { labels } = sums;
  return Object.fromEntries(
    labels.flatMap((label, key) => {
      const amount = sums[of].amount[part * labels.length + key];
      return amount === 0 ? [] : [[label, amount]];
    }),
  );
}
