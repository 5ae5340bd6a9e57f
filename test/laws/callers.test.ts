import { profileInScope } from '../support/profile-in-scope.ts';
import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { flatProfileOf } from '../../shared/export/flat.ts';
import { methodTreeOf } from '../../shared/export/tree.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import {
  FRAME_GROUPINGS,
  type FrameGrouping,
  THREAD_GROUPINGS,
  type ThreadGrouping,
} from '../../shared/engine/trees/grouping.ts';
import { frameKey, threadKey } from '../../shared/engine/trees/keys.ts';
import type { MethodSums } from '../../shared/engine/values/row-sums.ts';
import { randomLog } from '../support/random-log.ts';
import { randomScope, threadNames } from '../support/random-scope.ts';
import { GOLDEN_LOGS, goldenLog, readLog } from '../support/read-log.ts';
import { type Model, modelKey, readModel } from '../support/reference-model.ts';
import { scopedStacks } from '../support/scoped-stacks.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('callers');

type Values = [selfCount: number, totalCount: number, selfTime: bigint, totalTime: bigint];

/**
 * The same, sample by sample: for each occurrence that counts the keys on the way up or down, in plain maps. A line is
 * a path from the method with its values.
 */
function modelLines(
  model: Model,
  direction: 'callers' | 'callees',
  recursion: 'once' | 'per-level',
  frames: FrameGrouping,
  method: string,
): string[] {
  return linesOf(
    model.samples.map(({ stack, ns }) => ({
      end: 'All Threads',
      keys: stack.map((frame) => modelKey(model, frame, frames)),
      samples: 1,
      ns,
    })),
    direction,
    recursion,
    method,
  );
}

/** Samples of one stack. */
interface Stack {
  /** The thread at the end of callers. */
  readonly end: string;
  /** Root first. */
  readonly keys: readonly string[];
  readonly samples: number;
  readonly ns: bigint;
}

function linesOf(
  stacks: readonly Stack[],
  direction: 'callers' | 'callees',
  recursion: 'once' | 'per-level',
  method: string,
): string[] {
  const paths = new Map<string, Values>();
  const add = (path: readonly string[], values: Values): void => {
    const sums = paths.get(JSON.stringify(path)) ?? [0, 0, 0n, 0n];
    paths.set(JSON.stringify(path), [
      sums[0] + values[0],
      sums[1] + values[1],
      sums[2] + values[2],
      sums[3] + values[3],
    ]);
  };
  for (const { end, keys, samples, ns } of stacks) {
    const places = [...keys.keys()].filter((at) => keys[at] === method);
    for (const at of recursion === 'once' ? places.slice(0, 1) : places) {
      const isLeaf = at === keys.length - 1;
      const onward = direction === 'callers' ? [...keys.slice(0, at).reverse(), end] : keys.slice(at + 1);
      add([method], [isLeaf ? samples : 0, samples, isLeaf ? ns : 0n, ns]);
      onward.forEach((_, index) => {
        const ends = direction === 'callees' && index === onward.length - 1;
        add([method, ...onward.slice(0, index + 1)], [ends ? samples : 0, samples, ends ? ns : 0n, ns]);
      });
    }
  }
  return [...paths].map(([path, values]) => `${path} ${values.join(' ')}`).sort();
}

/** The rows of a tree as paths from the root, with their values. */
function pathsOf(sums: MethodSums): string[] {
  const { tree } = sums;
  const paths: string[][] = [];
  for (let row = 0; row < tree.length; row++) {
    const parent = tree.parent[row];
    paths.push([...(parent === NONE ? [] : paths[parent]), tree.label(row)]);
  }
  return paths
    .map((path, row) => {
      const values = [
        sums.selfCount[row],
        sums.totalCount[row],
        sums.selfTime.exact(row),
        sums.totalTime.exact(row),
      ];
      return `${JSON.stringify(path)} ${values.join(' ')}`;
    })
    .sort();
}

test('callers and callees equal a count sample by sample, once or per level, in all groupings', () => {
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(scenario);
    const bytes = randomLog(random, { traces: 30, maxDepth: 25, methods: random.pick([3, 8]) });
    const { profile } = readLog(bytes);
    const model = readModel(bytes);
    for (const frames of FRAME_GROUPINGS) {
      const { labels } = flatProfileOf(profile, { frames, recursion: 'once' }).keys;
      if (labels.length === 0) continue;
      const method = random.pick(labels);
      for (const direction of ['callers', 'callees'] as const) {
        for (const recursion of ['once', 'per-level'] as const) {
          const grouping = { threads: 'all', frames } as const;
          const options = { direction, method, ...grouping, recursion };
          expect(
            pathsOf(methodTreeOf(profile, options)!),
            `SEED=${seed} scenario ${scenario} ${JSON.stringify(options)}`,
          ).toEqual(modelLines(model, direction, recursion, frames, method));
        }
      }
    }
  }
});

/** A caller and a thread of one name are two rows, and one path in the maps of the model. */
function mergedPaths(lines: readonly string[]): string[] {
  const sums = new Map<string, bigint[]>();
  for (const line of lines) {
    const [, path, values] = /^(.*\]) ([-\d ]+)$/s.exec(line)!;
    const before = sums.get(path);
    sums.set(
      path,
      values.split(' ').map((value, at) => BigInt(value) + (before?.[at] ?? 0n)),
    );
  }
  return Array.from(sums, ([path, values]) => `${path} ${values.join(' ')}`).sort();
}

