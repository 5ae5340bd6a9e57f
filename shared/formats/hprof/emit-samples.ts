import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { EMPTY_STACK_NAME, truncatedFrameName } from '../../text/pseudo-frames.ts';
import { NamedFrames } from '../named-frames.ts';
import type { StackFrame } from '../stack-frame.ts';
import type { ThreadHistory } from './thread-history.ts';
import type { SampleTable, StackTree, TraceTable } from './traces.ts';

/** Frame in the stacks of a file -> what it is. Usually called once per frame. */
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
/** Marks of nodes: a complete stack, or a truncated one, ends at the node. After `markUp`: or below it. */
const COMPLETE = 1;
const TRUNCATED = 2;

/**
 * Emits a table of samples to a sink: first the nodes of its stacks, parents before children, then the counts. With
 * `groupsTruncated`, stacks as deep as the limit are placed below a frame for truncated stacks. An empty stack gets a
 * pseudo frame, so that its samples are not lost.
 */
export function emitSamples(
  sink: SampleSink,
  contents: StacksAndThreads,
  frameOf: FrameOf,
  table: SampleTable | undefined,
  valueOf: (count: number, share: number, total: number) => number,
  groupsTruncated: boolean,
): EmittedSamples {
  const { threads, traces, depthLimit } = contents;
  const indexes = threads.threads.map(({ id }, row) => {
    const thread = sink.thread((id / 2 ** 32) | 0, id | 0);
    sink.nameThread(thread, threads.nameOf(row));
    return thread;
  });
  const truncation = groupsTruncated && depthLimit !== undefined ? truncatedFrameName(depthLimit) : undefined;
  const counted = new CountedRows(contents, table, truncation !== undefined);
  const { tree } = traces;
  tree.markUp(counted.marks);
  const frames = new SinkFrames(sink, frameOf);
  // To save memory, the sink's nodes overwrite the frames of the tree, once these are no longer needed.
  const hasTruncated = (counted.marks & TRUNCATED) !== 0;
  const wholeNodes = hasTruncated ? new Int32Array(tree.length) : tree.cells;
  const whole = new PlacedStacks(frames, tree, indexes, COMPLETE, undefined, wholeNodes);
  const truncated = hasTruncated
    ? new PlacedStacks(frames, tree, indexes, TRUNCATED, truncation, tree.cells)
    : whole;
  const countRow = (trace: number, count: number, value: number): void => {
    const depth = traces.depth[trace];
    const node = (depth === depthLimit ? truncated : whole).node(traces.leaf[trace]);
    sink.samplesAt(depth > 0 ? node : frames.callee(node, EMPTY_STACK_NAME), count, value);
  };
  for (let row = 0; table !== undefined && row < table.length; row++) {
    const trace = counted.traceOf[row];
    const count = table.count[row];
    if (trace !== NONE) countRow(trace, count, valueOf(count, table.share[row], table.total));
  }
  const { sum, unknownTraces, truncatedSamples, deepestStack } = counted;
  const notListed = table === undefined || table.isTimes ? 0 : Math.max(0, table.total - sum) || 0;
  if (notListed > 0) {
    const thread = sink.thread(NOT_LISTED_THREAD, NOT_LISTED_THREAD);
    sink.nameThread(thread, NOT_LISTED);
    sink.samplesAt(frames.callee(sink.root(thread), NOT_LISTED), notListed, valueOf(notListed, 0, 0));
  }
  return { sum, unknownTraces, truncatedSamples, deepestStack, notListed };
}

/**
 * Looks up the traces of a table's rows, sums the counts, and marks the stacks in the tree. The work per row is in a
 * separate function, here and in `emitSamples`: V8 compiles a function after some thousand calls, but recompiles a long
 * loop several times.
 */
class CountedRows {
  /** Row of the table -> its trace; NONE if the trace is not in the file or the count is 0. */
  readonly traceOf: Int32Array;
  sum = 0;
  unknownTraces = 0;
  truncatedSamples = 0;
  deepestStack = 0;
  /** All marks in use. */
  marks = COMPLETE;
  readonly #contents: StacksAndThreads;
  readonly #groupsTruncated: boolean;

  constructor(contents: StacksAndThreads, table: SampleTable | undefined, groupsTruncated: boolean) {
    this.#contents = contents;
    this.#groupsTruncated = groupsTruncated;
    const rows = table?.length ?? 0;
    this.traceOf = new Int32Array(rows);
    for (let row = 0; table !== undefined && row < rows; row++)
      this.traceOf[row] = this.#count(table.trace[row], table.count[row]);
  }

