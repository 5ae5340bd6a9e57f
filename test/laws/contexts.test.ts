import type { Durations } from '../../shared/engine/contexts/operations.ts';
import { viewComparedDurations, viewOperations } from '../../shared/engine/view-operations.ts';
import { NO_CONTEXT } from '../../shared/text/format-frame.ts';
import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { Engine } from '../../shared/engine/engine.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { INITIAL_QUERY } from '../../shared/engine/query.ts';
import { groupingByContext } from '../../shared/engine/trees/grouping.ts';
import type { SelfValues } from '../../shared/engine/values/self-values.ts';
import type { ContextScope, Scope } from '../../shared/scope/scope.ts';
import {
  BASE,
  type Context,
  randomScope,
  Requests,
  type Sample,
  someRequests,
  THREADS,
} from '../support/random-requests.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('contexts');

/** Thread and method -> samples. */
function counted(samples: Iterable<Sample>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { thread, method } of samples)
    counts.set(`${thread} ${method}`, (counts.get(`${thread} ${method}`) ?? 0) + 1);
  return counts;
}

function countedBy(
  { profile }: ProfileAggregator,
  { length, node, count, time }: SelfValues,
): ReadonlyMap<string, number> {
  const { nodes, frames, methods, threads } = profile;
  const counts = new Map<string, number>();
  for (let row = 0; row < length; row++) {
    if (count[row] === 0) continue;
    const thread = ~nodes.frame[nodes.parent[node[row]]];
    counts.set(`${threads.idLo[thread]} ${methods.idLo[frames.method[nodes.frame[node[row]]]]}`, count[row]);
    expect(time.ns[row]).toBe(10 * count[row]);
  }
  return counts;
}

