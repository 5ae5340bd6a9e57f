import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { ExportFormatId } from '../../shared/export/export-formats.ts';
import { comparisonOf } from '../support/comparison-of.ts';
import { exportComparedFlat, exportComparedTree } from '../../shared/export/compare-text.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import type { ExportInput } from '../../shared/export/export-input.ts';
import { writeExport } from '../support/write-export.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { SAMPLES_AND_TIME } from '../../shared/profile/profile-units.ts';
import { boundsOf } from '../../shared/scope/time-range.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import { askedProfile } from '../support/asked-profile.ts';
import { sumSelfValues } from '../../shared/engine/values/self-values.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import type { Metric } from '../../shared/engine/values/metric.ts';
import { ALL_ROWS, labelAt } from '../../shared/engine/views/flame-columns.ts';
import { layoutFlame } from '../../shared/engine/views/flame-layout.ts';
import { callTreeOf } from '../../shared/export/tree.ts';
import { foldedStacks } from '../support/folded-stacks.ts';
import { type JsonProfile, profileFromJson } from '../support/json-profile.ts';
import { NAIVE, naiveStacks, type NaiveStack } from '../support/naive-sums.ts';
import { randomScope } from '../support/random-scope.ts';
import { COLLAPSED } from '../../shared/formats/collapsed/format.ts';
import { decodeInput, readInput } from '../support/read-input.ts';
import { type Model, modelFrame, type ModelFrame, type ModelSample } from '../support/reference-model.ts';
import { scopedStacks } from '../support/scoped-stacks.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('export-numbers');
const SCENARIOS = testSize(150, 4_000);
const FIRST_AT = 1_700_000_000_000_000_000n;
const NAMES = ['main', 'web-1', 'web-2', 'main'];

/** A random profile, and the same as single samples. */
interface Made {
  readonly profile: LeanProfile;
  readonly model: Model;
  readonly threadName: (id: bigint) => string;
}

/**
 * Samples of which many have their time at another stack, as of two snapshots what both have in common, so that there are
 * stacks with time and no sample. Some times are negative, and some of these cancel others.
 */
function randomProfile(random: SeededRandom): Made {
  const aggregator = new ProfileAggregator({ samples: true });
  const methods = 2 + random.below(5);
  const definitions: [bigint, { className: string; methodName: string; file: string }][] = [];
  for (let id = 1; id <= methods; id++) {
    // One has a blank as its name.
    const names = {
      className: id === 2 ? '' : random.pick(['a.A', 'a.A$B', 'b.C']),
      methodName: id === 2 ? ' ' : `m${id}`,
      file: 'A.java',
    };
    definitions.push([BigInt(id), names]);
    aggregator.defineMethod(aggregator.method(0, id), names);
  }
  const threadIds = Array.from({ length: 1 + random.below(4) }, (_, at) => at + 1);
  const threads = threadIds.map((id) => aggregator.thread(0, id));
  const hasEqualNames = random.below(3) === 0;
  const nameOf = (id: number): string => NAMES[(hasEqualNames ? id % 2 : id - 1) % NAMES.length];
  threads.forEach((thread, at) => {
    aggregator.nameThread(thread, nameOf(threadIds[at]));
  });
  const samples: ModelSample[] = [];
  const known = new Map<string, ModelFrame>();
  const frame = (): ModelFrame => {
    const made = modelFrame(BigInt(1 + random.below(methods)), 10 + random.below(2), 0);
    if (!known.has(made.text)) known.set(made.text, made);
    return known.get(made.text)!;
  };
  const allowsNegative = random.below(2) === 0;
  const taken = random.below(3) > 0;
  const place = (thread: number, stack: readonly ModelFrame[]): number => {
    let node = aggregator.root(threads[thread]);
    stack.forEach(({ method, line, bci }, at) => {
      node = aggregator.callee(node, at + 1, 0, Number(method), line, bci);
    });
    return node;
  };
  for (let each = random.below(30); each >= 0; each--) {
    const thread = random.below(threads.length);
    const id = BigInt(threadIds[thread]);
    const stack = Array.from({ length: 1 + random.below(6) }, frame);
    const common = stack.slice(0, 1 + random.below(stack.length));
    const ns = BigInt(random.below(4) * 500 * (allowsNegative && random.below(2) === 0 ? -1 : 1));
    const at = FIRST_AT + BigInt(random.below(1_000));
    if (taken) aggregator.takenAt(FIRST_AT, Number(at - FIRST_AT));
    if (random.below(4) === 0 && !taken) {
      aggregator.samplesAt(place(thread, stack), 0, Number(ns));
      samples.push({ thread: id, stack, ns, at: undefined, count: 0 });
      continue;
    }
    aggregator.sampleAt(place(thread, stack), Number(ns), place(thread, common));
    const moment = taken ? at : undefined;
    samples.push(
      { thread: id, stack, ns: 0n, at: moment },
      { thread: id, stack: common, ns, at: moment, count: 0 },
    );
  }
  const model = { samples, threads: new Set(threadIds.map(BigInt)), methods: new Map(definitions) };
  return { profile: aggregator.profile, model, threadName: (id) => nameOf(Number(id)) };
}

