import type { MemoryBudget } from './memory-budget.ts';
import type { FrameIndex } from '../profile/frame-table.ts';
import type { MethodIndex, MethodNames } from '../profile/method-table.ts';
import type { NodeIndex, NodeTable } from '../profile/node-table.ts';
import type { TickClock } from '../profile/sample-table.ts';
import type { ThreadIndex } from '../profile/lean-profile.ts';

/** Number of cells of a frame in a stack: its method's id hi and lo, line, BCI. */
export const FRAME_CELLS = 4;

/** The call nodes of a sink, to compare a stack with. Arrays are replaced when they grow: read the properties each time. */
export interface CallPaths {
  readonly nodes: Pick<NodeTable, 'parent' | 'frame'>;
  /** `cells`: FRAME_CELLS per frame, as in a stack. */
  readonly frames: { readonly cells: Int32Array };
}

/**
 * When samples were taken, in groups that end at one call node; borrowed for the call.
 *
 *   ticks   group   value       clock: ticks 5000 at the base, a million per second
 *   5120    0       0           120 000 ns after the base: a sample of the node `nodes[0]`
 *   5391    1       0
 */
export interface GroupedTimes {
  readonly length: number;
  readonly ticks: Float64Array;
  /** Times are rounded to whole ns. */
  readonly clock: TickClock;
  readonly group: Int32Array;
  /** The addition of each sample to the value of its node, whole; a number: all are equal. */
  readonly value: Float64Array | number;
}

/**
 * Receives samples from a decoder. This interface is all that a decoder uses of the program. Ids are interned: the same
 * id gives the same index. A format without 64-bit ids passes hi = 0 and dense numbers.
 */
export interface SampleSink {
  /** The nodes that `sample` returns. */
  readonly paths: CallPaths;

  /**
   * The sink has refused a stack because of a limit on frames or call nodes, or something else because of the memory
   * budget. It takes all further calls and ignores them; nodes that it returns are NONE, which it accepts as a node. A
   * decoder may stop early.
   */
  readonly isFull: boolean;

  /**
   * Counts what the decoder keeps before it is in the profile. The sink counts rows and names of the profile itself. It is
   * full once the budget has refused something.
   */
  readonly memory: MemoryBudget;

  /** Samples are kept with their times. Otherwise the sink ignores times, and they need not be computed. */
  readonly keepsTimes: boolean;

  /**
   * The samples that follow were taken `base + offset` ns after 1970, or after the recording began; `base` undefined: at
   * an unknown time. A decoder passes the same `base` again and again, so that the offsets are small.
   */
  takenAt(base: bigint | undefined, offset: number | bigint): void;

  /**
   * The times of samples that `samples` and `samplesAt` have counted without a time: for formats whose samples are known
   * by group before the call nodes of the groups are. `base` as in `takenAt`; `nodes`: group -> its node, NONE where its
   * samples were not counted.
   */
  addTimes(base: bigint, times: GroupedTimes, nodes: Int32Array): void;

  /**
   * The number of times that `addTimes` takes now and leaves memory for the names and frames of what follows. More may be
   * refused, which makes the sink full.
   */
  readonly timesAllowed: number;

  /**
   * Converts all times and values so far, because they were taken to be in another unit: `convert` makes new ns of old
   * ones, and 0 of 0. Times are relative to the base `to` afterwards, and were so to `from`. Sums of values are not
   * converted: the decoder adds the differences. False if it is not possible: the times of samples are then not known.
   */
  convertTimes(convert: (ns: number) => number, from: bigint, to: bigint): boolean;

  /**
   * The samples with a time are calls: each comes when it has ended, after those that it made, at the time when it began, and
   * its value is its time without them.
   */
  samplesAreCalls(): void;

  /**
   * A context of a thread, [from, to) ns after `base`, by the clock of the samples: see ContextTable. `attributes`: keys and
   * values in turn; borrowed for the call. Ignored where times are not kept.
   */
  addContext(
    thread: ThreadIndex,
    base: bigint,
    from: number,
    to: number,
    name: string,
    attributes: readonly string[],
  ): void;

  /** Interns a thread id. */
  thread(idHi: number, idLo: number): ThreadIndex;
  /** An empty name means that the thread is known and has no name. It never replaces a name. */
  nameThread(thread: ThreadIndex, name: string): void;
  /** Makes the thread appear in the profile: it has at least one trace, possibly an empty one. */
  openThread(thread: ThreadIndex): void;

  /** Interns a method id. */
  method(idHi: number, idLo: number): MethodIndex;
  /** The first definition of a method wins (specs: Honest Profiler LeanLogCollector, putIfAbsent). */
  defineMethod(method: MethodIndex, names: MethodNames): void;

  /**
   * One sample. `stack` holds `depth` frames of FRAME_CELLS cells, leaf first; borrowed for the call. Stacks are complete:
   * frames that equal those of the thread's previous stack cost little. `ns` is the time charged to the sample, signed;
   * a bigint if it is not a safe integer. A stack of depth 0 is not counted. Returns the call node where the stack ends,
   * NONE for depth 0 and for stacks that are refused: see `isFull`.
   *
   *   stack   0 77 12 4 │ 0 76 30 1 │ …      leaf 77 at line 12, BCI 4, called by 76
   */
  sample(thread: ThreadIndex, stack: Int32Array, depth: number, ns: number | bigint): NodeIndex;

  /**
   * One more sample with the stack of an earlier `sample`, which returned `node`. `valueNode`: the node that has the time,
   * if it is another one.
   */
  sampleAt(node: NodeIndex, ns: number | bigint, valueNode?: NodeIndex): void;

  /**
   * For formats that store sums: `count` samples of one stack with the sum `value`. A count may be a fraction and is at
   * most 2^53. A value is whole, a bigint if it is not a safe integer; its unit is in the decoder's facts.
   */
  samples(
    thread: ThreadIndex,
    stack: Int32Array,
    depth: number,
    count: number,
    value: number | bigint,
  ): NodeIndex;
  /** `samples` at a node that `sample`, `samples`, `callee` or `callees` returned. */
  samplesAt(node: NodeIndex, count: number, value: number | bigint): void;

  /** For formats that store call trees: the root node of a thread, which has no samples itself. */
  root(thread: ThreadIndex): NodeIndex;
  /** For the same formats: the child of `caller` with this frame. `depth` is 1 for a frame below the root. */
  callee(caller: NodeIndex, depth: number, idHi: number, idLo: number, line: number, bci: number): NodeIndex;
  /** For formats that store paths of a call tree: interns a frame. */
  frame(idHi: number, idLo: number, line: number, bci: number): FrameIndex;
  /**
   * For the same formats: replaces the frames path[from … to) by their nodes. Each frame is called by the one before it,
   * the first by the node `caller`. `depth` is the depth of the first.
   *
   *   frames 5 9 2 below node 3   become   nodes 4 5 12
   */
  callees(caller: NodeIndex, depth: number, path: Int32Array, from: number, to: number): void;

  /**
   * A sample that may still change: the next sample or `withdrawProvisional` removes it first. Used for the last trace of
   * a growing log, whose time is not known yet.
   */
  provisionalSample(thread: ThreadIndex, stack: Int32Array, depth: number, ns: number | bigint): void;
  /**
   * Adds a provisional sample at a node, like `sampleAt`, besides those that are provisional already: for formats in which several samples
   * are open at the end. All of them are removed together.
   */
  provisionalSampleAt(node: NodeIndex, ns: number | bigint): void;
  withdrawProvisional(): void;
}
