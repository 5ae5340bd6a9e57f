import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { EMPTY_STACK_NAME, truncatedFrameName } from '../../text/pseudo-frames.ts';
import { NamedFrames } from '../named-frames.ts';
import type { StackFrame } from '../stack-frame.ts';
import type { ThreadHistory } from './thread-history.ts';
import type { SampleTable, TraceTable } from './traces.ts';

/** Frame in the stacks of a file -> what it is. */
export type FrameOf = (frame: number) => StackFrame;

export interface EmittedSamples {
  /** Sum of the counts of all rows whose trace is in the file. */
  readonly sum: number;
  /** Number of rows whose trace is not in the file. */
  readonly unknownTraces: number;
  /** Samples whose stacks are as deep as the limit. */
  readonly truncatedSamples: number;
  /** Frames of the deepest stack that is counted; 0 if none is. */
  readonly deepestStack: number;
  /** The total of the table minus `sum`. */
  readonly notListed: number;
}

interface StacksAndThreads {
  readonly threads: ThreadHistory;
  readonly traces: TraceTable;
  /** Undefined if unknown. */
  readonly depthLimit: number | undefined;
}

/** Samples that are only in the total of a table are shown in a thread of their own, with a frame of this name. */
const NOT_LISTED = '(not listed)';
const NOT_LISTED_THREAD = -1;
/** Marks of nodes of the tree: a complete stack, or one that is to be grouped as truncated, ends there or below. */
const COMPLETE = 1;
const TRUNCATED = 2;

/**
 * Emits a table of samples to a sink: first the nodes of its stacks, callers before callees, then the counts. With
 * `groupsTruncated`, stacks as deep as the limit are placed below a frame for truncated stacks. An empty stack gets a
 * pseudo frame, so that its samples are not lost.
 */
export function emitSamples(
  sink: SampleSink,
  { threads, traces, depthLimit }: StacksAndThreads,
  frameOf: FrameOf,
  table: SampleTable | undefined,
  valueOf: (count: number, share: number, total: number) => number,
  groupsTruncated: boolean,
): EmittedSamples {
  const indexes = threads.threads.map(({ id }, row) => {
    const thread = sink.thread((id / 2 ** 32) | 0, id | 0);
    sink.nameThread(thread, threads.nameOf(row));
    return thread;
  });
  const { tree } = traces;
  const marks = new Uint8Array(tree.length);
  /** Row of the table -> its trace; NONE if it counts nothing. */
  const traceOf = new Int32Array(table?.length ?? 0);
  let [sum, unknownTraces, truncatedSamples, deepestStack] = [0, 0, 0, 0];
  for (let row = 0; table !== undefined && row < table.length; row++) {
    const count = table.count[row];
    const trace = traces.find(table.trace[row]);
    if (trace === NONE) unknownTraces++;
    traceOf[row] = count === 0 ? NONE : trace;
    if (traceOf[row] === NONE) continue;
    const depth = traces.depth[trace];
    const isTruncated = depth === depthLimit;
    threads.threads[traces.thread[trace]].samples += count;
    sum += count;
    if (isTruncated) truncatedSamples += count;
    deepestStack = Math.max(deepestStack, depth);
    marks[traces.leaf[trace]] |= isTruncated && groupsTruncated ? TRUNCATED : COMPLETE;
  }
  const { parent, frame } = tree;
  markCallers(marks, parent);

  const frames = new SinkFrames(sink, frameOf);
  const placed = (mark: number, top?: string): Int32Array => {
    const nodes = new Int32Array(tree.length);
    const depths = new Int32Array(tree.length);
    for (let from = 1, to = 2; from < tree.length; from = to++) {
      if ((marks[from] & mark) === 0) continue;
      const caller = parent[from];
      if (caller === 0) {
        const root = sink.root(indexes[frame[from]]);
        nodes[from] = top === undefined ? root : frames.named(root, top);
        depths[from] = top === undefined ? 0 : 1;
        continue;
      }
      // Most callees come next.
      while (to < tree.length && parent[to] === to - 1 && (marks[to] & mark) !== 0) to++;
      let depth = depths[caller];
      for (let node = from; node < to; node++) {
        nodes[node] = frames.of(frame[node]);
        depths[node] = ++depth;
      }
      sink.callees(nodes[caller], depths[from], nodes, from, to);
    }
    return nodes;
  };
  const whole = placed(COMPLETE);
  const hasTruncated = depthLimit !== undefined && (marks[0] & TRUNCATED) !== 0;
  const truncated = hasTruncated ? placed(TRUNCATED, truncatedFrameName(depthLimit)) : whole;
  for (let row = 0; table !== undefined && row < table.length; row++) {
    const trace = traceOf[row];
    if (trace === NONE) continue;
    const depth = traces.depth[trace];
    const count = table.count[row];
    const node = (depth === depthLimit ? truncated : whole)[traces.leaf[trace]];
    const leaf = depth > 0 ? node : frames.named(node, EMPTY_STACK_NAME);
    sink.samplesAt(leaf, count, valueOf(count, table.share[row], table.total));
  }
  const notListed = table === undefined || table.isTimes ? 0 : Math.max(0, table.total - sum) || 0;
  if (notListed > 0) {
    const thread = sink.thread(NOT_LISTED_THREAD, NOT_LISTED_THREAD);
    sink.nameThread(thread, NOT_LISTED);
    sink.samplesAt(frames.named(sink.root(thread), NOT_LISTED), notListed, valueOf(notListed, 0, 0));
  }
  return { sum, unknownTraces, truncatedSamples, deepestStack, notListed };
}

/** Gives callers the marks of all that they call. */
function markCallers(marks: Uint8Array, parent: Int32Array): void {
  for (let node = marks.length - 1; node > 0; node--) marks[parent[node]] |= marks[node];
}

/** The frames of a file in the sink. Each is described when it is first needed. */
class SinkFrames {
  readonly #sink: SampleSink;
  readonly #frameOf: FrameOf;
  readonly #names: NamedFrames;
  /** By their numbers, which may be any, but are mostly small. */
  readonly #known: number[] = [];

  constructor(sink: SampleSink, frameOf: FrameOf) {
    this.#sink = sink;
    this.#frameOf = frameOf;
    this.#names = new NamedFrames(sink);
  }

  /** The frame of the sink for a frame of the file. */
  of(frame: number): number {
    return (this.#known[frame >>> 0] ??= this.#describe(frame >>> 0));
  }

  #describe(number: number): number {
    const frame = this.#frameOf(number);
    const { method, line } = this.#names.of(frame);
    return this.#sink.frame(0, method, line, frame.bci);
  }

  /** The callee of a node with a pseudo frame. */
  named(caller: number, methodName: string): number {
    const { method } = this.#names.of({ className: '', methodName, file: '', line: NO_LINE });
    return this.#sink.callee(caller, 1, 0, method, NO_LINE, NO_BCI);
  }
}
