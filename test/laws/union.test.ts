import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { writeFlat } from '../../shared/export/flat.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { writeTree } from '../../shared/export/tree.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import type { MergedThreads } from '../../shared/facts/choice.ts';
import { Engine } from '../../shared/engine/engine.ts';
import { ProfileUnion } from '../../shared/engine/comparison/profile-union.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { INITIAL_QUERY } from '../../shared/engine/query.ts';
import { sumSelfValues } from '../../shared/engine/values/self-values.ts';
import type { FlatProfile } from '../../shared/engine/views/flat-profile.ts';
import { NodeSource } from '../../shared/scope/scope-source.ts';
import { checkProfile } from '../support/check-profile.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { ThreadGrouping } from '../../shared/engine/trees/grouping.ts';
import { frameKey } from '../../shared/engine/trees/keys.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import { NONE } from '../../shared/profile/columns.ts';
import { randomLog, randomPieces } from '../support/random-log.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { stackCells } from '../support/stack-cells.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('union');
const SCENARIOS = testSize(20, 300);
const THREADS = ['name', 'id', 'pool', 'all'] as const;
const FRAMES = ['fqmn', 'line', 'method-id'] as const;

/** A log that grows. */
class GrowingLog {
  readonly name: string;
  readonly aggregator = new ProfileAggregator({ samples: true });
  readonly #decoder = new HonestLogDecoder(this.aggregator);
  readonly #pieces: Uint8Array[];

  constructor(name: string, pieces: Iterable<Uint8Array>) {
    this.name = name;
    this.#pieces = [...pieces];
  }

  get profile(): LeanProfile {
    return this.aggregator.profile;
  }

  /** Reads on. False at the end. */
  grow(): boolean {
    const piece = this.#pieces.shift();
    if (piece === undefined) return false;
    this.#decoder.append(piece);
    this.#decoder.emitOpen(this.#pieces.length === 0);
    return true;
  }
}

test('a union that grows with its logs, in any order, has their sums in each grouping, as one that is made at once', () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const threads = random.pick(['groups', 'together'] as const);
    const logs = randomLogs(random);
    const engine = new Engine();
    for (const { name, profile } of logs) engine.add(name, profile);
    const parts = logs.map(({ name }) => ({ id: name, tag: name }));
    const { profile } = engine.union('all', parts, { threads, samples: true });
    for (let growing = [...logs.keys()]; growing.length > 0;) {
      const part = random.pick(growing);
      if (!logs[part].grow()) growing = growing.filter((each) => each !== part);
      engine.grew(logs[part].name);
      if (random.below(3) > 0 && growing.length > 0) continue;
      engine.begin();
    }
    expect(checkProfile(profile, true), where).toEqual([]);
    const frames = random.pick(FRAMES);
    expectSums(profile, logs, { threads, frames }, where);
    expectSamples(profile, logs, where);
    const atOnce = unionOf(logs, threads);
    for (const grouping of THREADS)
      expect(treeText(profile, grouping, frames), where).toBe(treeText(atOnce, grouping, frames));
  }
});

test('logs that are merged when they are complete, in any order, have the same sums', () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(1_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const threads = random.pick(['groups', 'together'] as const);
    const logs = randomLogs(random);
    for (const log of logs) while (log.grow());
    const merged = unionOf(
      logs.toSorted(() => random.next() - 0.5),
      threads,
    );
    expectSums(merged, logs, { threads, frames: random.pick(FRAMES) }, where);
    expectSamples(merged, logs, where);
  }
});

