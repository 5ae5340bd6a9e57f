import type { FrameIndex } from '../profile/frame-table.ts';
import type { MethodIndex, MethodNames } from '../profile/method-table.ts';
import type { NodeIndex, NodeTable } from '../profile/node-table.ts';
import type { ThreadIndex } from '../profile/thread-table.ts';

/** Cells of a frame in a stack: its method's id hi and lo, line, BCI. */
export const FRAME_CELLS = 4;

/** The call nodes that a sink has made, to compare a stack with. Arrays are replaced as they grow: read them each time. */
export interface CallPaths {
  readonly nodes: Pick<NodeTable, 'parent' | 'frame'>;
  /** `cells`: FRAME_CELLS for each frame, in the order of a stack's. */
  readonly frames: { readonly cells: Int32Array };
}

/**
 * Receives samples from a decoder, which knows nothing else of the program. Ids are interned: the same id gives the
 * same index. A format without 64-bit ids passes hi = 0 and its own dense numbers.
 */
export interface SampleSink {
  /** The paths of the nodes that `sample` returns; undefined where a sink makes none. */
  readonly paths?: CallPaths;

  /** Interns a thread id. */
  thread(idHi: number, idLo: number): ThreadIndex;
  /** An empty name says that the thread is known and nameless; it never replaces a name. */
  nameThread(thread: ThreadIndex, name: string): void;
  /** The thread has at least one trace, possibly an empty one, so it appears in the profile. */
  openThread(thread: ThreadIndex): void;

  /** Interns a method id. */
  method(idHi: number, idLo: number): MethodIndex;
  /** The first definition of a method wins (specs: Honest Profiler LeanLogCollector, putIfAbsent). */
  defineMethod(method: MethodIndex, names: MethodNames): void;

  /**
   * One sample. `stack` holds `depth` frames of FRAME_CELLS cells, leaf first; borrowed for the call. Complete stacks
   * are passed, because most of a stack equals the thread's previous one, and equal frames need no look-up. `ns` is the
   * time charged to the sample, signed, a bigint when it is not a safe integer. A stack of depth 0 counts nothing.
   * Returns the call node where the stack ended, NONE for depth 0.
   *
   *   stack   0 77 12 4 │ 0 76 30 1 │ …      leaf 77 at line 12, BCI 4, called by 76
   */
  sample(thread: ThreadIndex, stack: Int32Array, depth: number, ns: number | bigint): NodeIndex;

  /** One more sample whose stack ended where an earlier `sample` did. */
  sampleAt(node: NodeIndex, ns: number | bigint): void;

  /**
   * `count` samples of one stack at once, with the sum `value`, for formats that store sums. A count may be a fraction
   * and goes up to 2^53; a value is whole, in the unit that the decoder's facts name.
   */
  samples(
    thread: ThreadIndex,
    stack: Int32Array,
    depth: number,
    count: number,
    value: number | bigint,
  ): NodeIndex;
  /** The same at a node that an earlier `sample` or `callee` returned. */
  samplesAt(node: NodeIndex, count: number, value: number | bigint): void;

  /** For formats that walk call trees themselves: the root node of a thread, which has no samples. */
  root(thread: ThreadIndex): NodeIndex;
  /** For the same formats: the child of `caller` for a frame. `depth` is 1 for a frame below the root. */
  callee(caller: NodeIndex, depth: number, idHi: number, idLo: number, line: number, bci: number): NodeIndex;
  /** For formats that store complete paths of a call tree: interns a frame. */
  frame(idHi: number, idLo: number, line: number, bci: number): FrameIndex;
  /**
   * For the same formats: replaces the frames path[from … to) by their nodes. Each frame is called by the one before
   * it, the first by `caller`. `depth` is the depth of the first.
   *
   *   path   5 9 2     below node 3 becomes   4 5 12
   */
  callees(caller: NodeIndex, depth: number, path: Int32Array, from: number, to: number): void;
  /** At most `nodes` more nodes follow, in `paths` calls of `callees`; reserves capacity for them. */
  expectNodes(nodes: number, paths: number): void;

  /**
   * A sample that may still change: the next `sample`, `provisionalSample` or `withdrawProvisional` removes it first.
   * Used for the last trace of a growing log, whose interval is not known yet.
   */
  provisionalSample(thread: ThreadIndex, stack: Int32Array, depth: number, ns: number | bigint): void;
  withdrawProvisional(): void;
}
