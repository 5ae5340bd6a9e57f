import { expect, test, vi } from 'vitest';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../../../shared/formats/honest-log/decoder.ts';
import type { LeanProfile } from '../../../../shared/profile/lean-profile.ts';
import { rowsLeftOut } from '../../../../shared/scope/filters.ts';
import { CallTree } from '../../../../shared/engine/trees/call-tree.ts';
import { Chains } from '../../../../shared/engine/trees/chains.ts';
import type { GrowingTree } from '../../../../shared/engine/trees/growing-tree.ts';
import { extentOf } from '../../../../shared/engine/trees/row-tree.ts';
import { ChainSums } from '../../../../shared/engine/values/value-columns.ts';
import { MaskedValues } from '../../../../shared/engine/values/masked-values.ts';
import { SelfThreads } from '../../../../shared/engine/values/self-threads.ts';
import type { SelfValues } from '../../../../shared/engine/values/self-values.ts';
import { FlatProfile } from '../../../../shared/engine/views/flat-profile.ts';
import { formatFlat } from '../../../support/format-tree.ts';
import { randomLog } from '../../../support/random-log.ts';
import { SeededRandom } from '../../../support/seeded-random.ts';

/** A column that counts how often it is read. */
function counted(column: Int32Array, onRead: () => void): Int32Array {
  return new Proxy(column, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) onRead();
      return Reflect.get(target, name, target) as unknown;
    },
  });
}

/** Reads of frames. */
let reads = 0;

class CountedChains extends Chains {
  override get frame(): Int32Array {
    return counted(super.frame, () => reads++);
  }
}

function profileOf(seed: number): { readonly profile: LeanProfile; readonly grow: () => void } {
  const bytes = randomLog(new SeededRandom(seed), { traces: 120, maxDepth: 40, methods: 2 });
  const aggregator = new ProfileAggregator();
  const decoder = new HonestLogDecoder(aggregator);
  decoder.append(bytes.subarray(0, bytes.length / 2));
  const grow = (): void => {
    decoder.append(bytes.subarray(bytes.length / 2));
    decoder.emitOpen(true);
  };
  return { profile: aggregator.profile, grow };
}

/** The values without some rows. */
function masked(profile: LeanProfile, isLeftOut: (row: number) => boolean): SelfValues {
  const values = new MaskedValues(profile.selfValues);
  values.update(Uint8Array.from({ length: profile.selfValues.length }, (_, row) => (isLeftOut(row) ? 1 : 0)));
  return values;
}

test('methods of other values are summed over the frames that count, and are those of a new list', () => {
  let exact = 0;
  for (let scenario = 0; scenario < 20; scenario++) {
    const where = `seed ${scenario}`;
    const { profile, grow } = profileOf(scenario);
    const tree = scenario % 2 === 0 ? undefined : new CallTree(profile, { threads: 'name', frames: 'fqmn' });
    const sumsOf = (values: SelfValues, of: Chains, rows: GrowingTree | undefined): ChainSums => {
      rows?.update();
      of.update();
      const sums = new ChainSums(of);
      sums.update(values);
      return sums;
    };
    const chains = new CountedChains(profile, tree);
    const flat = new FlatProfile(profile, 'fqmn', 'once');
    const readsFor = (values: SelfValues): number => {
      reads = 0;
      flat.update(values, () => sumsOf(values, chains, tree));
      const fresh = new FlatProfile(profile, 'fqmn', 'once');
      fresh.update(values, () => sumsOf(values, new Chains(profile, tree), tree));
      expect(formatFlat(flat), where).toEqual(formatFlat(fresh));
      return reads;
    };
    for (const isGrown of [false, true]) {
      if (isGrown) grow();
      const all = readsFor(masked(profile, () => false));
      const third = readsFor(masked(profile, (row) => row % 3 === 0));
      const few = readsFor(masked(profile, (row) => row > 3));
      // Times of broken clocks are summed exactly, frame by frame.
      if (!profile.selfValues.time.sumsStayExact(profile.selfValues.length)) continue;
      expect(third, where).toBeLessThan(0.5 * all);
      expect(few, where).toBeLessThan(0.1 * all);
      exact++;
    }
  }
  expect(exact).toBeGreaterThan(15);
});

