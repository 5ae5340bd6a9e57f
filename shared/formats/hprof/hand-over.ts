import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_LINE } from '../../profile/frame-table.ts';
import { cutFrameName, EMPTY_STACK_NAME } from '../../text/pseudo-frames.ts';
import type { FrameColumns } from './frame-columns.ts';
import type { SampleTable } from './sample-tables.ts';
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
  const isUsed = new Uint8Array(frames.methods.length);
  const whole = new Placement(sink, contents, indexes, isUsed, emptyStack, NONE);
  const cut =
    cutFrame === NONE ? whole : new Placement(sink, contents, indexes, isUsed, emptyStack, cutFrame);
  let sum = 0;
  let unknownTraces = 0;
  let cutSamples = 0;
  for (let row = 0; table !== undefined && row < table.length; row++) {
    const trace = traces.find(table.traceHi[row], table.traceLo[row]);
    if (trace === NONE) {
      unknownTraces++;
      continue;
    }
    const { count, value } = worthOf(table.count[row], table.share[row], table.total);
    if (count === 0) continue;
    const isCut = traces.depth[trace] === depthLimit;
    if (isCut) cutSamples += count;
    sink.samplesAt((isCut ? cut : whole).nodeOf(trace), count, value);
    threads.threads[traces.thread[trace]].samples += count;
    sum += count;
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

/** Nodes of the trace table -> nodes of the sink, made when they are first needed. */
class Placement {
  readonly #sink: SampleSink;
  readonly #contents: StacksAndThreads;
  readonly #threads: readonly number[];
  /** Method number -> 1 when a frame of it was handed over. */
  readonly #isUsed: Uint8Array;
  readonly #emptyStack: number;
  /** Method of the frame that all stacks hang below; NONE for none. */
  readonly #cutFrame: number;
  readonly #placed: Int32Array;
  /** Scratch: nodes of the trace table that have no place yet, the innermost first. */
  readonly #missing: number[] = [];

  constructor(
    sink: SampleSink,
    contents: StacksAndThreads,
    threads: readonly number[],
    isUsed: Uint8Array,
    emptyStack: number,
    cutFrame: number,
  ) {
    this.#sink = sink;
    this.#contents = contents;
    this.#threads = threads;
    this.#isUsed = isUsed;
    this.#emptyStack = emptyStack;
    this.#cutFrame = cutFrame;
    this.#placed = new Int32Array(contents.traces.nodes.length).fill(NONE);
  }

  nodeOf(trace: number): number {
    const { traces, frames } = this.#contents;
    const { parent, frame: frameColumn } = traces.nodes;
    const placed = this.#placed;
    const missing = this.#missing;
    missing.length = 0;
    let at = traces.leaf[trace];
    for (; placed[at] === NONE && parent[at] !== NONE; at = parent[at]) missing.push(at);
    let depth = traces.depth[trace] - missing.length + (this.#cutFrame === NONE ? 0 : 1);
    if (placed[at] === NONE) {
      const root = this.#sink.root(this.#threads[traces.thread[trace]]);
      placed[at] = this.#cutFrame === NONE ? root : this.#pseudo(root, this.#cutFrame);
    }
    let node = placed[at];
    for (let index = missing.length - 1; index >= 0; index--) {
      const frame = frameColumn[missing[index]];
      const method = frames.method[frame];
      this.#isUsed[method] = 1;
      node = this.#sink.callee(node, ++depth, 0, method, frames.line[frame], frames.bci[frame]);
      placed[missing[index]] = node;
    }
    return traces.depth[trace] > 0 ? node : this.#pseudo(node, this.#emptyStack);
  }

  #pseudo(caller: number, method: number): number {
    this.#isUsed[method] = 1;
    return this.#sink.callee(caller, 1, 0, method, NO_LINE, PSEUDO_BCI);
  }
}
