import { profileInScope } from '../support/profile-in-scope.ts';
import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { writeBottomUp, methodTreeOf, callTreeOf, type TreeInput } from '../../shared/export/tree.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import { CallTree } from '../../shared/engine/trees/call-tree.ts';
import { calleesOf, callersOf } from '../../shared/engine/trees/callers.ts';
import { Chains } from '../../shared/engine/trees/chains.ts';
import type { RowTree } from '../../shared/engine/trees/row-tree.ts';
import { FRAME_GROUPINGS, type TreeGrouping, THREAD_GROUPINGS } from '../../shared/engine/trees/grouping.ts';
import { BottomUpSums } from '../../shared/engine/values/bottom-up-sums.ts';
import { ChainSums } from '../../shared/engine/values/value-columns.ts';
import { sumCallees, sumCallers, RowSums } from '../../shared/engine/values/row-sums.ts';
import type { SelfValues } from '../../shared/engine/values/self-values.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import { formatTree } from '../support/format-tree.ts';
import { randomLog } from '../support/random-log.ts';
import { randomScope, threadNames } from '../support/random-scope.ts';
import { readLog } from '../support/read-log.ts';
import { recordedLogs } from '../support/recorded-logs.ts';
import { readModel } from '../support/reference-model.ts';
import { scopedStacks } from '../support/scoped-stacks.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('bottom-up');
const EVERYTHING: Scope = { threads: [], transforms: [] };

/** Rows of a tree by their paths, with the sums of what is added to them. */
class RowsByPath {
  /** Row above and key -> row. A path as one text takes as many bytes as there are names on it. */
  readonly #rows = new Map<string, number>();
  readonly #above: number[] = [];
  readonly #keys: string[] = [];
  readonly #sums: bigint[][] = [];

  /** The row of a key below a row, or below none: NONE. */
  rowOf(above: number, key: string): number {
    const text = `${above} ${key}`;
    const row = this.#rows.get(text) ?? this.#rows.size;
    this.#rows.set(text, row);
    this.#above[row] = above;
    this.#keys[row] = key;
    return row;
  }

  /** Self count, total count, self time, total time. */
  add(row: number, values: readonly bigint[]): void {
    const before = this.#sums.at(row);
    this.#sums[row] = values.map((value, at) => value + (before?.[at] ?? 0n));
  }

