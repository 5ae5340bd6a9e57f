import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { truncatedFrameName, EMPTY_STACK_NAME } from '../../text/pseudo-frames.ts';
import { type FrameColumns, type FrameIds } from './frame-columns.ts';
import { PlacedStacks } from './placed-stacks.ts';
import type { SampleTable } from './sample-tables.ts';
import type { ThreadHistory } from './thread-history.ts';
import type { TraceTable } from './trace-table.ts';

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
  readonly frames: FrameColumns;
  readonly frameIds: FrameIds;
  /** Undefined if unknown. */
  readonly depthLimit: number | undefined;
}

/** Samples that are only in the total of a table are shown in a thread of their own, with this frame. */
const NOT_LISTED = { className: '', methodName: '(not listed)', file: '' };
const NOT_LISTED_THREAD = -1;
const EMPTY_STACK = { className: '', methodName: EMPTY_STACK_NAME, file: '' };
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
  table: SampleTable | undefined,
  valueOf: (count: number, share: number, total: number) => number,
  groupsTruncated: boolean,
): EmittedSamples {
  const { threads, traces, frames, frameIds, depthLimit } = contents;
  const indexes = threads.threads.map(({ idHi, idLo }, row) => {
    const thread = sink.thread(idHi, idLo);
    sink.nameThread(thread, threads.nameOf(row));
    return thread;
  });
  const emptyStack = frames.methodNumber(EMPTY_STACK);
  const truncationFrame =
    groupsTruncated && depthLimit !== undefined
      ? frames.methodNumber({ className: '', methodName: truncatedFrameName(depthLimit), file: '' })
      : NONE;
  const counted = new CountedRows(contents, table, truncationFrame !== NONE);
  const { tree } = traces;
  tree.markUp(counted.marks);
  const used = new Set<number>();
  const stacks = { sink, tree, frames, frameIds, threads: indexes, used };
  // To save memory, the sink's nodes overwrite the frames of the tree, once these are no longer needed.
  const hasTruncated = (counted.marks & TRUNCATED) !== 0;
  const whole = new PlacedStacks(
    stacks,
    COMPLETE,
    NONE,
    hasTruncated ? new Int32Array(tree.length) : tree.cells,
  );
  const truncated = hasTruncated ? new PlacedStacks(stacks, TRUNCATED, truncationFrame, tree.cells) : whole;
  const countRow = (trace: number, count: number, value: number): void => {
    const depth = traces.depth[trace];
    const node = (depth === depthLimit ? truncated : whole).node(traces.leaf[trace]);
    if (depth === 0) used.add(emptyStack);
    sink.samplesAt(depth > 0 ? node : sink.callee(node, 1, 0, emptyStack, NO_LINE, NO_BCI), count, value);
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
    sink.nameThread(thread, NOT_LISTED.methodName);
    const method = frames.methodNumber(NOT_LISTED);
    sink.defineMethod(sink.method(0, method), NOT_LISTED);
    sink.samplesAt(
      sink.callee(sink.root(thread), 1, 0, method, NO_LINE, NO_BCI),
      notListed,
      valueOf(notListed, 0, 0),
    );
  }
  for (const [number, names] of frames.methods.entries()) {
    if (used.has(number)) sink.defineMethod(sink.method(0, number), names);
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
      this.traceOf[row] = this.#count(table.traceHi[row], table.traceLo[row], table.count[row]);
  }

  #count(traceHi: number, traceLo: number, count: number): number {
    const { traces, threads, depthLimit } = this.#contents;
    const trace = traces.find(traceHi, traceLo);
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