test('each row is looked at once for all choices of threads, also after growth', () => {
  const { profile, grow } = profileOf(1);
  const { nodes, selfValues, threads } = profile;
  let looks = 0;
  const selfThreads = new SelfThreads({
    get parent() {
      looks++;
      return nodes.parent;
    },
    get frame() {
      return nodes.frame;
    },
  });
  const rootOf = (node: number): number => (nodes.isRoot(node) ? node : rootOf(nodes.parent[node]));
  const expectAll = (): void => {
    const expected = Array.from(
      { length: selfValues.length },
      (_, row) => ~nodes.frame[rootOf(selfValues.node[row])],
    );
    expect(Array.from(selfThreads.of(selfValues))).toEqual(expected);
  };
  expectAll();
  const first = looks;
  for (let thread = 0; thread < threads.length; thread++)
    rowsLeftOut(profile, selfThreads, [`/${thread}/`], selfValues);
  expect(looks).toBe(first);
  // Fewer rows, as of a state before growth.
  expect(selfThreads.of({ node: selfValues.node.slice(0, 3), length: 3 })).toHaveLength(3);
  expectAll();
  expect(looks).toBe(first);
  grow();
  expectAll();
  // Other rows: two logs that are joined anew.
  const reversed = selfValues.node.slice(0, selfValues.length).reverse();
  expect(selfThreads.of({ node: reversed, length: reversed.length })[0]).toBe(
    ~nodes.frame[rootOf(reversed[0])],
  );
});

test('chains of rows that were prefetched are only numbered by the update', () => {
  const aggregator = new ProfileAggregator();
  const { profile } = aggregator;
  const thread = aggregator.thread(0, 1);
  const sample = (method: number): void =>
    void aggregator.samples(thread, Int32Array.of(0, method, 0, 0, 0, 1, 0, 0), 2, 1, 1);
  sample(2);
  const tree = new CallTree(profile, { threads: 'name', frames: 'fqmn' });
  const chains = new Chains(profile, tree);
  tree.update();
  chains.update();
  for (let method = 3; method < 9; method++) sample(method);
  const before = chains.length;
  const extent = extentOf(profile);
  tree.prefetch(extent, Infinity);
  chains.prefetch(extent, Infinity);
  const lookUps = vi.spyOn(tree, 'rowsOfNodes');
  tree.update();
  chains.update();
  expect(lookUps.mock.calls.map(([, selfValues]) => selfValues)).toEqual([0]);
  expect(chains.length).toBeGreaterThan(before);
});

test('leaves of rows that are far ahead are marked with these rows, and not lost before', () => {
  const aggregator = new ProfileAggregator();
  const { profile } = aggregator;
  const thread = aggregator.thread(0, 1);
  // Each method has a sample at each of its three levels: no two of its rows are in one chain.
  const samples = (method: number): void => {
    for (const depth of [1, 2, 3]) {
      const frames = Array.from({ length: depth }, () => [0, method, 0, 0]).flat();
      aggregator.samples(thread, Int32Array.from(frames), depth, 1, 1);
    }
  };
  samples(1);
  const tree = new CallTree(profile, { threads: 'all', frames: 'fqmn' });
  const chains = new Chains(profile, tree);
  tree.update();
  chains.update();
  for (let method = 2; method < 2_000; method++) samples(method);
  tree.prefetch(extentOf(profile), Infinity);
  // Fewer rows than what their bits have room for, of several times as many.
  chains.prefetch(extentOf(profile), 10);
  tree.update();
  chains.update();
  const anew = new Chains(profile, tree);
  anew.update();
  expect(chains.length).toBe(tree.length);
  expect([...chains.start.subarray(0, chains.length)]).toEqual([...anew.start.subarray(0, anew.length)]);
});
