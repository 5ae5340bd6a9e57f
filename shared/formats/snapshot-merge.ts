import { grown, nextCapacity } from '../profile/columns.ts';
import type { SampleSink } from '../aggregate/sample-sink.ts';

/** Cells of a frame in a snapshot's stack: the method's id, line, BCI. */
export const SNAPSHOT_CELLS = 3;

/** Bytes of a thread's path, without its frames. */
const PATH_BYTES = 500;

const NS_PER_MS = 1_000_000n;

/** The latest snapshot of a thread, root first. */
interface ThreadPath {
  sequence: number;
  ms: number;
  length: number;
  cells: Int32Array<ArrayBuffer>;
  nodes: Int32Array<ArrayBuffer>;
}

/**
 * Turns snapshots of stacks into call nodes with counts and durations (specs: skywalking, sections 3 and 4). The time
 * between two consecutive snapshots of a thread belongs to every node that both contain. So it is added as self time to
 * the last node that the two stacks have in common from the root, and totals are the durations of nodes.
 *
 *   sequence   ms   stack      adds 1 to       adds 10 ms to
 *   0          0    A B C      A-B-C
 *   1          10   A B        A-B             A-B
 *   2          20   A B C D    A-B-C-D         A-B         C was seen twice, but never twice in a row: it has 0 ms
 *
 * A snapshot counts at its own time, and so does the time since the one before it.
 *
 * Time between stacks with different outermost frames belongs to no node. A node in n consecutive snapshots gets n - 1
 * of these times.
 */
export class SnapshotMerge {
  /** Steps whose later snapshot has an earlier time. They count as 0 ns. */
  backwardSteps = 0;
  readonly #sink: SampleSink;
  readonly #paths: (ThreadPath | undefined)[] = [];
  /** The first time of a snapshot. */
  #first: { readonly ms: number; readonly ns: bigint } | undefined;

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /**
   * Adds the thread's next snapshot. `stack`: `depth` ≥ 1 frames of SNAPSHOT_CELLS cells, root first, borrowed for the
   * call. `sequence` is higher than in the thread's snapshot before. `ms` is NaN if unknown.
   */
  add(thread: number, sequence: number, ms: number, stack: Int32Array, depth: number): void {
    const path = (this.#paths[thread] ??= newPath());
    const common = commonDepth(path, stack, depth);
    const isNext = path.length > 0 && sequence === path.sequence + 1;
    const step = isNext && common > 0 ? ms - path.ms : 0;
    if (step < 0) this.backwardSteps++;
    if (depth > path.nodes.length) {
      const capacity = nextCapacity(path.nodes.length, depth);
      const isNew = path.nodes.length === 0;
      const bytes = (isNew ? PATH_BYTES : 0) + (capacity - path.nodes.length) * 4 * (1 + SNAPSHOT_CELLS);
      if (!this.#sink.memory.hold(bytes)) return;
      path.nodes = grown(path.nodes, capacity);
      path.cells = grown(path.cells, capacity * SNAPSHOT_CELLS);
    }
    const { nodes } = path;
    let node = common === 0 ? this.#sink.root(thread) : nodes[common - 1];
    for (let level = common; level < depth; level++) {
      const at = level * SNAPSHOT_CELLS;
      node = this.#sink.callee(node, level + 1, 0, stack[at], stack[at + 1], stack[at + 2]);
      nodes[level] = node;
    }
    path.cells.set(stack.subarray(common * SNAPSHOT_CELLS, depth * SNAPSHOT_CELLS), common * SNAPSHOT_CELLS);
    path.length = depth;
    path.sequence = sequence;
    path.ms = ms;
    if (this.#sink.keepsTimes) this.#setTime(ms);
    if (step > 0) this.#sink.sampleAt(node, nanoseconds(step), nodes[common - 1]);
    else this.#sink.sampleAt(node, 0);
  }

  /** Times are relative to the first one, so that they are small numbers. */
  #setTime(ms: number): void {
    if (Number.isNaN(ms)) {
      this.#sink.takenAt(undefined, 0);
      return;
    }
    this.#first ??= { ms, ns: BigInt(ms) * NS_PER_MS };
    const first = this.#first;
    const isExact = Number.isSafeInteger(ms) && Number.isSafeInteger(first.ms);
    if (isExact) this.#sink.takenAt(first.ns, nanoseconds(ms - first.ms));
    else this.#sink.takenAt(first.ns, BigInt(ms) * NS_PER_MS - first.ns);
  }
}

/** Exact for integers of ms, also beyond 2^53 ns. */
export function nanoseconds(ms: number): number | bigint {
  const ns = ms * 1e6;
  return Number.isSafeInteger(ns) ? ns : BigInt(ms) * NS_PER_MS;
}

function newPath(): ThreadPath {
  return { sequence: 0, ms: 0, length: 0, cells: new Int32Array(0), nodes: new Int32Array(0) };
}

function commonDepth({ cells, length }: ThreadPath, stack: Int32Array, depth: number): number {
  const shareable = Math.min(length, depth) * SNAPSHOT_CELLS;
  let at = 0;
  while (at < shareable && cells[at] === stack[at]) at++;
  return Math.floor(at / SNAPSHOT_CELLS);
}
