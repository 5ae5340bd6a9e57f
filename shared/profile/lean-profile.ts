import { FrameTable } from './frame-table.ts';
import { MethodTable } from './method-table.ts';
import { type NodeIndex, NodeTable } from './node-table.ts';
import { NONE } from './columns.ts';
import { type ThreadIndex, ThreadTable } from './thread-table.ts';
import { TimeColumn } from './time-column.ts';

/**
 * One profile as four append-only tables: threads, methods, frames, call nodes. The aggregator writes it; a mirror
 * rebuilds it from deltas; views read it. Model: specs, Honest Profiler LeanProfile: per thread a tree, a node's
 * identity is its path of frames, per node self and total samples and time.
 *
 *   threads ◀── ~frame ── nodes ── frame ──▶ frames ── method ──▶ methods
 */
export class LeanProfile {
  readonly threads = new ThreadTable();
  readonly methods = new MethodTable();
  readonly frames = new FrameTable();
  readonly nodes: NodeTable;

  constructor(nodeCapacity?: number) {
    this.nodes = new NodeTable(nodeCapacity);
  }

  /** The root node of a thread, created at the thread's first trace. */
  appendRoot(thread: ThreadIndex): NodeIndex {
    const root = this.nodes.append(NONE, ~thread);
    this.threads.root[thread] = root;
    return root;
  }
}

/** Totals of every node: its own samples and those of everything it called. Rows as in the NodeTable. */
export interface NodeTotals {
  readonly count: Uint32Array<ArrayBuffer>;
  readonly time: TimeColumn;
}

/** One backward sweep; O(nodes), exact. */
export function sumTotals(nodes: NodeTable): NodeTotals {
  const length = nodes.length;
  const count = nodes.selfCount.slice(0, length);
  const time = new TimeColumn(0);
  time.ns = nodes.selfTime.ns.slice(0, length);
  if (nodes.selfTime.wide !== undefined) time.wide = new Map(nodes.selfTime.wide);
  const parent = nodes.parent;
  for (let node = length - 1; node >= 0; node--) {
    const up = parent[node];
    if (up === NONE) continue;
    count[up] += count[node];
    time.addFrom(up, time, node);
  }
  return { count, time };
}