test(`the numbers of comparisons are those of single samples, in ${SCENARIOS} random scopes`, () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(10_000 + scenario);
    const frames = random.pick(['fqmn', 'line'] as const);
    const made = [randomProfile(random), randomProfile(random)];
    const scope = randomScope(random, made[0].model, frames);
    const where = `SEED=${seed} scenario ${scenario} ${frames} ${JSON.stringify(scope)}`;
    const [base, next] = made.map(({ profile, model, threadName }) => ({
      inScope: askedProfile(profile, scope, frames),
      stacks: naiveStacks(scopedStacks(model, scope, frames, threadName)),
      threads: [...new Set(model.samples.map(({ thread }) => threadName(thread)))],
    }));
    const comparison = comparisonOf(made[0].profile, made[1].profile, { threads: 'name', frames }, scope);
    const options = { filter: KEEP_ALL, shareOf: undefined };
    const isWhole = [base, next].every(({ inScope }) => inScope.profile.selfValues.isComplete);
    const flat = collectText((sink) => exportComparedFlat(comparison.methods('once'), options, sink));
    expect(flat, where).toBe(NAIVE.comparedFlat(base.stacks, next.stacks));
    const tree = collectText((sink) => exportComparedTree(comparison.calls(), options, sink));
    expect(tree, where).toBe(
      NAIVE.comparedTree(base.stacks, next.stacks, isWhole ? [...base.threads, ...next.threads] : []),
    );
  }
});

function inputOf(profile: LeanProfile, more: Partial<ExportInput>): ExportInput {
  return {
    profile,
    units: SAMPLES_AND_TIME,
    title: 'test',
    frames: 'fqmn',
    threads: 'name',
    recursion: 'once',
    metric: 'samples',
    filter: KEEP_ALL,
    order: { by: 'selfCount', descending: true },
    method: '',
    depth: undefined,
    drawing: {
      rows: () => callTreeOf(profile, { threads: 'name', frames: 'fqmn', ...more }, more.values),
      root: () => undefined,
      search: undefined,
      theme: 'light',
      colourBy: 'package',
      orientation: 'flame',
      width: 1200,
    },
    ...more,
  };
}

function written(
  format: ExportFormatId,
  input: ExportInput,
): { readonly bytes: Uint8Array; readonly notes: readonly string[] } {
  const pieces: (string | Uint8Array)[] = [];
  const notes = writeExport(format, input, (piece) => void pieces.push(piece));
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece as Uint8Array)));
  return { bytes, notes };
}