test('the parts of a profile, merged together, are the whole again', () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(2_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const whole = new ProfileAggregator();
    const parts = Array.from({ length: 1 + random.below(4) }, () => new ProfileAggregator());
    for (let sample = random.below(80); sample >= 0; sample--) {
      const thread = random.below(4);
      const stack = Array.from({ length: 1 + random.below(8) }, () => random.below(5));
      const ns = random.pick([4_000_000, -20, 2n ** 60n + 1n]);
      for (const each of [whole, random.pick(parts)]) addSample(each, thread, stack, ns);
    }
    const merged = unionOf(
      parts.map(({ profile }, at) => ({ name: `part ${at}`, profile })),
      'together',
      false,
    );
    const frames = random.pick(FRAMES);
    expect(flatText(merged, frames), where).toBe(flatText(whole.profile, frames));
    for (const grouping of THREADS)
      expect(treeText(merged, grouping, frames), where).toBe(treeText(whole.profile, grouping, frames));
  }
});

test('two groups of logs that are compared have the sums of the union of each', () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(3_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const groups = [randomLogs(random), randomLogs(random)];
    const engine = new Engine();
    for (const [group, logs] of groups.entries()) {
      for (const log of logs) while (log.grow());
      const parts = logs.map(({ name }) => ({ id: `${group} ${name}`, tag: name }));
      for (const [at, { profile }] of logs.entries()) engine.add(parts[at].id, profile);
      engine.union(`${group}`, parts, { threads: 'together', samples: true });
    }
    const keys = random.pick(['fqmn', 'line'] as const);
    const asked = { ...INITIAL_QUERY, frames: keys, keys };
    const comparison = { baseline: { log: '0' }, by: 'share', isSampled: true } as const;
    const compared = engine.view('1', { ...asked, comparison });
    const ofGroup = (group: string, of: ProfileView): ReadonlyMap<string, string> =>
      textRows(of.flat(keys), `${group} ${where}`);
    expect(textRows(compared.flat(keys), where)).toEqual(ofGroup('1', engine.view('1', asked)));
    if (compared.comparedFlat(keys) === undefined) continue;
    expect(textRows(compared.comparedFlat(keys)!, where)).toEqual(ofGroup('0', engine.view('0', asked)));
    expect(compared.sides).toMatchObject({
      base: sumSelfValues(engine.view('0', asked).values),
      next: sumSelfValues(engine.view('1', asked).values),
    });
  }
});

/** The methods with samples -> their numbers. */
function textRows({ keys, length, ...sums }: FlatProfile, where: string): ReadonlyMap<string, string> {
  expect(length, where).toBeLessThanOrEqual(keys.labels.length);
  const { selfCount, totalCount, selfTime, totalTime } = sums;
  return new Map(
    Array.from({ length }, (_, key): [string, string] => [
      keys.labels[key],
      [selfCount[key], totalCount[key], selfTime.text(key), totalTime.text(key)].join(),
    ]).filter(([, numbers]) => numbers !== '0,0,0,0'),
  );
}

function randomLogs(random: SeededRandom): readonly GrowingLog[] {
  return Array.from({ length: 1 + random.below(4) }, (_, at) => {
    const bytes = randomLog(random, { traces: random.below(50), maxDepth: 12, methods: 6 });
    return new GrowingLog(`node${at}.hpl`, randomPieces(random, bytes, random.pick([200, 2_000])));
  });
}

function unionOf(
  parts: readonly { readonly name: string; readonly profile: LeanProfile }[],
  threads: MergedThreads,
  samples = true,
): LeanProfile {
  const union = new ProfileUnion({ threads, samples });
  for (const { name, profile } of parts) union.add(name, new NodeSource(profile));
  union.update();
  return union.profile;
}

