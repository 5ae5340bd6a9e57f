import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { flatProfileOf } from '../../shared/export/flat.ts';
import { callTreeOf } from '../../shared/export/tree.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { NONE } from '../../shared/profile/columns.ts';
import { type LeanProfile, sumTotals } from '../../shared/profile/lean-profile.ts';
import { CallTree } from '../../shared/engine/trees/call-tree.ts';
import { Chains } from '../../shared/engine/trees/chains.ts';
import { FlameMeasures } from '../../shared/engine/views/flame-measures.ts';
import { FRAME_GROUPINGS, type FrameGrouping, THREAD_GROUPINGS } from '../../shared/engine/trees/grouping.ts';
import { METRICS } from '../../shared/engine/values/metric.ts';
import { compareKeys, frameKey } from '../../shared/engine/trees/keys.ts';
import { FoldedThreadsTree } from '../../shared/engine/trees/folded-threads-tree.ts';
import type { GrowingTree } from '../../shared/engine/trees/growing-tree.ts';
import { extentOf, type RowTree } from '../../shared/engine/trees/row-tree.ts';
import type { ChainSums } from '../../shared/engine/values/value-columns.ts';
import { RowSums } from '../../shared/engine/values/row-sums.ts';
import { parseSearch, type Search } from '../../shared/engine/views/search.ts';
import { GrowingFlat } from '../support/growing-flat.ts';
import { formatFlat, formatTree } from '../support/format-tree.ts';
import { randomLog } from '../support/random-log.ts';
import { ShownProfile } from '../support/shown-profile.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';
import { addWeighedSamples } from '../support/weighed-samples.ts';

const { seed, randomFor } = testSeed('growing-views');

const SCENARIOS = testSize(25, 500);

test('views that grew with their profile equal views that were made at the end', () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(scenario);
    const log = randomLog(random, { traces: 60, maxDepth: 30, methods: random.pick([3, 12]) });
    const where = `SEED=${seed} scenario ${scenario}`;
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    const { profile } = aggregator;
    const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: random.pick(FRAME_GROUPINGS) };
    const tree = new CallTree(profile, grouping);
    const allThreads = { threads: 'all', frames: grouping.frames } as const;
    const sums = new RowSums(tree, profile.selfValues);
    const folded = new FoldedThreadsTree(profile, tree);
    const foldedSums = new RowSums(folded, profile.selfValues);
    const ofNodes = new GrowingFlat(profile, grouping.frames);
    const ofRows = new GrowingFlat(profile, grouping.frames, tree);
    const ofFolded = new Chains(profile, folded);
    const chains = [ofNodes.chains, ofRows.chains, ofFolded];
    const measures = new FlameMeasures(sums, random.pick(METRICS));
    for (let at = 0; at < log.length;) {
      const end = Math.min(log.length, at + 1 + random.below(log.length));
      decoder.append(log.subarray(at, end));
      // The open trace is counted provisionally, and taken back by the next piece.
      decoder.emitOpen(end === log.length);
      at = end;
      // What is prefetched shows with the update and not before. Some names come after it.
      const shown = formatTree(sums);
      const shownFolded = formatTree(foldedSums);
      const shownChains = chains.map(cellsOfChains);
      while (random.below(2) > 0) {
        const whole = extentOf(profile);
        const nodes = random.below(2) > 0 ? whole.nodes : random.below(whole.nodes + 1);
        const { node } = profile.selfValues;
        const beyond = node.subarray(0, whole.selfValues).findIndex((each) => each >= nodes);
        const extent = { ...whole, nodes, selfValues: beyond < 0 ? whole.selfValues : beyond };
        const most = (): number => 1 + random.below(whole.nodes + 1);
        tree.prefetch(extent, most());
        if (random.below(2) > 0) folded.prefetch(extent, most());
        for (const each of chains) if (random.below(2) > 0) each.prefetch(extent, most());
        expect(formatTree(sums), where).toEqual(shown);
        expect(formatTree(foldedSums), where).toEqual(shownFolded);
        expect(chains.map(cellsOfChains), where).toEqual(shownChains);
      }
      tree.update();
      sums.update();
      // Now and then it lags behind the tree that it is made of.
      if (random.below(3) > 0 || at === log.length) {
        folded.update();
        foldedSums.update();
        const anew = callTreeOf(profile, allThreads);
        expect(formatTree(foldedSums), where).toEqual(formatTree(anew));
        expect(rowsOf(folded, profile), where).toEqual(rowsOf(anew.tree, profile));
        ofFolded.update();
        expect(cellsOfChains(ofFolded), where).toEqual(cellsOfChains(chainsAnew(profile, folded)));
      }
      ofNodes.update();
      checkChains(profile, ofNodes.sums, where);
      ofRows.update();
      expect(cellsOfChains(ofRows.chains), where).toEqual(cellsOfChains(chainsAnew(profile, tree)));
      expect(formatFlat(ofRows.flat), where).toEqual(formatFlat(ofNodes.flat));
      measures.update();
      const measuredAnew = new FlameMeasures(sums, measures.metric);
      measuredAnew.update();
      expect([...measures.weights], where).toEqual([...measuredAnew.weights]);
      expect([...measures.sizes], where).toEqual([...measuredAnew.sizes]);
      expect([...measures.heights], where).toEqual([...measuredAnew.heights]);
      const { labels } = tree.keys;
      const sorted = [...labels].sort(compareKeys);
      expect([...measures.order.rankOf.subarray(0, labels.length)], where).toEqual(
        labels.map((label) => sorted.indexOf(label)),
      );
      expect(formatTree(sums), where).toEqual(formatTree(callTreeOf(profile, grouping)));
      expect(formatFlat(ofNodes.flat), where).toEqual(
        formatFlat(flatProfileOf(profile, { frames: grouping.frames, recursion: 'once' })),
      );
    }
  }
});

