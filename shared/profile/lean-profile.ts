import { FrameTable } from './frame-table.ts';
import { MethodTable } from './method-table.ts';
import { type NodeIndex, NodeTable } from './node-table.ts';
import { NONE } from './columns.ts';
import { SelfTable } from './self-table.ts';
import { type ThreadIndex, ThreadTable } from './thread-table.ts';
import { TimeColumn } from './time-column.ts';

/**
 * One profile as five append-only tables: threads, methods, frames, call nodes, self values. The aggregator writes it;
 * a mirror rebuilds it from deltas; views read it. Model (specs: Honest Profiler LeanProfile): each thread has a tree;
 * a node is identified by its path of frames and has self and total samples and time.
 *
 *   selfValues ── node ──▶ nodes ── frame ──▶ frames ── method ──▶ methods
 *                        └──── ~frame ──▶ threads
 */
export class LeanProfile {
  readonly threads = new ThreadTable();
  readonly methods = new MethodTable();
  readonly frames = new FrameTable();
  readonly nodes: NodeTable;
  readonly selfValues = new SelfTable();

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
  readonly count: Float64Array<ArrayBuffer>;
  readonly time: TimeColumn;
}

/** One backward sweep; O(nodes), exact. */
export function sumTotals({ nodes, selfValues }: LeanProfile): NodeTotals {
  const { length, parent } = nodes;
  const count = new Float64Array(length);
  const time = new TimeColumn(length);
  for (let self = 0; self < selfValues.length; self++) {
    count[selfValues.node[self]] = selfValues.count[self];
    time.addFrom(selfValues.node[self], selfValues.time, self);
  }
  sweepUp(parent, length, count, time, selfValues.time.sumsStayExact(selfValues.length));
  return { count, time };
}

/**
 * Adds every row's values to its parent's, children first. `areExact`: no sum of times leaves the range in which doubles
 * are exact, see TimeColumn.sumsStayExact.
 */
export function sweepUp(
  parent: Int32Array,
  length: number,
  count: Float64Array,
  time: TimeColumn,
  areExact: boolean,
): void {
  if (areExact) return sweepDoubles(parent, length, count, time.ns);
  for (let row = length - 1; row >= 0; row--) {
    const up = parent[row];
    if (up === NONE) continue;
    count[up] += count[row];
    time.addFrom(up, time, row);
  }
}

/** A separate function with arrays only, so that V8 compiles the loop early: most logs are swept once. */
function sweepDoubles(parent: Int32Array, length: number, count: Float64Array, ns: Float64Array): void {
  for (let row = length - 1; row >= 0; row--) {
    const up = parent[row];
    if (up === NONE) continue;
    count[up] += count[row];
    ns[up] += ns[row];
  }
}
