import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { applyDelta } from '../../shared/delta/apply-delta.ts';
import { deltasOfWhole, type JournaledProfile, makeDelta } from '../../shared/delta/make-delta.ts';
import { type DeltaCursor, NOTHING } from '../../shared/delta/profile-delta.ts';
import { exportFlat } from '../../shared/export/flat.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { exportTree } from '../../shared/export/tree.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import type { MergedThreads } from '../../shared/facts/choice.ts';
import { MergedProfile } from '../../shared/merge/merged-profile.ts';
import { checkProfile } from '../../shared/profile/check-profile.ts';
import { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { SampleTable } from '../../shared/profile/sample-table.ts';
import type { ThreadGrouping } from '../../shared/engine/trees/grouping.ts';
import { frameKey } from '../../shared/engine/trees/keys.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import { NONE } from '../../shared/profile/columns.ts';
import { profileTables } from '../support/profile-tables.ts';
import { randomLog, randomPieces } from '../support/random-log.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { stackCells } from '../support/stack-cells.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('merge');
const SCENARIOS = testSize(20, 300);
const FRAMES = ['fqmn', 'line', 'method-id'] as const;

/** A log that grows, with a cursor up to which its growth has been merged. */
class GrowingLog {
  readonly name: string;
  readonly aggregator = new ProfileAggregator({ journal: true, samples: true });
  readonly #decoder = new HonestLogDecoder(this.aggregator);
  readonly #pieces: Uint8Array[];
  #cursor: DeltaCursor = NOTHING;

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

  growthInto(merged: MergedProfile, part: number, mostNodes?: number): boolean {
    const { profile, journal } = this.aggregator;
    const source = { profile, journal: journal!, samples: profile.samples };
    const delta = makeDelta(source, 3, this.#cursor, mostNodes);
    expect(merged.fits(part, delta)).toBe(true);
    merged.apply(part, delta);
    this.#cursor = delta.to;
    return !delta.complete;
  }
}

test('a merged profile that grows has the sums of its logs, in each grouping, and its deltas make the same copy', () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const threads = random.pick(['groups', 'together'] as const);
    const logs = randomLogs(random);
    const merged = newMerged(logs, threads);
    const copy = new LeanProfile(true, new SampleTable());
    let cursor = NOTHING;
    for (let growing = [...logs.keys()]; growing.length > 0;) {
      const part = random.pick(growing);
      if (!logs[part].grow()) growing = growing.filter((each) => each !== part);
      while (logs[part].growthInto(merged, part, random.pick([undefined, 1, 5])));
      if (random.below(3) > 0 && growing.length > 0) continue;
      cursor = bringUpToDate(copy, merged, cursor);
    }
    expect(checkProfile(merged.profile, true), where).toEqual([]);
    expect(profileTables(copy), where).toEqual(profileTables(merged.profile));
    expectSums(merged.profile, logs, { threads, frames: random.pick(FRAMES) }, where);
    expectSamples(merged.profile, logs, where);
  }
});

test('logs that are merged when they are complete, in any order, have the same sums', () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(1_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const threads = random.pick(['groups', 'together'] as const);
    const logs = randomLogs(random);
    for (const log of logs) while (log.grow());
    const merged = newMerged(logs, threads);
    for (const part of [...logs.keys()].sort(() => random.next() - 0.5))
      mergeWhole(merged, part, logs[part].profile);
    expectSums(merged.profile, logs, { threads, frames: random.pick(FRAMES) }, where);
    expectSamples(merged.profile, logs, where);
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
    const names = parts.map((_, at) => `part ${at}`);
    const merged = new MergedProfile({ names, threads: 'together', samples: false });
    for (const [at, part] of parts.entries()) mergeWhole(merged, at, part.profile);
    const frames = random.pick(FRAMES);
    expect(flatText(merged.profile, frames), where).toBe(flatText(whole.profile, frames));
    for (const grouping of ['name', 'id', 'pool', 'all'] as const)
      expect(treeText(merged.profile, grouping, frames), where).toBe(
        treeText(whole.profile, grouping, frames),
      );
  }
});

test('a delta that does not continue a log is refused, and changes nothing', () => {
  const random = randomFor(3_000);
  const [log] = randomLogs(random);
  while (log.grow());
  const merged = newMerged([log], 'groups');
  mergeWhole(merged, 0, log.profile);
  const before = profileTables(merged.profile);
  const [again] = deltasOfWhole(log.profile, undefined);
  expect(merged.fits(0, again)).toBe(false);
  expect(() => merged.apply(0, again)).toThrow();
  expect(profileTables(merged.profile)).toEqual(before);
});

function randomLogs(random: SeededRandom): readonly GrowingLog[] {
  return Array.from({ length: 1 + random.below(4) }, (_, at) => {
    const bytes = randomLog(random, { traces: random.below(50), maxDepth: 12, methods: 6 });
    return new GrowingLog(`node${at}.hpl`, randomPieces(random, bytes, random.pick([200, 2_000])));
  });
}

function newMerged(logs: readonly GrowingLog[], threads: MergedThreads): MergedProfile {
  return new MergedProfile({ names: logs.map(({ name }) => name), threads, samples: true });
}

function mergeWhole(merged: MergedProfile, part: number, profile: LeanProfile): void {
  for (const delta of deltasOfWhole(profile, profile.samples)) merged.apply(part, delta);
}

function bringUpToDate(
  copy: LeanProfile,
  { profile, journal }: MergedProfile,
  from: DeltaCursor,
): DeltaCursor {
  const source: JournaledProfile = { profile, journal, samples: profile.samples };
  for (let cursor = from; ;) {
    const delta = makeDelta(source, 0, cursor);
    applyDelta(copy, delta);
    cursor = delta.to;
    if (delta.complete) return cursor;
  }
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
  return collectText((sink) => exportFlat(profile, { frames, recursion: 'once', filter: KEEP_ALL }, sink));
}

function treeText(profile: LeanProfile, threads: ThreadGrouping, frames: (typeof FRAMES)[number]): string {
  return collectText((sink) =>
    exportTree(profile, { grouping: { threads, frames }, filter: KEEP_ALL }, sink),
  );
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