test('callers and callees over any scope equal a count sample by sample', () => {
  let compared = 0;
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(4_000 + scenario);
    const bytes = randomLog(random, { traces: 40, maxDepth: 20, methods: random.pick([3, 8]) });
    const model = readModel(bytes);
    const { profile: whole } = readLog(bytes);
    const names = threadNames(whole);
    const frames = random.pick(FRAME_GROUPINGS);
    const scope = randomScope(random, model, frames);
    const { stacks } = scopedStacks(model, scope, frames, (id) => names.get(id) ?? '?');
    const { profile, values } = profileInScope(whole, scope, frames);
    const { labels } = flatProfileOf(profile, { frames, recursion: 'once', values }).keys;
    if (labels.length === 0) continue;
    const method = random.pick(labels);
    const threads = random.pick(['all', 'name'] as const);
    for (const direction of ['callers', 'callees'] as const) {
      for (const recursion of ['once', 'per-level'] as const) {
        const options = { direction, method, threads, frames, recursion, values };
        const expected = linesOf(
          Array.from(stacks, ([stack, text]) => {
            const [thread, ...keys] = JSON.parse(stack) as string[];
            const [samples, ns] = text.split(' ');
            const end = threads === 'all' ? 'All Threads' : thread;
            return { end, keys, samples: Number(samples), ns: BigInt(ns) };
          }),
          direction,
          recursion,
          method,
        );
        const where = `SEED=${seed} scenario ${scenario} ${JSON.stringify({ scope, ...options, values: 0 })}`;
        // The root and rows without samples are there whatever is in scope.
        const written = pathsOf(methodTreeOf(profile, options)!).filter((line) => !line.endsWith(' 0 0 0 0'));
        expect(mergedPaths(written), where).toEqual(expected);
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(100);
});

test('built again when the log has grown, a tree has its old rows first, unless a name arrived late', () => {
  let compared = 0;
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(2_000 + scenario);
    const log = randomLog(random, { traces: 40, maxDepth: 25, methods: random.pick([3, 8]) });
    const method = random.pick(
      flatProfileOf(readLog(log).profile, { frames: 'fqmn', recursion: 'once' }).keys.labels,
    );
    const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: 'fqmn' } as const;
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    const { profile } = aggregator;
    const before = new Map<string, Grown>();
    for (let at = 0; at < log.length;) {
      const end = Math.min(log.length, at + 1 + random.below(log.length / 3));
      decoder.append(log.subarray(at, end));
      decoder.emitOpen(end === log.length);
      at = end;
      const names = namesOf(profile, grouping.threads);
      for (const direction of ['callers', 'callees'] as const) {
        for (const recursion of ['once', 'per-level'] as const) {
          const sums = methodTreeOf(profile, { direction, method, ...grouping, recursion });
          if (sums === undefined) continue;
          const { tree } = sums;
          const rows = Array.from(
            { length: tree.length },
            (_, row) => `${tree.parent[row]} ${tree.label(row)}`,
          );
          const old = before.get(direction + recursion);
          before.set(direction + recursion, { rows, names });
          if (old === undefined || [...old.names].some(([of, name]) => names.get(of) !== name)) continue;
          compared++;
          expect(rows.slice(0, old.rows.length), `SEED=${seed} scenario ${scenario}`).toEqual(old.rows);
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(100);
});

/** Rows of a tree, and the names in the profile that it was built from. */
interface Grown {
  readonly rows: readonly string[];
  readonly names: ReadonlyMap<string, string>;
}

/** thread and frame -> their name, in one map. */
function namesOf(profile: LeanProfile, threads: ThreadGrouping): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (let at = 0; at < profile.threads.length; at++)
    names.set(`thread ${at}`, threadKey(profile, at, threads));
  for (let at = 0; at < profile.frames.length; at++) names.set(`frame ${at}`, frameKey(profile, at, 'fqmn'));
  return names;
}

test.each(GOLDEN_LOGS)(
  '%s: every level sums to at most the level above, the root is the flat row',
  (name) => {
    const { profile } = readLog(goldenLog(name));
    const flat = flatProfileOf(profile, { frames: 'fqmn', recursion: 'once' });
    const random = randomFor(1_000);
    for (let round = 0; round < 10; round++) {
      const key = random.below(flat.length);
      for (const direction of ['callers', 'callees'] as const) {
        const method = flat.keys.labels[key];
        const grouping = { threads: 'name', frames: 'fqmn' } as const;
        const sums = methodTreeOf(profile, { direction, method, ...grouping, recursion: 'once' })!;
        const where = `SEED=${seed} ${direction} ${method}`;
        const { tree, totalCount: count } = sums;
        const wrong: string[] = [];
        expect(count[0], where).toBe(flat.totalCount[key]);
        expect(sums.totalTime.exact(0), where).toBe(flat.totalTime.exact(key));
        for (let row = 0; row < tree.length; row++) {
          let below = direction === 'callees' ? sums.selfCount[row] : 0;
          const isEnd = tree.firstChild(row) === NONE;
          for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child))
            below += count[child];
          if ((direction === 'callees' || !isEnd) && below !== count[row])
            wrong.push(`row ${row}: ${below} of ${count[row]}`);
        }
        expect(wrong, where).toEqual([]);
      }
    }
  },
);
