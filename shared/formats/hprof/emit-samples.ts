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
  /** The sum of the counts of all rows that count. */
  readonly sum: number;
  /** Rows that name a trace that is not in the file. */
  readonly unknownTraces: number;
  /** Samples whose stacks are as deep as the limit. */
  readonly truncatedSamples: number;
  /** What the table's total has beyond its rows. */
  readonly notListed: number;
}

interface StacksAndThreads {
  readonly threads: ThreadHistory;
  readonly traces: TraceTable;
  readonly frames: FrameColumns;
  readonly frameIds: FrameIds;
  /** undefined: no limit is known. */
  readonly depthLimit: number | undefined;
}

/** What a table counts in total but does not list has a thread of its own, with this one frame. */
const NOT_LISTED = { className: '', methodName: '(not listed)', file: '' };
const NOT_LISTED_THREAD = -1;
const EMPTY_STACK = { className: '', methodName: EMPTY_STACK_NAME, file: '' };
/** Marks in the tree: a stack that ends here or below is complete, or truncated. */
const WHOLE = 1;
const TRUNCATED = 2;

/**
 * Emits a table of samples to a sink: first the nodes of its stacks, each once, parents before children, then the
 * counts. With `groupsTruncated`, stacks as deep as the limit are placed below a frame for truncated stacks. An empty
 * stack gets a frame that marks it, so that its samples are not lost.
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
  // Nodes take the place of frames, but where both need the frames.
  const hasTruncated = (counted.marks & TRUNCATED) !== 0;
  const whole = new PlacedStacks(
    stacks,
    WHOLE,
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
  const { sum, unknownTraces, truncatedSamples } = counted;
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
  return { sum, unknownTraces, truncatedSamples, notListed };
}

/**
 * The rows of a table that count, their sums, and their marks in the tree. The work per row is a separate function here
 * and above: V8 compiles a function after some thousand calls, but recompiles a long loop several times.
 */
class CountedRows {
  /** Row of the table -> its trace, or NONE when it does not count. */
  readonly traceOf: Int32Array;
  sum = 0;
  unknownTraces = 0;
  truncatedSamples = 0;
  /** All marks that there are. */
  marks = WHOLE;
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
    threads.threads[traces.thread[trace]].samples += count;
    this.sum += count;
    const mark = isTruncated && this.#groupsTruncated ? TRUNCATED : WHOLE;
    this.marks |= mark;
    if (depth > 0) traces.tree.mark(traces.leaf[trace], mark);
    return trace;
  }
}