test(`the numbers of all exports are those of single samples, in ${SCENARIOS} random scopes`, () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(scenario);
    const { profile: source, model: all, threadName } = randomProfile(random);
    const frames = random.pick(['fqmn', 'line'] as const);
    const scope: Scope = { ...randomScope(random, all, frames), ...randomRange(random, source) };
    const where = `SEED=${seed} scenario ${scenario} ${frames} ${JSON.stringify(scope)}`;
    const bounds = scope.range === undefined ? undefined : boundsOf(scope.range, source.samples!);
    const model = {
      ...all,
      samples: all.samples.filter(
        ({ at }) => bounds === undefined || (at !== undefined && at >= bounds.from! && at < bounds.to!),
      ),
    };
    const byName = scopedStacks(model, scope, frames, threadName);
    const byId = scopedStacks(model, scope, frames, threadName, (id) => `${threadName(id)} <${id}>`);
    const { profile, outside } = askedProfile(source, scope, frames);
    const stacks = naiveStacks(byName);
    expectSums(profile, stacks, where);
    if (bounds === undefined) expect(outside.samples, where).toBe(byName.outside);
    const text = (format: ExportFormatId, more: Partial<ExportInput>): string =>
      Buffer.from(written(format, inputOf(profile, { frames, ...more })).bytes).toString();
    // A complete profile has all threads, also those that were never sampled.
    const isWhole = profile.selfValues.isComplete;
    const inAll = stacks.map((stack) => ({ ...stack, thread: 'All Threads' }));
    const ofId = naiveStacks(byId);
    const roots = (key: (id: bigint) => string): string[] =>
      isWhole ? [...new Set(all.samples.map(({ thread }) => key(thread)))] : [];
    expect(text('tree', {}), where).toBe(NAIVE.tree(stacks, roots(threadName)));
    expect(text('tree', { threads: 'id' }), where).toBe(
      NAIVE.tree(
        ofId,
        roots((id) => `${threadName(id)} <${id}>`),
      ),
    );
    expect(text('bottom-up', {}), where).toBe(NAIVE.bottomUp(stacks));
    expect(text('flat', {}), where).toBe(NAIVE.flat(stacks));
    expect(text('flat', { recursion: 'per-level' }), where).toBe(NAIVE.flat(stacks, true));
    expect(csvAsFlat(text('csv', {})), where).toBe(NAIVE.flat(stacks));
    for (const metric of ['samples', 'time'] as const) {
      expect(text('collapsed', { threads: 'all', metric }), where).toBe(
        NAIVE.collapsed(stacks, 'all', metric),
      );
    }
    expect(text('bottom-up', { threads: 'all' }), where).toBe(NAIVE.bottomUp(inAll));
    expectRoundTrips(profile, stacks, where);
    for (const metric of ['samples', 'time'] as const)
      expect(widthsOf(profile, frames, metric), where).toEqual(naiveWidths(stacks, metric));
    for (const method of new Set(stacks.flatMap(({ keys }) => keys))) {
      expect(text('callees', { method }), where).toBe(NAIVE.callees(stacks, method));
      expect(text('callers', { method, threads: 'all' }), where).toBe(NAIVE.callers(inAll, method));
      expect(text('callers', { method }), where).toBe(NAIVE.callers(stacks, method));
    }
  }
});

