import { MemoryBudget } from '../../shared/aggregate/memory-budget.ts';
import { parse } from 'yaml';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import type { SnapshotQuery } from '../../shared/formats/skywalking/choose-snapshots.ts';
import { emitQueried, emitRecording } from '../../shared/formats/skywalking/emit-recording.ts';
import { Snapshots } from '../../shared/formats/skywalking/thread-snapshot.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

/** The limit of snapshots per query in the test of SkyWalking's analyser. */
const MAX_SNAPSHOTS_OF_CASE = 10;

export interface AnalysedCase {
  readonly profile: LeanProfile;
  readonly notes: readonly string[];
}

/**
 * Analyses the test cases of SkyWalking's analyser with this project's. Snapshot n, counted from 0, is at n · limit ms.
 *
 *   list:
 *     - data:
 *         limit: 10
 *         timeRanges: 0-2,4-5
 *         snapshots:
 *           - A-B-C
 */
export function analyseCases(yaml: string): AnalysedCase[] {
  // Failsafe: 20:0 is no number.
  const { list } = parse(yaml, { schema: 'failsafe' }) as {
    readonly list: readonly {
      readonly data: Record<'limit' | 'timeRanges', string> & { snapshots: string[] };
    }[];
  };
  return list.map(({ data }) => {
    const limit = Number(data.limit);
    const queries: SnapshotQuery[] = data.timeRanges.split(',').map((range) => {
      const [from, to] = range.split('-').map(Number);
      return { segment: 0, start: from * limit, end: to * limit };
    });
    const segments = [{ id: '1', start: undefined, end: undefined }];
    const recording = { snapshots: snapshotsOf(data.snapshots, limit), segments };
    const aggregator = new ProfileAggregator();
    const { notes } = emitQueried(recording, queries, MAX_SNAPSHOTS_OF_CASE, aggregator);
    return { profile: aggregator.profile, notes };
  });
}

/** Analyses the test case of SkyWalking's exporter: one segment with spans. */
export function analyseSegment(yaml: string, chosen: Chosen): LeanProfile {
  const read = parse(yaml, { schema: 'failsafe' }) as Record<'segmentId' | 'limit', string> & {
    readonly snapshots: readonly string[];
    readonly spans: readonly Record<'operation' | 'start' | 'end' | 'id' | 'parentId', string>[];
  };
  const spans = read.spans.map(({ operation, start, end, id, parentId }) => ({
    segment: 0,
    id,
    parent: parentId,
    endpoint: operation,
    type: '',
    service: '',
    start: Number(start),
    end: Number(end),
  }));
  const aggregator = new ProfileAggregator();
  const segments = [{ id: read.segmentId, start: undefined, end: undefined }];
  const snapshots = snapshotsOf(read.snapshots, Number(read.limit));
  emitRecording({ snapshots, segments, spans, notes: [] }, chosen, aggregator);
  return aggregator.profile;
}

/** Snapshots of one segment. `stacks`: texts such as `A-B-C`, root first. */
function snapshotsOf(stacks: readonly string[], msBetween: number): Snapshots {
  const snapshots = new Snapshots(new MemoryBudget());
  for (const [sequence, stack] of stacks.entries()) {
    const numbers = Int32Array.from(stack.split('-'), (name) => {
      const bytes = new TextEncoder().encode(name);
      return snapshots.signatures.intern(bytes, 0, bytes.length);
    });
    snapshots.append(0, sequence, sequence * msBetween, numbers, numbers.length);
  }
  return snapshots;
}