test('views of weighed samples that grew equal views that were made at the end, digit by digit', () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(5_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const aggregator = new ProfileAggregator();
    const { profile } = aggregator;
    const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: random.pick(FRAME_GROUPINGS) };
    const tree = new CallTree(profile, grouping);
    const sums = new RowSums(tree, profile.selfValues);
    const ofNodes = new GrowingFlat(profile, grouping.frames);
    for (let step = 0; step < 5; step++) {
      addWeighedSamples(aggregator, random, step === 0 ? 100 : 1 + random.below(4));
      tree.update();
      sums.update();
      ofNodes.update();
      checkChains(profile, ofNodes.sums, where);
      const anew = callTreeOf(profile, grouping);
      expect(cells(sums.totalCount), where).toEqual(cells(anew.totalCount));
      expect(formatTree(sums), where).toEqual(formatTree(anew));
      expect(formatFlat(ofNodes.flat), where).toEqual(
        formatFlat(flatProfileOf(profile, { frames: grouping.frames, recursion: 'once' })),
      );
    }
  }
});

test('a search that grew with its log finds what a look at every stack finds', () => {
  for (let scenario = 0; scenario < 2 * SCENARIOS; scenario++) {
    const random = randomFor(9_000 + scenario);
    const log = randomLog(random, { traces: 60, maxDepth: 30, methods: random.pick([3, 12]) });
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    const { profile } = aggregator;
    const shown = new ShownProfile(profile);
    const search = random.pick(['a', 'main', 'UNIDENTIFIED', ':1', '/i.*n/']);
    const frames = random.pick(FRAME_GROUPINGS);
    for (let at = 0; at < log.length;) {
      const end = Math.min(log.length, at + 1 + random.below(log.length));
      decoder.append(log.subarray(at, end));
      decoder.emitOpen(end === log.length);
      at = end;
      const view = shown.at({ search });
      if (random.below(2) > 0) view.sums({ threads: 'name', frames });
      expect(view.found(frames), `SEED=${seed} scenario ${scenario}`).toEqual(
        searched(profile, frames, parseSearch(search)),
      );
    }
  }
});

/** Keys and samples that a search finds, one stack at a time. */
function searched(
  profile: LeanProfile,
  grouping: FrameGrouping,
  search: Search,
): { names: number; samples: number; time: number } {
  const matches = (key: string): boolean => search.problem === undefined && search.ranges([key])[0] >= 0;
  const keys = new Set(
    Array.from({ length: profile.frames.length }, (_, frame) => frameKey(profile, frame, grouping)),
  );
  const { parent, frame } = profile.nodes;
  const { node, count, time, length } = profile.selfValues;
  let samples = 0;
  let ns = 0n;
  for (let self = 0; self < length; self++) {
    let up = node[self];
    while (parent[up] !== NONE && !matches(frameKey(profile, frame[up], grouping))) up = parent[up];
    if (parent[up] === NONE) continue;
    samples += count[self];
    ns += time.exact(self);
  }
  return { names: [...keys].filter(matches).length, samples, time: Number(ns) };
}

/** Each row's id, and each node's row. */
function rowsOf(tree: RowTree, { nodes }: LeanProfile): readonly (readonly number[])[] {
  return [
    Array.from({ length: tree.length }, (_, row) => tree.idOf(row)),
    Array.from({ length: nodes.length }, (_, node) => tree.rowOf(node)),
  ];
}

function chainsAnew(profile: LeanProfile, tree: GrowingTree): Chains {
  const chains = new Chains(profile, tree);
  chains.update();
  return chains;
}

/** The chains, and the chain of each node. */
function cellsOfChains(chains: Chains): readonly (readonly number[])[] {
  const { start, parent, length } = chains;
  const of = Array.from({ length: start[length] }, (_, node) => chains.of(node));
  return [[...start.subarray(0, length + 1)], [...parent.subarray(0, length)], of];
}

const cells = (column: Float64Array): number[] => Array.from(column);

/** Every node is in one chain, chains hang together as their nodes do, and a chain's totals are its nodes'. */
function checkChains(profile: LeanProfile, sums: ChainSums, where: string): void {
  const { chains } = sums;
  const totals = sumTotals(profile);
  // Nodes are too many for an `expect` each.
  const wrong: string[] = [];
  for (let chain = 0; chain < chains.length; chain++) {
    const first = chains.start[chain];
    const up = profile.nodes.parent[first];
    if (chains.parent[chain] !== (up === NONE ? NONE : chains.of(up))) wrong.push(`parent of chain ${chain}`);
    if (up !== NONE && chains.start[chains.of(up) + 1] - 1 !== up) wrong.push(`end above chain ${chain}`);
    for (let node = first; node < chains.start[chain + 1]; node++) {
      if (chains.of(node) !== chain) wrong.push(`chain of node ${node}`);
      if (node > first && profile.nodes.parent[node] !== node - 1) wrong.push(`parent of node ${node}`);
      if (sums.totalCount[chain] !== totals.count[node]) wrong.push(`samples of node ${node}`);
      if (sums.totalTime.exact(chain) !== totals.time.exact(node)) wrong.push(`time of node ${node}`);
    }
  }
  expect(wrong, where).toEqual([]);
  expect(chains.start[chains.length], where).toBe(profile.nodes.length);
}