/** What is read again is what was written, but for what the format cannot hold, which a note says. */
function expectRoundTrips(profile: LeanProfile, stacks: readonly NaiveStack[], where: string): void {
  const byMethod = stacks.map((stack) => ({
    ...stack,
    keys: stack.keys.map((key) => key.replace(/:-?\d+$/, '')),
  }));
  const input = inputOf(profile, {});
  const json = JSON.parse(Buffer.from(written('json', input).bytes).toString()) as JsonProfile;
  expect(numbersOf(profileFromJson(json)), `json ${where}`).toEqual(summed(byMethod));
  // What has no time has no width. Stacks of several lines, or threads of one name, may have time together.
  const speedscope = written('speedscope', input);
  expect(
    speedscope.notes.some((note) => WITHOUT_FRAMES.note.test(note)),
    where,
  ).toBe(hasRow(json, isRootRow));
  const wide = withRows(json, (row) => BigInt(json.selfValues.value![row]) > 0n && !isRootRow(json, row));
  if (wide.selfValues.length > 0)
    expect(numbersOf(readInput(speedscope.bytes).profile), `speedscope ${where}`).toEqual(
      numbersOf(profileFromJson(wide)),
    );
  if (!stacks.some(isEmpty)) {
    const { bytes } = written('collapsed', { ...input, threads: 'id' });
    expect(numbersOf(decodeInput(COLLAPSED, bytes).profile), `collapsed ${where}`).toEqual(
      summed(byMethod.filter(hasSamples).map(timeless)),
    );
  }
  for (const [format, { held, notes: saidAs }] of Object.entries(HELD) as [ExportFormatId, Held][]) {
    const expected = summed(held(byMethod));
    const { bytes, notes } = written(format, input);
    const of = `${format} ${where}`;
    for (const { isLost, note } of saidAs)
      expect(
        notes.some((each) => note.test(each)),
        `${of}: ${notes.join('; ')}`,
      ).toBe(hasRow(json, isLost));
    // A file without any sample is none of its format.
    if (Object.keys(expected).length > 0) expect(numbersOf(readInput(bytes).profile), of).toEqual(expected);
  }
}

type RowTest = (json: JsonProfile, row: number) => boolean;

function hasRow(json: JsonProfile, test: RowTest): boolean {
  return json.selfValues.node.some((_, row) => test(json, row));
}

function isWithoutSamples({ selfValues }: JsonProfile, row: number): boolean {
  return selfValues.samples[row] === 0;
}

function isRootRow({ nodes, selfValues }: JsonProfile, row: number): boolean {
  return nodes.parent[selfValues.node[row]] < 0;
}

/** The same with some rows of the self values. */
function withRows(json: JsonProfile, isKept: (row: number) => boolean): JsonProfile {
  const { node, samples, value } = json.selfValues;
  const rows = node.map((_, row) => row).filter(isKept);
  const of = <Value>(column: readonly Value[]): Value[] => rows.map((row) => column[row]);
  const selfValues = {
    length: rows.length,
    node: of(node),
    samples: of(samples),
    value: value && of(value),
  };
  return { ...json, selfValues };
}

/** What of stacks a format holds. */
interface Held {
  readonly held: (stacks: readonly NaiveStack[]) => readonly NaiveStack[];
  /** What it says about those that it does not. */
  readonly notes: readonly { readonly isLost: RowTest; readonly note: RegExp }[];
}

const hasFrames = ({ keys }: NaiveStack): boolean => keys.length > 0;
const isEmpty = ({ keys }: NaiveStack): boolean => keys.length === 0;
const hasSamples = ({ samples }: NaiveStack): boolean => samples > 0;
/** Readers name the stack that has no frame. */
const named = (stack: NaiveStack): NaiveStack => (isEmpty(stack) ? { ...stack, keys: ['<empty>'] } : stack);
const timeless = (stack: NaiveStack): NaiveStack => ({ ...stack, ns: 0n });
const WITHOUT_SAMPLES = { isLost: isWithoutSamples, note: /stacks? without samples left out/ };
const WITHOUT_FRAMES = { isLost: isRootRow, note: /samples without a frame/ };

const HELD: Partial<Record<ExportFormatId, Held>> = {
  pprof: { held: (stacks) => stacks.map(named), notes: [] },
  trcbin: { held: (stacks) => stacks.filter(hasFrames), notes: [WITHOUT_FRAMES] },
  'hprof-text': {
    held: (stacks) => stacks.filter(hasSamples).map(named).map(timeless),
    notes: [WITHOUT_SAMPLES],
  },
  hprof: { held: (stacks) => stacks.filter(hasSamples).map(named).map(timeless), notes: [WITHOUT_SAMPLES] },
};