/** Each row of the merged views has the sums of the rows of the logs, and there are no others. */
function expectSums(
  merged: LeanProfile,
  logs: readonly GrowingLog[],
  { threads, frames }: { readonly threads: MergedThreads; readonly frames: (typeof FRAMES)[number] },
  where: string,
): void {
  const flats = logs.map(({ profile }) => rowsOf(flatText(profile, frames), false));
  expect(rowsOf(flatText(merged, frames), false), where).toEqual(sumOf(flats));
  const all = logs.map(({ profile }) => rowsOf(treeText(profile, 'all', frames), true));
  expect(rowsOf(treeText(merged, 'all', frames), true), where).toEqual(sumOf(all));
  const named = logs.map(({ profile, name }) => {
    const rows = rowsOf(treeText(profile, 'name', frames), true);
    return threads === 'groups' ? renamed(rows, (thread) => `${name}: ${thread}`) : rows;
  });
  expect(rowsOf(treeText(merged, 'name', frames), true), where).toEqual(sumOf(named));
  if (threads === 'together') return;
  const groups = logs.map(({ name }, at) => renamed(all[at], () => name));
  expect(rowsOf(treeText(merged, 'group', frames), true), where).toEqual(sumOf(groups));
}

/** Both have the same samples at the same times, and a provisional one for each log that has one. */
function expectSamples(merged: LeanProfile, logs: readonly GrowingLog[], where: string): void {
  const ofLogs = logs.flatMap(({ profile }) => timedStacks(profile));
  expect(timedStacks(merged).sort(), where).toEqual(ofLogs.sort());
  expect(merged.samples?.provisional, where).toBe(
    logs.reduce((sum, { profile }) => sum + (profile.samples?.provisional ?? 0), 0),
  );
}

function timedStacks(profile: LeanProfile): string[] {
  const { samples, selfValues, nodes } = profile;
  return Array.from({ length: samples?.length ?? 0 }, (_, row) => {
    const frames: string[] = [];
    let node = selfValues.node[samples!.self[row]];
    for (; nodes.parent[node] !== NONE; node = nodes.parent[node])
      frames.push(frameKey(profile, nodes.frame[node], 'line'));
    return `${samples!.timeOf(row)} ${samples!.value.exact(row)} ${frames.join(' ')}`;
  });
}

type Rows = ReadonlyMap<string, readonly bigint[]>;

/** The rows of canonical text by their path, with their values. */
function rowsOf(text: string, isTree: boolean): Rows {
  const path: string[] = [];
  const rows = new Map<string, readonly bigint[]>();
  for (const line of text.split('\n').slice(0, -1)) {
    const cells = line.split('\t');
    const [key, ...values] = isTree ? cells.slice(1) : cells;
    path.length = isTree ? Number(cells[0]) : 0;
    path.push(key);
    rows.set(path.join('\t'), values.map(BigInt));
  }
  return rows;
}

function renamed(rows: Rows, nameOf: (thread: string) => string): Rows {
  return new Map(
    [...rows].map(([path, values]) => {
      const [thread, ...frames] = path.split('\t');
      return [[nameOf(thread), ...frames].join('\t'), values];
    }),
  );
}

function sumOf(parts: readonly Rows[]): Rows {
  const sums = new Map<string, readonly bigint[]>();
  for (const rows of parts)
    for (const [path, values] of rows) {
      const known = sums.get(path);
      sums.set(path, known === undefined ? values : known.map((value, at) => value + values[at]));
    }
  return sums;
}

function flatText(profile: LeanProfile, frames: (typeof FRAMES)[number]): string {
  return collectText((sink) => writeFlat({ profile, frames, recursion: 'once', filter: KEEP_ALL }, sink));
}

function treeText(profile: LeanProfile, threads: ThreadGrouping, frames: (typeof FRAMES)[number]): string {
  return collectText((sink) => writeTree({ profile, threads, frames, filter: KEEP_ALL }, sink));
}

function addSample(
  aggregator: ProfileAggregator,
  thread: number,
  stack: readonly number[],
  ns: number | bigint,
): void {
  const index = aggregator.thread(0, thread);
  aggregator.nameThread(index, `worker-${thread}`);
  aggregator.openThread(index);
  for (const method of stack)
    aggregator.defineMethod(aggregator.method(0, method), {
      file: '',
      className: 'A',
      methodName: `m${method}`,
    });
  const cells = stackCells(...stack.map((method) => [0, method, method % 2, 0] as const));
  aggregator.sample(index, cells, stack.length, ns);
}
