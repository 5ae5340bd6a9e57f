import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_LINE } from '../../profile/frame-table.ts';
import { cutFrameName, EMPTY_STACK_NAME } from '../../text/pseudo-frames.ts';
import type { FrameColumns } from './frame-columns.ts';
import type { SampleTable } from './sample-tables.ts';
import type { StackTree } from './stack-tree.ts';
import type { ThreadHistory } from './thread-history.ts';
import type { TraceTable } from './trace-table.ts';

/** What a row of a table is worth. */
export interface Worth {
  readonly count: number;
  readonly value: number;
}

export interface HandedOver {
  /** The sum of the counts of all rows that count. */
  readonly sum: number;
  /** Rows that name a trace that is not in the file. */
  readonly unknownTraces: number;
  /** Samples whose stacks are as deep as the limit. */
  readonly cutSamples: number;
  /** What the table's total has beyond its rows. */
  readonly notListed: number;
}

interface StacksAndThreads {
  readonly threads: ThreadHistory;
  readonly traces: TraceTable;
  readonly frames: FrameColumns;
  /** undefined: no limit is known. */
  readonly depthLimit: number | undefined;
}

/** What a table counts in total but does not list has a thread of its own, with this one frame. */
const NOT_LISTED = { className: '', methodName: '(not listed)', file: '' };
const NOT_LISTED_THREAD = -1;
const EMPTY_STACK = { className: '', methodName: EMPTY_STACK_NAME, file: '' };
const PSEUDO_BCI = -1;
/** Marks in the tree: a stack that ends here or below is whole, or cut. */
const WHOLE = 1;
const CUT = 2;

/**
 * Hands a table of samples to a sink: the nodes that its stacks need, each once and from the root on, then the counts.
 * Stacks as deep as the limit hang below a frame of their own when `marksCuts`. A stack without a frame gets one that
 * says so: its samples must not be lost.
 */
export function handOver(
  sink: SampleSink,
  contents: StacksAndThreads,
  table: SampleTable | undefined,
  worthOf: (count: number, share: number, total: number) => Worth,
  marksCuts: boolean,
): HandedOver {
  const { threads, traces, frames, depthLimit } = contents;
  const indexes = threads.threads.map(({ idHi, idLo }, row) => {
    const thread = sink.thread(idHi, idLo);
    sink.nameThread(thread, threads.nameOf(row));
    return thread;
  });
  const emptyStack = frames.methodNumber(EMPTY_STACK);
  const cutFrame =
    marksCuts && depthLimit !== undefined
      ? frames.methodNumber({ className: '', methodName: cutFrameName(depthLimit), file: '' })
      : NONE;
  const { tree } = traces;
  const rows = table?.length ?? 0;
  const traceOf = new Int32Array(rows).fill(NONE);
  let sum = 0;
  let unknownTraces = 0;
  let cutSamples = 0;
  for (let row = 0; table !== undefined && row < rows; row++) {
    const trace = traces.find(table.traceHi[row], table.traceLo[row]);
    const count = table.count[row];
    if (trace === NONE) unknownTraces++;
    if (trace === NONE || count === 0) continue;
    const isCut = traces.depth[trace] === depthLimit;
    if (isCut) cutSamples += count;
    threads.threads[traces.thread[trace]].samples += count;
    sum += count;
    tree.mark(traces.leaf[trace], isCut && cutFrame !== NONE ? CUT : WHOLE);
    traceOf[row] = trace;
  }
  tree.markUp();
  const isUsed = new Uint8Array(frames.methods.length);
  const whole = place(sink, tree, WHOLE, frames, indexes, isUsed, NONE);
  const cut = cutFrame === NONE ? whole : place(sink, tree, CUT, frames, indexes, isUsed, cutFrame);
  for (let row = 0; table !== undefined && row < rows; row++) {
    const trace = traceOf[row];
    if (trace === NONE) continue;
    const { count, value } = worthOf(table.count[row], table.share[row], table.total);
    const depth = traces.depth[trace];
    const node = (depth === depthLimit ? cut : whole)[traces.leaf[trace]];
    if (depth === 0) isUsed[emptyStack] = 1;
    sink.samplesAt(depth > 0 ? node : sink.callee(node, 1, 0, emptyStack, NO_LINE, PSEUDO_BCI), count, value);
  }
  const notListed = table === undefined || table.isTimes ? 0 : Math.max(0, table.total - sum) || 0;
  if (notListed > 0) {
    const { count, value } = worthOf(notListed, 0, 0);
    const thread = sink.thread(NOT_LISTED_THREAD, NOT_LISTED_THREAD);
    sink.nameThread(thread, NOT_LISTED.methodName);
    const method = frames.methodNumber(NOT_LISTED);
    sink.defineMethod(sink.method(0, method), NOT_LISTED);
    sink.samplesAt(sink.callee(sink.root(thread), 1, 0, method, NO_LINE, PSEUDO_BCI), count, value);
  }
  for (const [number, names] of frames.methods.entries()) {
    if (isUsed[number] === 1) sink.defineMethod(sink.method(0, number), names);
  }
  return { sum, unknownTraces, cutSamples, notListed };
}

/**
 * Makes the nodes of a sink that stand for marked nodes of a tree, in the tree's order, which is the order in which they
 * lie in memory. Returns the sink's node for each of the tree's. `cutFrame`: the method of a frame that all of them hang
 * below, or NONE. Notes in `isUsed` which methods they have.
 */
function place(
  sink: SampleSink,
  tree: StackTree,
  mark: number,
  frames: FrameColumns,
  threads: readonly number[],
  isUsed: Uint8Array,
  cutFrame: number,
): Int32Array {
  const placed = new Int32Array(tree.length);
  const depths = new Int32Array(tree.length);
  const { method: methods, line: lines, bci: bcis } = frames;
  for (let node = 0; node < tree.length; node++) {
    if (!tree.isMarked(node, mark)) continue;
    const parent = tree.parent(node);
    const frame = tree.frame(node);
    if (parent === NONE) {
      placed[node] = sink.root(threads[~frame]);
      if (cutFrame === NONE) continue;
      depths[node] = 1;
      isUsed[cutFrame] = 1;
      placed[node] = sink.callee(placed[node], 1, 0, cutFrame, NO_LINE, PSEUDO_BCI);
      continue;
    }
    const depth = depths[parent] + 1;
    depths[node] = depth;
    const method = methods[frame];
    isUsed[method] = 1;
    placed[node] = sink.callee(placed[parent], depth, 0, method, lines[frame], bcis[frame]);
  }
  return placed;
}
