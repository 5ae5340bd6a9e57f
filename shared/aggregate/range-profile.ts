import type { FrameTable } from '../profile/frame-table.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { MethodTable } from '../profile/method-table.ts';
import type { NodeTable } from '../profile/node-table.ts';
import type { SelfTable } from '../profile/self-table.ts';
import type { ThreadTable } from '../profile/thread-table.ts';
import type { TimeColumn } from '../profile/time-column.ts';

/**
 * The profile of one byte range of an input, as rows without look-up tables, so that it can be transferred to another
 * thread. There `ProfileAggregator.append` appends it to the profile of the input before that range.
 */
export interface RangeProfile {
  readonly threads: Pick<ThreadTable, 'length' | 'idHi' | 'idLo' | 'name'>;
  readonly methods: Pick<MethodTable, 'length' | 'idHi' | 'idLo' | 'names'>;
  readonly frames: Pick<FrameTable, 'length' | 'method' | 'line' | 'bci'>;
  readonly nodes: Pick<NodeTable, 'length' | 'parent' | 'frame'>;
  readonly selfValues: Pick<SelfTable, 'length' | 'node' | 'count'> & {
    readonly time: Pick<TimeColumn, 'ns' | 'bigints'>;
  };
  readonly sampleCount: number;
  readonly deepestStack: number;
}

/** What detachRange needs of an aggregator. */
interface AggregatedRange {
  readonly profile: LeanProfile;
  readonly sampleCount: number;
  readonly deepestStack: number;
}

/** The range, and the buffers to transfer with it: no column is copied. The aggregator must not be used afterwards. */
export function detachRange({ profile, sampleCount, deepestStack }: AggregatedRange): {
  readonly range: RangeProfile;
  readonly buffers: readonly ArrayBuffer[];
} {
  const { threads, methods, frames, nodes, selfValues } = profile;
  const range: RangeProfile = {
    threads: { length: threads.length, idHi: threads.idHi, idLo: threads.idLo, name: threads.name },
    methods: { length: methods.length, idHi: methods.idHi, idLo: methods.idLo, names: methods.names },
    frames: { length: frames.length, method: frames.method, line: frames.line, bci: frames.bci },
    nodes: { length: nodes.length, parent: nodes.parent, frame: nodes.frame },
    selfValues: {
      length: selfValues.length,
      node: selfValues.node,
      count: selfValues.count,
      time: { ns: selfValues.time.ns, bigints: selfValues.time.bigints },
    },
    sampleCount,
    deepestStack,
  };
  const columns = [
    ...[threads.idHi, threads.idLo, methods.idHi, methods.idLo],
    ...[frames.method, frames.line, frames.bci, nodes.parent, nodes.frame],
    ...[selfValues.node, selfValues.count, selfValues.time.ns],
  ];
  return { range, buffers: columns.map(({ buffer }) => buffer) };
}
