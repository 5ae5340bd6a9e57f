import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { applyDelta } from '../../shared/delta/apply-delta.ts';
import { decodeDelta, encodeDelta } from '../../shared/delta/delta-codec.ts';
import { deltasOfWhole } from '../../shared/delta/make-delta.ts';
import { Calls } from '../../shared/engine/contexts/calls.ts';
import { SamplesByThread } from '../../shared/engine/contexts/contexts.ts';
import type { Operation } from '../../shared/engine/contexts/operations.ts';
import { Engine } from '../../shared/engine/engine.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { INITIAL_QUERY } from '../../shared/engine/query.ts';
import { sumSelfValues } from '../../shared/engine/values/self-values.ts';
import { viewOperations } from '../../shared/engine/view-operations.ts';
import { TPTP_BINARY } from '../../shared/formats/tptp/format.ts';
import { LeanProfile, threadsOfNodes } from '../../shared/profile/lean-profile.ts';
import { SampleTable } from '../../shared/profile/sample-table.ts';
import { EMPTY_SCOPE, type ContextScope } from '../../shared/scope/scope.ts';
import { randomCallEvents, traceOfCalls } from '../support/random-calls.ts';
import { type CallEvent, type EndedCall, referenceCalls } from '../support/reference-calls.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('calls');

const methodOf = ({ path }: EndedCall): string => path.split(' > ').at(-1)!;
const selfSum = (calls: readonly EndedCall[]): number => calls.reduce((sum, { self }) => sum + self, 0);

/** Calls of a trace by the description of the format, and what is inside what by comparing all with all. */
class ReferenceCalls {
  readonly all: EndedCall[] = [];
  readonly methods: readonly string[];

  constructor(events: readonly CallEvent[]) {
    referenceCalls(events, this.all);
    this.methods = [...new Set(this.all.map(methodOf))].sort();
  }

  /** Calls of a method that are not inside another one of it. */
  requests(method: string): readonly EndedCall[] {
    const own = this.all.filter((call) => methodOf(call) === method);
    const numbers = new Set(own.map(({ number }) => number));
    return own.filter(({ around }) => !around.some((number) => numbers.has(number)));
  }

  /** The calls that are inside some of these, and these. */
  inside(requests: readonly EndedCall[]): readonly EndedCall[] {
    const numbers = new Set(requests.map(({ number }) => number));
    return this.all.filter(
      ({ number, around }) => numbers.has(number) || around.some((each) => numbers.has(each)),
    );
  }

  durationOf(request: EndedCall): number {
    return selfSum(this.inside([request]));
  }

  /** The row of `operations`, without the method where most samples ended. */
  operation(name: string): Omit<Operation, 'hottest'> {
    const requests = this.requests(name);
    const durations = requests.map((each) => this.durationOf(each)).sort((a, b) => a - b);
    const total = durations.reduce((sum, each) => sum + each, 0);
    const { length } = durations;
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => durations[Math.ceil(part * length) - 1]);
    const samples = this.inside(requests).length;
    return {
      name,
      count: length,
      total,
      mean: total / length,
      p50,
      p95,
      p99,
      longest: durations[length - 1],
      samples,
      onCpu: undefined,
    };
  }
}

function readTrace(events: readonly CallEvent[], chosen = {}): ProfileAggregator {
  const aggregator = new ProfileAggregator({ samples: true });
  const decoder = TPTP_BINARY.createDecoder(aggregator, chosen);
  decoder.append(traceOfCalls(events));
  decoder.emitOpen(true);
  return aggregator;
}

function engineOf(profile: LeanProfile): Engine {
  const engine = new Engine();
  engine.add('log', profile);
  return engine;
}

const inContexts = (engine: Engine, contexts: ContextScope | undefined): ProfileView =>
  engine.view('log', { ...INITIAL_QUERY, scope: { ...EMPTY_SCOPE, contexts } });

const operationsOf = (engine: Engine): readonly Operation[] | undefined =>
  viewOperations(inContexts(engine, undefined), 'operation')?.rows;