  /** Rows with other sums than here, or that are missing in one of both: as text. */
  differences(other: RowsByPath): readonly string[] {
    const differing: string[] = [];
    /** Row here -> row there. */
    const rows = new Map<number, number | undefined>([[NONE, NONE]]);
    for (const [row, sums] of this.#sums.entries()) {
      const above = rows.get(this.#above[row]);
      const found = above === undefined ? undefined : other.#rows.get(`${above} ${this.#keys[row]}`);
      rows.set(row, found);
      const expected = found === undefined ? 'no row' : other.#sums[found].join(' ');
      if (sums.join(' ') !== expected)
        differing.push(`${this.#path(row)}: ${sums.join(' ')}, not ${expected}`);
    }
    if (this.#rows.size !== other.#rows.size)
      differing.push(`${this.#rows.size} of ${other.#rows.size} rows`);
    return differing;
  }

  #path(row: number): string {
    const keys: string[] = [];
    for (let at = row; at !== NONE; at = this.#above[at]) keys.push(this.#keys[at]);
    return JSON.stringify(keys.reverse());
  }
}

/** The tree from stacks in plain maps. */
function expectedRows(stacks: ReadonlyMap<string, string>, threads: TreeGrouping['threads']): RowsByPath {
  const rows = new RowsByPath();
  for (const [stack, values] of stacks) {
    const [thread, ...keys] = JSON.parse(stack) as string[];
    const [count, ns] = values.split(' ').map(BigInt);
    let row: number = NONE;
    for (const key of [threads === 'all' ? 'All Threads' : thread, ...keys].reverse()) {
      const isRoot = row === NONE;
      row = rows.rowOf(row, key);
      rows.add(row, isRoot ? [count, count, ns, ns] : [0n, count, 0n, ns]);
    }
  }
  return rows;
}

/** That of canonical text. A thread and a method of one name are one path, as in the maps. */
function writtenRows(
  profile: LeanProfile,
  grouping: Pick<TreeInput, 'threads' | 'frames'>,
  values: SelfValues,
): RowsByPath {
  const text = collectText((sink) => writeBottomUp({ profile, ...grouping, filter: KEEP_ALL, values }, sink));
  const rows = new RowsByPath();
  const path: number[] = [];
  // Random names may contain tabs and line breaks.
  for (const line of text.split(/\n(?=\d+\t|$)/).slice(0, -1)) {
    const [depth, ...cells] = line.split('\t');
    path.length = Number(depth);
    path.push(rows.rowOf(path.at(-1) ?? NONE, cells.slice(0, -4).join('\t')));
    rows.add(path.at(-1)!, cells.slice(-4).map(BigInt));
  }
  return rows;
}

test('on 200 random profiles it equals a count over raw samples, in every grouping and scope', () => {
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(scenario);
    const bytes = randomLog(random, { traces: 40, maxDepth: 20, methods: random.pick([3, 8]) });
    const { profile } = readLog(bytes);
    const model = readModel(bytes);
    const names = threadNames(profile);
    const frames = random.pick(FRAME_GROUPINGS);
    const scope = random.below(2) === 0 ? EVERYTHING : randomScope(random, model, frames);
    const { stacks } = scopedStacks(model, scope, frames, (id) => names.get(id) ?? '?');
    const inScope = profileInScope(profile, scope, frames);
    for (const threads of ['all', 'name'] as const) {
      expect(
        writtenRows(inScope.profile, { threads, frames }, inScope.values).differences(
          expectedRows(stacks, threads),
        ),
        `SEED=${seed} scenario ${scenario} ${threads} ${frames} ${JSON.stringify(scope)}`,
      ).toEqual([]);
    }
  }
});

test.each(recordedLogs())('$name: it equals a count over raw samples', (recorded) => {
  const bytes = recorded.bytes();
  const { profile } = readLog(bytes);
  const names = threadNames(profile);
  const { stacks } = scopedStacks(readModel(bytes), EVERYTHING, 'fqmn', (id) => names.get(id) ?? '?');
  const grouping = { threads: 'name', frames: 'fqmn' } as const;
  const written = writtenRows(profile, grouping, profile.selfValues);
  expect(written.differences(expectedRows(stacks, 'name'))).toEqual([]);
});

test('one that grew with its profile equals one that was made at the end', () => {
  for (let scenario = 0; scenario < testSize(50, 500); scenario++) {
    const random = randomFor(1_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const log = randomLog(random, { traces: 60, maxDepth: 20, methods: random.pick([3, 12]) });
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    const { profile } = aggregator;
    const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: random.pick(FRAME_GROUPINGS) };
    const hasThreads = random.below(2) > 0;
    const calls = new RowSums(new CallTree(profile, grouping), profile.selfValues);
    let grown = new BottomUpSums(calls, hasThreads);
    for (let at = 0; at < log.length;) {
      const end = Math.min(log.length, at + 1 + random.below(log.length / 3));
      decoder.append(log.subarray(at, end));
      decoder.emitOpen(end === log.length);
      at = end;
      const isRenumbered = calls.tree.update() === 'renumbered';
      calls.update();
      if (isRenumbered) grown = new BottomUpSums(calls, hasThreads);
      const ids = Array.from({ length: grown.tree.length }, (_, row) => grown.tree.label(row));
      grown.update();
      ids.forEach((label, row) => expect(grown.tree.label(row), where).toBe(label));
      const anew = new BottomUpSums(callTreeOf(profile, grouping), hasThreads);
      anew.update();
      expect(formatTree(grown), where).toEqual(formatTree(anew));
      // A row is found by its stack end wherever the same profile is read.
      for (let row = 0; row < grown.tree.length; row++) {
        if (!grown.isShown(row)) continue;
        const found = anew.tree.stackEnds!.rowOf(grown.tree.stackEnds!.of(row));
        expect(labelsTo(anew.tree, found), where).toEqual(labelsTo(grown.tree, row));
      }
    }
  }
});

function labelsTo(tree: RowTree, row: number): readonly string[] {
  const labels: string[] = [];
  for (let at = row; at !== NONE; at = tree.parent[at]) labels.push(`${tree.kind(at)} ${tree.label(at)}`);
  return labels;
}

test('callers and callees over the rows of a call tree equal those over call nodes', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(2_000 + scenario);
    const { profile } = readLog(
      randomLog(random, { traces: 40, maxDepth: 25, methods: random.pick([3, 8]) }),
    );
    const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: random.pick(FRAME_GROUPINGS) };
    const { tree } = callTreeOf(profile, grouping);
    const chains = new Chains(profile, tree);
    chains.update();
    const sums = new ChainSums(chains);
    sums.update(profile.selfValues);
    const { keys } = tree;
    if (keys.length === 0) continue;
    const key = random.below(keys.length);
    for (const recursion of ['once', 'per-level'] as const) {
      const options = { chains, keys, key, recursion, threads: grouping.threads };
      const where = `SEED=${seed} scenario ${scenario} ${recursion}`;
      const method = keys.labels[key];
      const ofNodes = (direction: 'callers' | 'callees'): string[] =>
        formatTree(methodTreeOf(profile, { direction, method, ...grouping, recursion })!);
      expect(formatTree(sumCallers(callersOf(profile, options), sums)), where).toEqual(ofNodes('callers'));
      expect(formatTree(sumCallees(calleesOf(options), sums)), where).toEqual(ofNodes('callees'));
    }
  }
});