  #count(id: number, count: number): number {
    const { traces, threads, depthLimit } = this.#contents;
    const trace = traces.find(id);
    if (trace === NONE) this.unknownTraces++;
    if (trace === NONE || count === 0) return NONE;
    const depth = traces.depth[trace];
    const isTruncated = depth === depthLimit;
    if (isTruncated) this.truncatedSamples += count;
    if (depth > this.deepestStack) this.deepestStack = depth;
    threads.threads[traces.thread[trace]].samples += count;
    this.sum += count;
    const mark = isTruncated && this.#groupsTruncated ? TRUNCATED : COMPLETE;
    this.marks |= mark;
    if (depth > 0) traces.tree.mark(traces.leaf[trace], mark);
    return trace;
  }
}

/** Places the marked nodes of a tree in a sink, chain by chain: in the order of memory, and callers before callees. */
class PlacedStacks {
  readonly #frames: SinkFrames;
  /** Row of the ThreadHistory -> the sink's thread. */
  readonly #threads: readonly number[];
  /** The method of a frame between the root and all stacks, if there is one. */
  readonly #topMethod: string | undefined;
  /** Row of the ThreadHistory -> the sink's node that is the parent of its stacks. */
  readonly #roots: (number | undefined)[] = [];
  /** Node of the tree -> node of the sink. */
  readonly #nodes: Int32Array;

  /**
   * `nodes` receives the sink's nodes and is at least as long as the tree. It may be the cells of the tree, if its
   * frames are no longer needed.
   */
  constructor(
    frames: SinkFrames,
    tree: StackTree,
    threads: readonly number[],
    mark: number,
    topMethod: string | undefined,
    nodes: Int32Array,
  ) {
    this.#frames = frames;
    this.#threads = threads;
    this.#topMethod = topMethod;
    this.#nodes = nodes;
    const chains = tree.chains();
    frames.sink.expectNodes(tree.length, chains.length);
    for (const chain of chains) this.#place(tree, chain, mark);
  }

  #place(tree: StackTree, chain: number, mark: number): void {
    const start = tree.start(chain);
    const end = tree.markedEnd(chain, mark);
    if (end === start) return;
    this.#frames.write(tree.cells, start, end, this.#nodes);
    const depth = tree.depth(chain) + (this.#topMethod === undefined ? 0 : 1);
    this.#frames.sink.callees(this.node(tree.parent(chain)), depth, this.#nodes, start, end);
  }

  /** The sink's node for a marked node, or for ~row of a thread. */
  node(node: number): number {
    return node >= 0 ? this.#nodes[node] : (this.#roots[~node] ??= this.#root(~node));
  }

  #root(thread: number): number {
    const root = this.#frames.sink.root(this.#threads[thread]);
    return this.#topMethod === undefined ? root : this.#frames.callee(root, this.#topMethod);
  }
}

/** Frames below are found in an array, which most writers' frames are: they are numbered from 1 on. */
const MOST_SMALL_FRAMES = 1 << 22;

/** The methods and frames of a file in the sink. Each is added when it is first needed. */
class SinkFrames {
  readonly sink: SampleSink;
  readonly #frameOf: FrameOf;
  readonly #names: NamedFrames;
  /** Frame of the file -> the sink's frame + 1. */
  #small = new Int32Array(1024);
  readonly #large = new Map<number, number>();

  constructor(sink: SampleSink, frameOf: FrameOf) {
    this.sink = sink;
    this.#frameOf = frameOf;
    this.#names = new NamedFrames(sink);
  }

  /** Writes the sink's frames for the frames [start, end) of `from` to the same cells of `into`. */
  write(from: Int32Array, start: number, end: number, into: Int32Array): void {
    let small = this.#small;
    for (let cell = start; cell < end; cell++) {
      const number = from[cell] >>> 0;
      let frame = number < small.length ? small[number] : 0;
      if (frame === 0) {
        frame = this.#large.get(number) ?? this.#add(number);
        small = this.#small;
      }
      into[cell] = frame - 1;
    }
  }

  /** The child of a node with a pseudo frame of this name. */
  callee(caller: number, methodName: string): number {
    const frame = { className: '', methodName, file: '', line: NO_LINE };
    return this.sink.callee(caller, 1, 0, this.#names.of(frame).method, NO_LINE, NO_BCI);
  }

  #add(number: number): number {
    const described = this.#frameOf(number);
    const { method, line } = this.#names.of(described);
    const frame = this.sink.frame(0, method, line, described.bci) + 1;
    if (number >= MOST_SMALL_FRAMES) this.#large.set(number, frame);
    else {
      if (number >= this.#small.length)
        this.#small = grown(this.#small, nextCapacity(this.#small.length, number + 1));
      this.#small[number] = frame;
    }
    return frame;
  }
}