test('calls of each method have what was called inside them, and their times add up to its inclusive time', () => {
  for (let turn = 0; turn < testSize(25, 2_000); turn++) {
    const told = `SEED=${seed} turn ${turn}`;
    const events = randomCallEvents(randomFor(turn));
    const reference = new ReferenceCalls(events);
    const engine = engineOf(readTrace(events).profile);
    const rows = operationsOf(engine) ?? [];
    const found = rows.map(({ hottest: _hottest, ...row }) => row);
    expect(
      found.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      told,
    ).toEqual(reference.methods.map((method) => reference.operation(method)));
    const flat = inContexts(engine, undefined).flat('fqmn');
    for (const name of reference.methods) {
      const { values, outside } = inContexts(engine, { where: [`operation=${name}`] });
      const inside = reference.inside(reference.requests(name));
      const row = flat.keys.find(name);
      expect(sumSelfValues(values), told).toEqual({ samples: inside.length, time: selfSum(inside) });
      expect([flat.totalCount[row], flat.totalTime.ns[row]], told).toEqual([inside.length, selfSum(inside)]);
      expect(outside.samples, told).toBe(reference.all.length - inside.length);
    }
  }
});

test('calls that took so long, that began then, the slow ones against the rest', () => {
  for (let turn = 0; turn < testSize(25, 2_000); turn++) {
    const told = `SEED=${seed} turn ${turn}`;
    const random = randomFor(10_000 + turn);
    const events = randomCallEvents(random);
    const reference = new ReferenceCalls(events);
    if (reference.all.length === 0) continue;
    const engine = engineOf(readTrace(events).profile);
    const method = random.pick(reference.methods);
    const requests = reference.requests(method);
    const where = [`operation=${method}`];
    const earliest = Math.min(...reference.all.map(({ entry }) => entry));
    const from = random.below(300);
    const slowest = requests.map((each) => reference.durationOf(each)).sort((a, b) => b - a);
    const least = slowest[Math.max(1, Math.round(slowest.length * 0.2)) - 1];
    const slow = requests.filter((each) => reference.durationOf(each) >= least);
    const cases: readonly (readonly [ContextScope, readonly EndedCall[]])[] = [
      [{ where, took: { from } }, requests.filter((each) => reference.durationOf(each) >= from)],
      [{ where, began: { from } }, requests.filter(({ entry }) => entry - earliest >= from)],
      [{ where, slower: 80 }, slow],
    ];
    for (const [contexts, meant] of cases) {
      const inside = reference.inside(meant);
      expect(sumSelfValues(inContexts(engine, contexts).values), told).toEqual({
        samples: inside.length,
        time: selfSum(inside),
      });
    }
    const { values, baseline } = engine.view('log', {
      ...INITIAL_QUERY,
      scope: { ...EMPTY_SCOPE, contexts: { where, slower: 80 } },
      comparison: { baseline: { contexts: { where } }, by: 'share', isSampled: false },
    });
    const inside = new Set(reference.inside(slow));
    const rest = reference.inside(requests).filter((each) => !inside.has(each));
    expect(
      [values, baseline!.values].map((side) => sumSelfValues(side).samples),
      told,
    ).toEqual([inside.size, rest.length]);
    expect(sumSelfValues(baseline!.values).time, told).toBe(selfSum(rest));
    // Parts of the time: each request is in the one in which it began.
    const parts = viewOperations(inContexts(engine, { where }), 100n)!.rows;
    expect(
      parts.reduce((sum, { count }) => sum + count, 0),
      told,
    ).toBe(requests.length);
  }
});

test('a trace that grows has the calls of one that is read at once, also in a copy', () => {
  for (let turn = 0; turn < testSize(20, 1_000); turn++) {
    const told = `SEED=${seed} turn ${turn}`;
    const random = randomFor(20_000 + turn);
    const events = randomCallEvents(random);
    const input = traceOfCalls(events);
    const growing = new ProfileAggregator({ journal: true, samples: true });
    const decoder = TPTP_BINARY.createDecoder(growing, {});
    const engine = engineOf(growing.profile);
    const scope: ContextScope = { where: [`operation=${1 + random.below(4)}`] };
    for (let at = 0; at < input.length;) {
      const end = Math.min(input.length, at + 1 + random.below(900));
      decoder.append(input.subarray(at, end));
      at = end;
      decoder.emitOpen(at === input.length);
      engine.grew('log');
      engine.begin();
      const fresh = engineOf(growing.profile);
      expect(operationsOf(engine), told).toEqual(operationsOf(fresh));
      const [one, other] = [engine, fresh].map((each) => sumSelfValues(inContexts(each, scope).values));
      expect(one, told).toEqual(other);
    }
    const batch = operationsOf(engineOf(readTrace(events).profile));
    expect(operationsOf(engine), told).toEqual(batch);
    const copy = new LeanProfile(true, new SampleTable());
    for (const delta of deltasOfWhole(growing.profile, growing.profile.samples))
      applyDelta(copy, decodeDelta(encodeDelta(delta, 0), 0));
    expect(operationsOf(engineOf(copy)), told).toEqual(batch);
  }
});

