import { FrameTable } from './frame-table.ts';
import { MethodTable } from './method-table.ts';
import { type NodeIndex, NodeTable } from './node-table.ts';
import { NONE, FIRST_ROWS, grown, nextCapacity } from './columns.ts';
import type { SampleTable } from './sample-table.ts';
import { hasValues, SelfTable } from './self-table.ts';
import { TimeColumn } from './time-column.ts';

/**
 * A profile as five append-only tables: threads, methods, frames, call nodes, self values. An aggregator builds it from
 * samples, and a copy of it is built from deltas. The model is Honest Profiler's LeanProfile (specs): each thread has a
 * call tree; a node is identified by its path of frames, and has self and total samples and time. If asked for, a sixth
 * table says when each sample was taken.
 *
 *   selfValues ── node ──▶ nodes ── frame ──▶ frames ── method ──▶ methods
 *                        └──── ~frame ──▶ threads
 */
export class LeanProfile {
  readonly threads = new ThreadTable();
  readonly methods: MethodTable;
  readonly frames: FrameTable;
  readonly nodes = new NodeTable();
  readonly selfValues: SelfTable;
  /** Undefined if nobody asked for it. */
  readonly samples: SampleTable | undefined;

  /** `isComplete`: see SelfValues. `of`: the profile whose methods and frames these are; undefined: it has its own. */
  constructor(isComplete = true, samples?: SampleTable, of?: Pick<LeanProfile, 'methods' | 'frames'>) {
    this.methods = of?.methods ?? new MethodTable();
    this.frames = of?.frames ?? new FrameTable();
    this.selfValues = new SelfTable(isComplete);
    this.samples = samples;
  }

  /** Creates the root node of a thread. */
  appendRoot(thread: ThreadIndex): NodeIndex {
    const root = this.nodes.append(NONE, ~thread);
    this.threads.root[thread] = root;
    return root;
  }
}

/** Node -> row of its thread. */
export function threadsOfNodes({ parent, frame, length }: NodeTable): Int32Array {
  const threadOf = new Int32Array(length);
  for (let node = 0; node < length; node++)
    threadOf[node] = parent[node] === NONE ? ~frame[node] : threadOf[parent[node]];
  return threadOf;
}

/**
 * Node -> 1 for those that have samples or time, and for their callers; 0 for the others. Sums of times can be zero
 * although their parts are not, and a node can have time without a sample. `leaves`: further nodes, or NONE.
 */
export function nodesWithValues(
  { nodes, selfValues }: LeanProfile,
  values: Pick<SelfTable, 'length'> & {
    readonly node: ArrayLike<number>;
    readonly count: ArrayLike<number>;
    readonly time: Pick<TimeColumn, 'ns'>;
  } = selfValues,
  leaves: ArrayLike<number> = [],
): Uint8Array {
  const has = new Uint8Array(nodes.length);
  for (let row = 0; row < values.length; row++) if (hasValues(values, row)) has[values.node[row]] = 1;
  for (let at = 0; at < leaves.length; at++) if (leaves[at] !== NONE) has[leaves[at]] = 1;
  for (let node = nodes.length - 1; node > 0; node--)
    if (has[node] === 1 && nodes.parent[node] !== NONE) has[nodes.parent[node]] = 1;
  return has;
}

/** Number of threads in which samples without a frame ended, as a scope may leave them. Some formats cannot hold these. */
export function threadsWithoutFrames({ nodes, selfValues }: LeanProfile): number {
  let threads = 0;
  for (let self = 0; self < selfValues.length; self++)
    if (nodes.isRoot(selfValues.node[self]) && hasValues(selfValues, self)) threads++;
  return threads;
}

/** Totals of every node: its self values and those of all nodes below it. Rows as in the NodeTable. */
interface NodeTotals {
  readonly count: Float64Array<ArrayBuffer>;
  readonly time: TimeColumn;
}

/** Exact totals of all nodes, in one pass from the last node to the first; O(nodes). */
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

/** A separate function with arrays only, so that V8 compiles the loop early: it usually runs only once for a log. */
function sweepDoubles(parent: Int32Array, length: number, count: Float64Array, ns: Float64Array): void {
  for (let row = length - 1; row >= 0; row--) {
    const up = parent[row];
    if (up === NONE) continue;
    count[up] += count[row];
    ns[up] += ns[row];
  }
}

/** Row of the ThreadTable: threads in order of first appearance, dense from 0. */
export type ThreadIndex = number;

/**
 * The threads of a log, those without samples, too.
 *
 *   row   idHi,idLo            name          root
 *   0     -140552873257576     ''            0       has a thread record with an empty name
 *   1     20458                'main'        1
 *   2     77                   undefined     7       has samples, but no thread record
 *   3     91                   'reaper'     -1       has a thread record, but no samples
 */
class ThreadTable {
  length = 0;
  /** Halves of the signed 64-bit thread id. */
  idHi = new Int32Array(FIRST_ROWS);
  idLo = new Int32Array(FIRST_ROWS);
  /** -> row of the NodeTable, the thread's root; NONE until its first trace starts. */
  root = new Int32Array(FIRST_ROWS);
  /** The last non-empty name in the log; '' if all its names were empty; undefined if there was none. */
  readonly name: (string | undefined)[] = [];
  /** The log that the thread was in, where several are merged with their threads apart; undefined otherwise. */
  readonly group: (string | undefined)[] = [];

  append(idHi: number, idLo: number): ThreadIndex {
    const row = this.length;
    if (row === this.idHi.length) {
      const capacity = nextCapacity(row, row + 1);
      this.idHi = grown(this.idHi, capacity);
      this.idLo = grown(this.idLo, capacity);
      this.root = grown(this.root, capacity);
    }
    this.idHi[row] = idHi;
    this.idLo[row] = idLo;
    this.root[row] = NONE;
    this.name.push(undefined);
    this.group.push(undefined);
    this.length = row + 1;
    return row;
  }
}
