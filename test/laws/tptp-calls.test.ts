import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { ProfileDecoder } from '../../shared/formats/decoder.ts';
import { TPTP_BINARY } from '../../shared/formats/tptp/format.ts';
import { flatProfileOf } from '../../shared/export/flat.ts';
import { callTreeOf } from '../../shared/export/tree.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { CallTree } from '../../shared/engine/trees/call-tree.ts';
import { THREAD_GROUPINGS } from '../../shared/engine/trees/grouping.ts';
import { RowSums } from '../../shared/engine/values/row-sums.ts';
import { GrowingFlat } from '../support/growing-flat.ts';
import { formatFlat, formatTree } from '../support/format-tree.ts';
import { checkProfile } from '../support/check-profile.ts';
import { leanOf } from '../support/profile-tables.ts';
import { randomCallEvents, traceOfCalls } from '../support/random-calls.ts';
import { referenceCalls } from '../support/reference-calls.ts';
import { sampleLines } from '../support/sample-lines.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { randomFor } = testSeed('tptp calls');
function profileNodes({ profile }: ProfileAggregator): Map<string, number[]> {
  const { nodes, frames, methods, threads, selfValues } = profile;
  const paths: string[] = [];
  const found = new Map<string, number[]>();
  for (let node = 0; node < nodes.length; node++) {
    if (nodes.isRoot(node)) {
      paths.push(String(threads.idLo[~nodes.frame[node]]));
      continue;
    }
    paths.push(
      `${paths[nodes.parent[node]]} > ${methods.names[frames.method[nodes.frame[node]]]?.methodName}`,
    );
    const self = selfValues.find(node);
    if (self >= 0 && selfValues.count[self] > 0)
      found.set(paths[node], [selfValues.count[self], selfValues.time.ns[self]]);
  }
  return found;
}

test('random traces grow the trees that the description of the format says', () => {
  for (let turn = 0; turn < testSize(200, 4_000); turn++) {
    const events = randomCallEvents(randomFor(turn));
    const wanted = referenceCalls(events);
    const input = traceOfCalls(events);
    const aggregators = [false, true].map((usesCpu) => {
      const aggregator = new ProfileAggregator();
      const decoder = TPTP_BINARY.createDecoder(aggregator, usesCpu ? { value: 'cpu' } : {});
      decoder.append(input);
      decoder.emitOpen(true);
      return aggregator;
    });
    const [wall, cpu] = aggregators.map(profileNodes);
    for (const [path, [calls, self, , selfCpu]] of wanted) {
      expect([path, wall.get(path)]).toEqual([path, [calls, self]]);
      expect([path, cpu.get(path)]).toEqual([path, [calls, selfCpu]]);
    }
    expect(wall.size).toBe(wanted.size);
  }
});

test('whatever pauses a stream makes, for a moment or for good, it ends as if it had made none', () => {
  let taken = 0;
  for (let turn = 0; turn < testSize(100, 2_000); turn++) {
    const random = randomFor(10_000 + turn);
    const input = traceOfCalls(randomCallEvents(random));
    const read = (pauses: boolean): unknown => {
      const aggregator = new ProfileAggregator({ journal: true, samples: true });
      const decoder = TPTP_BINARY.createDecoder(aggregator, {});
      const { profile } = aggregator;
      for (let at = 0; at < input.length;) {
        const end = Math.min(input.length, at + (pauses ? 1 + random.below(400) : input.length));
        decoder.append(input.subarray(at, end));
        at = end;
        if (!pauses) continue;
        const before = aggregator.sampleCount;
        decoder.emitOpen(random.below(2) === 0);
        if (random.below(3) === 0) decoder.emitOpen(true);
        taken += aggregator.sampleCount - before;
        expect(checkProfile(profile)).toEqual([]);
        expect(profile.samples?.length).toBe(aggregator.sampleCount);
      }
      decoder.emitOpen(true);
      const { notes, tables, hasSampleTimes } = decoder.facts();
      const { sampleCount } = aggregator;
      return {
        lean: leanOf(profile),
        sampleCount,
        lines: sampleLines(profile),
        notes,
        tables,
        hasSampleTimes,
      };
    };
    expect(read(true)).toEqual(read(false));
  }
  // Calls were ended for a while, indeed.
  expect(taken).toBeGreaterThan(1000);
});

test('views that grew while calls were ended and went on equal views that were made anew', () => {
  for (let turn = 0; turn < 100; turn++) {
    const random = randomFor(20_000 + turn);
    const input = traceOfCalls(randomCallEvents(random));
    const { profile, decoder } = readerOf();
    const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: 'fqmn' } as const;
    const tree = new CallTree(profile, grouping);
    const sums = new RowSums(tree, profile.selfValues);
    const growing = new GrowingFlat(profile, 'fqmn');
    for (let at = 0; at < input.length;) {
      const end = Math.min(input.length, at + 1 + random.below(600));
      decoder.append(input.subarray(at, end));
      decoder.emitOpen(random.below(2) === 0);
      at = end;
      tree.update();
      sums.update();
      growing.update();
      expect(formatTree(sums)).toEqual(formatTree(callTreeOf(profile, grouping)));
      expect(formatFlat(growing.flat)).toEqual(
        formatFlat(flatProfileOf(profile, { frames: 'fqmn', recursion: 'once' })),
      );
    }
  }
});

function readerOf(): { readonly profile: LeanProfile; readonly decoder: ProfileDecoder } {
  const aggregator = new ProfileAggregator();
  return { profile: aggregator.profile, decoder: TPTP_BINARY.createDecoder(aggregator, {}) };
}