test('merged traces have the calls of each', () => {
  for (let turn = 0; turn < testSize(20, 500); turn++) {
    const told = `SEED=${seed} turn ${turn}`;
    const traces = [30_000, 40_000].map((first) => randomCallEvents(randomFor(first + turn)));
    const references = traces.map((events) => new ReferenceCalls(events));
    const engine = new Engine();
    for (const [at, events] of traces.entries()) engine.add(`part ${at}`, readTrace(events).profile);
    const parts = traces.map((_, at) => ({ id: `part ${at}`, tag: `part ${at}` }));
    engine.union('log', parts, { threads: 'groups', samples: true });
    const rows = operationsOf(engine) ?? [];
    expect(new Set(rows.map(({ name }) => name)), told).toEqual(
      new Set(references.flatMap(({ methods }) => methods)),
    );
    for (const { name, count, total, samples } of rows) {
      const own = references
        .filter(({ methods }) => methods.includes(name))
        .map((each) => each.operation(name));
      const sum = (of: (operation: (typeof own)[number]) => number): number =>
        own.reduce((all, each) => all + of(each), 0);
      expect([name, count, total, samples], told).toEqual([
        name,
        sum((each) => each.count),
        sum((each) => each.total),
        sum((each) => each.samples),
      ]);
    }
  }
});

test('calls by CPU time, of which the trace has no interval, are no requests', () => {
  const events = randomCallEvents(randomFor(1));
  expect(operationsOf(engineOf(readTrace(events).profile))).toBeDefined();
  expect(operationsOf(engineOf(readTrace(events, { value: 'cpu' }).profile))).toBeUndefined();
});

test('of too many calls, those of the methods with fewest are there', () => {
  const aggregator = new ProfileAggregator({ samples: true });
  aggregator.samplesAreCalls();
  const { profile } = aggregator;
  const samples = profile.samples!;
  const thread = aggregator.thread(0, 1);
  // main calls often three times, and seldom once, which calls often.
  const calls = ['often', 'often', 'often', 'often > seldom', 'seldom', 'main'];
  const ids = ['main', 'seldom', 'often'];
  for (const [at, call] of calls.entries()) {
    const path = (call === 'main' ? call : `${call} > main`).split(' > ');
    aggregator.takenAt(0n, at);
    aggregator.sample(
      thread,
      Int32Array.from(path.flatMap((name) => [0, ids.indexOf(name), 1, 0])),
      path.length,
      10,
    );
  }
  const { nodes, selfValues, frames } = profile;
  const threadOf = threadsOfNodes(nodes);
  const byThread = new SamplesByThread();
  byThread.update(
    samples,
    undefined,
    selfValues.node.map((node) => threadOf[node]),
    1,
  );
  const outermost = nodes.frame.map((frame) => (frame < 0 ? -1 : frames.method[frame]));
  const labels = ids.map((_, method) => ids[profile.methods.idLo[method]]);
  const listed = (most: number): Calls => {
    const made = new Calls();
    made.update(profile, samples, byThread, { labels, outermost }, most);
    return made;
  };
  const namesOf = ({ table }: Calls): readonly string[] =>
    Array.from(
      { length: table.length },
      (_, call) => `${table.texts[table.name[call]]} ${table.to[call] - table.from[call]}`,
    );
  expect(namesOf(listed(6))).toEqual([
    'often 10',
    'often 10',
    'often 10',
    'often 10',
    'seldom 20',
    'main 60',
  ]);
  expect(listed(6).leftOut).toBeUndefined();
  expect(namesOf(listed(5))).toEqual(['seldom 20', 'main 60']);
  expect(listed(5).leftOut).toEqual({ calls: 4, methods: new Set(['often']) });
  expect(namesOf(listed(1))).toEqual(['main 60']);
  expect(listed(0).leftOut).toEqual({ calls: 6, methods: new Set(['main', 'seldom', 'often']) });
});