/** Without the frame that a reader puts above the longest stacks, which may have been cut. */
function withoutMark(stack: string): string {
  return stack.replace(/;\(truncated at depth \d+\)/, '');
}

/** Stack -> `samples ns`. */
function numbersOf(profile: LeanProfile): Record<string, string> {
  const thread = (name: string): string => name;
  const counts = foldedStacks(profile, { thread });
  const times = foldedStacks(profile, { thread, time: true });
  return Object.fromEntries(
    [...counts]
      .map(([stack, count]) => [withoutMark(stack), `${count} ${times.get(stack)}`])
      .filter(([, each]) => each !== '0 0'),
  ) as Record<string, string>;
}

function summed(stacks: readonly NaiveStack[]): Record<string, string> {
  const sums = new Map<string, [number, bigint]>();
  for (const { thread, keys, samples, ns } of stacks) {
    const path = [thread, ...keys].join(';');
    const [count, time] = sums.get(path) ?? [0, 0n];
    sums.set(path, [count + samples, time + ns]);
  }
  return Object.fromEntries(
    [...sums].map(([path, [count, ns]]) => [path, `${count} ${ns}`]).filter(([, each]) => each !== '0 0'),
  ) as Record<string, string>;
}

/** Frame of a flame graph, as its path -> its width. */
function widthsOf(profile: LeanProfile, frames: 'fqmn' | 'line', metric: Metric): Record<string, number> {
  const sums = callTreeOf(profile, { threads: 'name', frames });
  const options = {
    metric,
    siblings: 'name',
    zoom: undefined,
    pixels: 2 ** 30,
    matching: undefined,
    kept: undefined,
  } as const;
  const layout = layoutFlame(sums, options);
  const paths: string[] = [];
  const widths: Record<string, number> = {};
  for (let at = 0; at < layout.length; at++) {
    if (layout.id[at] === ALL_ROWS) paths.push('');
    else {
      const above = layout.parent[at] < 0 ? '' : paths[layout.parent[at]];
      paths.push(`${above};${labelAt(layout, at)}`);
      widths[paths[at]] = layout.weight[at];
    }
  }
  return widths;
}

/** A negative time has no width. */
function naiveWidths(stacks: readonly NaiveStack[], metric: Metric): Record<string, number> {
  const widths: Record<string, number> = {};
  for (const { thread, keys, samples, ns } of stacks) {
    const weight = metric === 'samples' ? samples : Math.max(0, Number(ns));
    let path = '';
    for (const key of [thread, ...keys]) {
      path += `;${key}`;
      if (weight > 0) widths[path] = (widths[path] ?? 0) + weight;
    }
  }
  return widths;
}

function randomRange(random: SeededRandom, { samples }: LeanProfile): Pick<Scope, 'range'> {
  if (samples === undefined || samples.length === 0 || samples.origin === undefined || random.below(3) > 0)
    return {};
  const from = FIRST_AT + BigInt(random.below(900));
  return { range: { kind: 'between', from: `${from}`, to: `${from + BigInt(random.below(500))}` } };
}

function expectSums(profile: LeanProfile, stacks: readonly NaiveStack[], where: string): void {
  const { samples, time } = sumSelfValues(profile.selfValues);
  expect(samples, where).toBe(stacks.reduce((sum, each) => sum + each.samples, 0));
  expect(BigInt(time), where).toBe(stacks.reduce((sum, { ns }) => sum + ns, 0n));
}

/** The rows of a table of methods as the lines of `flat`. */
function csvAsFlat(csv: string): string {
  const [, ...rows] = csv.trimEnd().split('\r\n');
  return rows
    .map((row) => {
      const [key, self, total, , , selfNs, totalNs] = row.split(',');
      return `${key.replace(/^"|"$/g, '')}\t${self}\t${total}\t${selfNs}\t${totalNs}\n`;
    })
    .sort()
    .join('');
}