test('samples in contexts are those of a thread inside an interval, one by one', () => {
  for (let scenario = 0; scenario < testSize(60, 2_000); scenario++) {
    const random = randomFor(scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const requests = new Requests(random);
    const engine = new Engine();
    engine.add('log', requests.aggregator.profile);
    for (let state = 0; state < 3; state++) {
      // A context is known when it ends, after its samples.
      for (let each = 0; each < 30; each++) requests.addSample();
      for (let each = 0; each < 15; each++) requests.addContext();
      engine.grew('log');
      engine.begin();
      const contexts = randomScope(random);
      const [from, to] = random.next() < 0.3 ? [40, 120] : [undefined, undefined];
      const range: Scope['range'] =
        from === undefined
          ? undefined
          : { kind: 'between', from: String(BASE + BigInt(from)), to: String(BASE + BigInt(to)) };
      const threads = random.next() < 0.2 ? ['t0'] : [];
      for (let thread = 0; thread <= THREADS; thread++)
        requests.aggregator.nameThread(requests.aggregator.thread(0, thread), `t${thread}`);
      const scope: Scope = { contexts, range, threads, transforms: [] };
      const view = engine.view('log', { ...INITIAL_QUERY, scope });
      const expected = [...requests.inScope(contexts)].filter(
        ({ at, thread }) =>
          (from === undefined || (at >= from && at < to)) && (threads.length === 0 || thread === 0),
      );
      const told = `${where}: ${JSON.stringify(scope)}`;
      expect(countedBy(requests.aggregator, view.values), told).toEqual(counted(expected));
      expect(view.outside.samples, told).toBe(requests.samples.length - expected.length);
      // A file with all lines is made in another way.
      const alone = engine.view('log', { ...INITIAL_QUERY, scope }, 'name', true).alone;
      expect(alone.outside.samples, told).toBe(view.outside.samples);
    }
  }
});

test('timeline, heatmap and tracks have the samples in contexts, over the time of all', () => {
  for (let scenario = 0; scenario < testSize(40, 500); scenario++) {
    const random = randomFor(4_000 + scenario);
    const requests = someRequests(random);
    for (let thread = 0; thread < THREADS; thread++)
      requests.aggregator.nameThread(requests.aggregator.thread(0, thread), 'wxyz'[thread]);
    const engine = new Engine();
    engine.add('log', requests.aggregator.profile);
    const contexts = randomScope(random);
    const whole = { zoom: undefined, buckets: 20, fit: 20 };
    const tracked = { open: [], from: 0, count: THREADS, holds: false };
    const of = (scope: Scope) => {
      const { samples } = engine.view('log', { ...INITIAL_QUERY, scope });
      const marks = samples.marks(undefined);
      const columns = samples.timeline(whole, marks)!;
      return {
        columns,
        heatmap: samples.heatmap(whole, marks)!,
        tracks: samples.tracks(columns, tracked, marks)!,
      };
    };
    const all = of({ threads: [], transforms: [] });
    const { columns, heatmap, tracks } = of({ contexts, threads: [], transforms: [] });
    const told = `SEED=${seed} scenario ${scenario}`;
    const expected = requests.inScope(contexts);
    const sum = (counts: Iterable<number>): number => [...counts].reduce((a, b) => a + b, 0);
    expect([columns.first, columns.last, heatmap.first, heatmap.last], told).toEqual([
      all.columns.first,
      all.columns.last,
      all.heatmap.first,
      all.heatmap.last,
    ]);
    expect([sum(columns.samples), sum(heatmap.samples)], told).toEqual([expected.size, expected.size]);
    // The last track is of all threads.
    expect(sum(tracks.kinds), told).toBe(2 * expected.size);
    expect(tracks.total, told).toBe(new Set([...expected].map(({ thread }) => thread)).size);
    const at = Math.floor(random.next() * columns.samples.length);
    const start = Number(BigInt(columns.first) - BASE) + columns.from + at * columns.bucketNs;
    expect(columns.samples[at], told).toBe(
      [...expected].filter((sample) => sample.at >= start && sample.at < start + columns.bucketNs).length,
    );
  }
});

test('operations have the samples inside one of their intervals, each once', () => {
  for (let scenario = 0; scenario < testSize(40, 500); scenario++) {
    const random = randomFor(2_000 + scenario);
    const requests = someRequests(random);
    const engine = new Engine();
    engine.add('log', requests.aggregator.profile);
    const where = random.next() < 0.5 ? ['customer=gold'] : [];
    const scope: Scope = { contexts: { where }, threads: [], transforms: [] };
    const found = viewOperations(engine.view('log', { ...INITIAL_QUERY, scope }), 'operation')!;
    const told = `SEED=${seed} scenario ${scenario}`;
    expect(found.samples, told).toBe(requests.inScope({ where }).size);
    const { methods } = requests.aggregator.profile;
    for (const { name, samples, hottest } of found.rows) {
      const expected = [...requests.inScope({ where: [...where, `operation=${name}`] })];
      const ended = (id: number): number => expected.filter(({ method }) => method === id).length;
      expect([name, samples], told).toEqual([name, expected.length]);
      expect(hottest?.samples ?? 0, told).toBe(Math.max(...[0, 1, 2].map(ended)));
      if (hottest !== undefined) expect(ended(methods.idLo[hottest.method]), told).toBe(hottest.samples);
    }
    const withSamples = new Set(requests.samples.map(({ thread }) => thread));
    if (where.length === 0)
      expect(found.unsampled.count, told).toBe(
        requests.contexts.filter(({ thread }) => !withSamples.has(thread)).length,
      );
  }
});

test('operations computed for the values of their samples, of the moments of their threads, one by one', () => {
  const known = { told: 0, short: 0 };
  for (let scenario = 0; scenario < testSize(40, 500); scenario++) {
    const random = randomFor(7_000 + scenario);
    const requests = someRequests(random);
    const { aggregator } = requests;
    for (const [method, methodName] of ['run', 'sleep', 'read'].entries())
      aggregator.defineMethod(aggregator.method(0, method), {
        file: '',
        className: 'java.lang.Thread',
        methodName,
      });
    const engine = new Engine();
    engine.add('log', aggregator.profile);
    const where = random.next() < 0.5 ? ['customer=gold'] : [];
    const [from, to] = random.next() < 0.5 ? [40, 150] : [-1, Infinity];
    const range: Scope['range'] =
      from < 0
        ? undefined
        : { kind: 'between', from: String(BASE + BigInt(from)), to: String(BASE + BigInt(to)) };
    const scope: Scope = { range, contexts: { where }, threads: [], transforms: [] };
    const computing = random.pick(['all', 'running', undefined] as const);
    const view = engine.view('log', { ...INITIAL_QUERY, scope });
    const { rows, tooShort, all } = viewOperations(view, 'operation', computing)!;
    const told = `SEED=${seed} scenario ${scenario}, ${computing}`;
    let short = 0;
    for (const { name, onCpu, ns } of [
      ...rows.map((row) => ({ ...row, ns: undefined })),
      { ...all, name: '' },
    ]) {
      const moments = new Set<string>();
      for (const context of requests.meant({ where: name === '' ? where : [...where, `operation=${name}`] }))
        for (let at = Math.max(context.from, from); at < Math.min(context.to, to); at++)
          moments.add(`${context.thread} ${at}`);
      const computed = requests.samples.filter(
        ({ thread, at, method }) => moments.has(`${thread} ${at}`) && (computing === 'all' || method !== 1),
      );
      // Each sample stands for ten nanoseconds, and of fewer than ten such periods nothing is said.
      const isTold = computing !== undefined && moments.size >= 100;
      expect(onCpu, told).toBe(isTold ? (10 * computed.length) / moments.size : undefined);
      if (name === '') {
        expect(ns, told).toBe(moments.size);
        continue;
      }
      if (computing !== undefined && !isTold) short++;
      known[isTold ? 'told' : 'short']++;
    }
    expect(tooShort, told).toBe(computing === undefined ? 0 : short);
  }
  expect(Math.min(known.told, known.short)).toBeGreaterThan(10);
});

test('operations of equal weight are listed by name, whichever came first', () => {
  for (const names of [
    ['search', 'checkout'],
    ['checkout', 'search'],
  ]) {
    const aggregator = new ProfileAggregator({ samples: true });
    const thread = aggregator.thread(0, 1);
    aggregator.takenAt(BASE, 5);
    aggregator.sample(thread, Int32Array.of(0, 1, 1, 0), 1, 10);
    for (const name of names) aggregator.addContext(thread, BASE, 0, 10, name, []);
    const engine = new Engine();
    engine.add('log', aggregator.profile);
    const { rows } = viewOperations(engine.view('log', INITIAL_QUERY), 'operation')!;
    expect(rows.map(({ name }) => name)).toEqual(['checkout', 'search']);
  }
});

test('parts of the time have the requests that began in them, with their samples', () => {
  for (let scenario = 0; scenario < testSize(40, 500); scenario++) {
    const random = randomFor(6_000 + scenario);
    const requests = someRequests(random);
    const engine = new Engine();
    engine.add('log', requests.aggregator.profile);
    const length = 1 + random.below(60);
    const where = random.next() < 0.5 ? ['customer=gold'] : [];
    const scope: Scope = { contexts: { where }, threads: [], transforms: [] };
    const told = `SEED=${seed} scenario ${scenario}`;
    const { rows } = viewOperations(engine.view('log', { ...INITIAL_QUERY, scope }), BigInt(length))!;
    const first = Math.min(...requests.samples.map(({ at }) => at));
    const partOf = ({ from }: Context): bigint => (BASE + BigInt(from)) / BigInt(length);
    const meant = requests.meant({ where });
    const parts = [...new Set(meant.map(partOf))].toSorted((a, b) => (a < b ? -1 : 1));
    expect(rows.length, told).toBe(parts.length);
    for (const [at, { count, longest, p50, samples, began }] of rows.entries()) {
      const own = meant.filter((each) => partOf(each) === parts[at]);
      const durations = own.map(({ from, to }) => to - from).toSorted((a, b) => a - b);
      const inside = requests.samples.filter((sample) =>
        own.some(({ thread, from, to }) => thread === sample.thread && sample.at >= from && sample.at < to),
      );
      expect([count, longest, p50, samples], told).toEqual([
        own.length,
        durations.at(-1),
        durations[Math.ceil(own.length / 2) - 1],
        inside.length,
      ]);
      // What a part is named by narrows to it.
      const ends = Number(parts[at] * BigInt(length) - BASE) - first + length;
      if (ends > 0)
        expect(
          requests.meant({ where, began }).filter((each) => own.includes(each)),
          told,
        ).toEqual(own);
    }
  }
});

test('merged logs have the samples in the contexts of each', () => {
  for (let scenario = 0; scenario < testSize(30, 300); scenario++) {
    const random = randomFor(3_000 + scenario);
    const logs = [new Requests(random), new Requests(random)];
    const engine = new Engine();
    for (const [at, { aggregator }] of logs.entries()) engine.add(`log ${at}`, aggregator.profile);
    const parts = logs.map((_, at) => ({ id: `log ${at}`, tag: `part ${at}` }));
    engine.union('merged', parts, { threads: 'groups', samples: true });
    for (let state = 0; state < 2; state++) {
      for (const requests of logs) {
        for (let each = 0; each < 20; each++) requests.addSample();
        for (let each = 0; each < 10; each++) requests.addContext();
      }
      for (const { id } of parts) engine.grew(id);
      engine.begin();
      const { where } = randomScope(random);
      const scope: Scope = { contexts: { where }, threads: [], transforms: [] };
      const { outside } = engine.view('merged', { ...INITIAL_QUERY, scope });
      const all = logs.reduce((sum, { samples }) => sum + samples.length, 0);
      const inScope = logs.reduce((sum, requests) => sum + requests.inScope({ where }).size, 0);
      expect(all - outside.samples, `SEED=${seed} scenario ${scenario}: ${where.join()}`).toBe(inScope);
    }
  }
});

test('the slow ones and the rest, one operation and all others, are compared without a sample on both sides', () => {
  for (let scenario = 0; scenario < testSize(40, 500); scenario++) {
    const random = randomFor(1_000 + scenario);
    const requests = someRequests(random);
    const engine = new Engine();
    engine.add('log', requests.aggregator.profile);
    const all: ContextScope = { where: ['operation=checkout'] };
    const slow: ContextScope = {
      ...all,
      ...random.pick([
        { slower: 80 },
        { took: { from: 20 } },
        { took: { to: 40 }, began: { from: 30, to: 90 } },
      ]),
    };
    const any: ContextScope = { where: ['operation=/.*/'] };
    for (const [wide, narrow] of [
      [all, slow],
      [any, all],
    ] as const) {
      const isSwapped = random.next() < 0.5;
      const [contexts, base] = isSwapped ? [wide, narrow] : [narrow, wide];
      const comparison = { baseline: { contexts: base }, by: 'share', isSampled: true } as const;
      const scope: Scope = { contexts, threads: [], transforms: [] };
      const view = engine.view('log', { ...INITIAL_QUERY, scope, comparison });
      const rest = requests.inScope({ ...wide, except: narrow });
      const [ownSide, restSide] = [requests.inScope(narrow), rest].map(counted);
      const [next, before] = [view.values, view.baseline!.values].map((values) =>
        countedBy(requests.aggregator, values),
      );
      expect(isSwapped ? [before, next] : [next, before], `SEED=${seed} scenario ${scenario}`).toEqual([
        ownSide,
        restSide,
      ]);
    }
  }
});

test('both sides of a comparison have the durations of their own contexts', () => {
  for (let scenario = 0; scenario < testSize(60, 800); scenario++) {
    const random = randomFor(8_000 + scenario);
    const [requests, others] = [someRequests(random), someRequests(random)];
    const engine = new Engine();
    engine.add('log', requests.aggregator.profile);
    engine.add('other', others.aggregator.profile);
    const all: ContextScope = { where: random.pick([[], ['customer=gold']]) };
    const slow: ContextScope = { ...all, ...random.pick([{ slower: 70 }, { took: { from: 20 } }]) };
    const between = (from: number, to: number): Scope['range'] => ({
      kind: 'between',
      from: String(BASE + BigInt(from)),
      to: String(BASE + BigInt(to)),
    });
    const within = ({ from, to }: Context, least: number, end: number): boolean => to >= least && from < end;
    const of = random.pick(['contexts', 'apart', 'rest', 'log'] as const);
    const [scope, baseline, next, base] = {
      contexts: () =>
        [
          { contexts: slow },
          { contexts: all },
          requests.meant(slow),
          requests.meant(all).filter((each) => !requests.meant(slow).includes(each)),
        ] as const,
      apart: () =>
        [
          { contexts: all, range: between(40, 90) },
          { range: between(120, 180) },
          requests.meant(all).filter((each) => within(each, 40, 90)),
          requests.meant(all).filter((each) => within(each, 120, 180)),
        ] as const,
      rest: () =>
        [
          { contexts: all },
          { range: between(40, 120) },
          requests.meant(all).filter(({ from, to }) => !(from >= 40 && to <= 120)),
          requests.meant(all).filter((each) => within(each, 40, 120)),
        ] as const,
      log: () =>
        [{ contexts: all }, { log: 'other', contexts: all }, requests.meant(all), others.meant(all)] as const,
    }[of]();
    const told = `SEED=${seed} scenario ${scenario}, ${of}`;
    const view = engine.view('log', {
      ...INITIAL_QUERY,
      scope: { threads: [], transforms: [], ...scope },
      comparison: { baseline, by: 'share', isSampled: true },
    });
    const expected = (side: readonly Context[], name: string): string => {
      const own = side
        .filter((each) => each.name === name)
        .map(({ from, to }) => to - from)
        .toSorted((a, b) => a - b);
      const at = (part: number): number | undefined => own[Math.ceil(part * own.length) - 1];
      return `${own.length} ${at(0.5)} ${at(0.99)}`;
    };
    const found = viewComparedDurations(view, 'operation')!;
    const names = new Set([...next, ...base].map(({ name }) => name));
    expect(new Set(found.map(({ name }) => name)), told).toEqual(names);
    for (const { name, ...sides } of found) {
      const textOf = (side: Durations | undefined): string => `${side?.count ?? 0} ${side?.p50} ${side?.p99}`;
      expect([textOf(sides.next), textOf(sides.base)], `${told}: ${name}`).toEqual([
        expected(next, name),
        expected(base, name),
      ]);
    }
  }
});

/** The value of the context of a sample that began last, of those that have the attribute, by comparing all with all. */
function valueOfSample(requests: Requests, sample: Sample, key: string): string | undefined {
  const own = requests.contexts.filter(
    ({ thread, from, to }) => thread === sample.thread && sample.at >= from && sample.at < to,
  );
  const isLater = (a: Context, b: Context): boolean =>
    a.from !== b.from
      ? a.from > b.from
      : a.to !== b.to
        ? a.to < b.to
        : requests.contexts.indexOf(a) > requests.contexts.indexOf(b);
  let last: Context | undefined;
  for (const context of own)
    if (requests.valueOf(context, key) !== undefined && (last === undefined || isLater(context, last)))
      last = context;
  return requests.valueOf(last, key);
}

test('a grouping by an attribute has the samples of each value, and all of them', () => {
  for (let scenario = 0; scenario < testSize(25, 1_000); scenario++) {
    const random = randomFor(5_000 + scenario);
    const requests = new Requests(random);
    const engine = new Engine();
    engine.add('log', requests.aggregator.profile);
    const attribute = random.pick(['operation', 'customer', 'trace']);
    const grouping = { threads: groupingByContext(attribute), frames: 'fqmn' } as const;
    let ids: readonly (readonly [string, number])[] = [];
    for (let state = 0; state < 3; state++) {
      for (let each = 0; each < 20; each++) requests.addSample();
      for (let each = 0; each < 10; each++) requests.addContext();
      for (let thread = 0; thread <= THREADS; thread++)
        requests.aggregator.nameThread(requests.aggregator.thread(0, thread), `t${thread % 2}`);
      engine.grew('log');
      engine.begin();
      const contexts = random.next() < 0.5 ? undefined : { where: ['customer=gold'] };
      const threads = random.next() < 0.3 ? ['t0'] : [];
      const focus = { kind: 'collapse-recursion', of: 'direct' } as const;
      const transforms = random.next() < 0.3 ? [focus] : [];
      const scope: Scope = { contexts, threads, transforms };
      const told = `SEED=${seed} scenario ${scenario}, ${attribute}: ${JSON.stringify(scope)}`;
      const query = { ...INITIAL_QUERY, scope, attribute };
      const inScope = contexts === undefined ? requests.samples : [...requests.inScope(contexts)];
      const samples = inScope.filter(({ thread }) => threads.length === 0 || thread % 2 === 0);
      const expected = new Map<string, number>();
      for (const sample of samples) {
        const value = valueOfSample(requests, sample, attribute) ?? NO_CONTEXT;
        expected.set(value, (expected.get(value) ?? 0) + 1);
      }
      for (const withLines of [false, true]) {
        const view = engine.view('log', query, 'name', withLines);
        const sums = view.sums(grouping);
        const roots = sums.tree.roots().filter((row) => sums.totalCount[row] !== 0);
        expect(new Map(roots.map((row) => [sums.tree.label(row), sums.totalCount[row]])), told).toEqual(
          expected,
        );
        for (const row of roots) expect(sums.totalTime.ns[row], told).toBe(10 * sums.totalCount[row]);
        expect(requests.samples.length - view.outside.samples, told).toBe(samples.length);
        // Views that know nothing of groups answer as without them.
        const plain = engine.view('log', { ...query, attribute: undefined }, 'name', withLines);
        expect(view.counted, told).toEqual(plain.counted);
        expect(view.outside, told).toEqual(plain.outside);
        expect(rowsOf(view), told).toEqual(rowsOf(plain));
        expect(view.samples.threads(), told).toEqual(plain.samples.threads());
        expect(viewOperations(view, 'operation'), told).toEqual({
          ...viewOperations(plain, 'operation'),
          nameOf: expect.any(Function) as unknown,
        });
        if (withLines) continue;
        // A row keeps its identity while the profile grows.
        for (const [label, id] of ids) {
          const row = sums.tree.rowOf(id);
          if (transforms.length === 0) expect(row === -1 ? label : sums.tree.label(row), told).toBe(label);
          if (row >= 0) expect(view.nodeWithId(id), told).toBeGreaterThanOrEqual(0);
        }
        if (transforms.length === 0)
          ids = sums.tree.roots().map((row) => [sums.tree.label(row), sums.tree.idOf(row)]);
      }
    }
  }
});

/** Methods with their samples, by name. */
function rowsOf(view: ProfileView): readonly string[] {
  const flat = view.flat('fqmn');
  return Array.from(
    { length: flat.length },
    (_, row) => `${flat.keys.labels[row]} ${flat.selfCount[row]}`,
  ).sort();
}
