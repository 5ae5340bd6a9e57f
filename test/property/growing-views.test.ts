import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { flatProfileOf } from '../../shared/export/flat.ts';
import { callTreeOf } from '../../shared/export/tree.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { NONE } from '../../shared/profile/columns.ts';
import { type LeanProfile, sumTotals } from '../../shared/profile/lean-profile.ts';
import { CallTree } from '../../shared/views/call-tree.ts';
import { FlameMeasures } from '../../shared/views/flame-measures.ts';
import { FlatProfile } from '../../shared/views/flat-profile.ts';
import { FRAME_GROUPINGS, METRICS, THREAD_GROUPINGS } from '../../shared/views/grouping.ts';
import { NodeRuns } from '../../shared/views/node-runs.ts';
import { formatFlat, formatTree } from '../support/format-tree.ts';
import { randomLog } from '../support/random-log.ts';
import { testSeed } from '../support/test-seed.ts';
import { addWeighedSamples } from '../support/weighed-samples.ts';

const { seed, randomFor } = testSeed('growing-views');

test('views that grew with their profile equal views that were made at the end', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(scenario);
    const log = randomLog(random, { traces: 60, maxDepth: 30, methods: random.pick([3, 12]) });
    const where = `SEED=${seed} scenario ${scenario}`;
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    const { profile } = aggregator;
    const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: random.pick(FRAME_GROUPINGS) };
    const tree = new CallTree(profile, grouping);
    const allThreads = { threads: 'all', frames: grouping.frames } as const;
    const ofTree = new CallTree(profile, allThreads, tree);
    const flat = new FlatProfile(profile, grouping.frames, 'once');
    const runs = new NodeRuns(profile);
    const flatOfRows = new FlatProfile(profile, grouping.frames, 'once');
    const runsOfRows = new NodeRuns(profile, tree);
    const measures = new FlameMeasures(tree, random.pick(METRICS));
    for (let at = 0; at < log.length;) {
      const end = Math.min(log.length, at + 1 + random.below(log.length));
      decoder.append(log.subarray(at, end));
      // The open trace is counted provisionally, and taken back by the next piece.
      decoder.settle(end === log.length);
      at = end;
      // What is done ahead shows with the update and not before. Some names come after it.
      const shown = formatTree(tree);
      const shownOfTree = formatTree(ofTree);
      while (random.below(2) > 0) {
        const { nodes, frames } = profile;
        const whole = random.below(2) > 0;
        const ahead = whole ? nodes.length : random.below(nodes.length + 1);
        tree.takeAhead(ahead, frames.length, 1 + random.below(nodes.length + 1));
        if (random.below(2) > 0) ofTree.takeAhead(ahead, frames.length, 1 + random.below(nodes.length + 1));
        expect(formatTree(tree), where).toEqual(shown);
        expect(formatTree(ofTree), where).toEqual(shownOfTree);
      }
      tree.update();
      // Now and then it lags behind the tree that it is made of.
      if (random.below(3) > 0 || at === log.length) {
        ofTree.update();
        const ofNodes = callTreeOf(profile, allThreads);
        expect(formatTree(ofTree), where).toEqual(formatTree(ofNodes));
        expect(rowsOf(ofTree, profile), where).toEqual(rowsOf(ofNodes, profile));
      }
      runs.update();
      flat.update(() => runs);
      checkRuns(profile, runs, where);
      expect(tree.isCurrent, where).toBe(true);
      runsOfRows.update();
      flatOfRows.update(() => runsOfRows);
      expect(formatFlat(flatOfRows), where).toEqual(formatFlat(flat));
      measures.update();
      const measuredAnew = new FlameMeasures(tree, measures.metric);
      measuredAnew.update();
      expect([...measures.weights], where).toEqual([...measuredAnew.weights]);
      expect([...measures.sizes], where).toEqual([...measuredAnew.sizes]);
      expect(formatTree(tree), where).toEqual(formatTree(callTreeOf(profile, grouping)));
      expect(formatFlat(flat), where).toEqual(
        formatFlat(flatProfileOf(profile, { frames: grouping.frames, recursion: 'once' })),
      );
    }
  }
});

test('views of weighed samples that grew equal views that were made at the end, digit by digit', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(5_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const aggregator = new ProfileAggregator();
    const { profile } = aggregator;
    const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: random.pick(FRAME_GROUPINGS) };
    const tree = new CallTree(profile, grouping);
    const flat = new FlatProfile(profile, grouping.frames, 'once');
    const runs = new NodeRuns(profile);
    for (let step = 0; step < 5; step++) {
      addWeighedSamples(aggregator, random, step === 0 ? 100 : 1 + random.below(4));
      tree.update();
      runs.update();
      flat.update(() => runs);
      checkRuns(profile, runs, where);
      const anew = callTreeOf(profile, grouping);
      expect(cells(tree.totals.count), where).toEqual(cells(anew.totals.count));
      expect(formatTree(tree), where).toEqual(formatTree(anew));
      expect(formatFlat(flat), where).toEqual(
        formatFlat(flatProfileOf(profile, { frames: grouping.frames, recursion: 'once' })),
      );
    }
  }
});

/** Each row's first node, and each node's row. */
function rowsOf(tree: CallTree, { nodes }: LeanProfile): readonly (readonly number[])[] {
  return [
    [...tree.firstNode.subarray(0, tree.length)],
    Array.from({ length: nodes.length }, (_, node) => tree.rowOf(node)),
  ];
}

const cells = (column: Float64Array): number[] => Array.from(column);

/** Every node is in one run, runs hang together as their nodes do, and a run's totals are its nodes'. */
function checkRuns(profile: LeanProfile, runs: NodeRuns, where: string): void {
  const totals = sumTotals(profile);
  for (let run = 0; run < runs.length; run++) {
    const first = runs.start[run];
    const up = profile.nodes.parent[first];
    expect(runs.parent[run], where).toBe(up === NONE ? NONE : runs.of(up));
    if (up !== NONE) expect(runs.start[runs.of(up) + 1] - 1, where).toBe(up);
    for (let node = first; node < runs.start[run + 1]; node++) {
      expect(runs.of(node), where).toBe(run);
      if (node > first) expect(profile.nodes.parent[node], where).toBe(node - 1);
      expect([runs.count[run], runs.time.exact(run)], where).toEqual([
        totals.count[node],
        totals.time.exact(node),
      ]);
    }
  }
  expect(runs.start[runs.length], where).toBe(profile.nodes.length);
}
