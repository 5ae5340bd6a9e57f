import type { FrameIndex } from '../profile/frame-table.ts';
import type { MethodIndex, MethodNames } from '../profile/method-table.ts';
import type { ThreadIndex } from '../profile/thread-table.ts';

/**
 * What every decoder calls, and all it knows of the rest of the program. Ids are interned: the same id gives the same
 * index. A format without 64-bit ids passes hi = 0 and its own dense numbers.
 */
export interface SampleSink {
  /** Interns a thread id. */
  thread(idHi: number, idLo: number): ThreadIndex;
  /** An empty name says that the thread is known and nameless; it never replaces a name. */
  nameThread(thread: ThreadIndex, name: string): void;
  /** The thread has at least one trace, be it empty: it appears in the profile. */
  openThread(thread: ThreadIndex): void;

  /** Interns a method id. */
  method(idHi: number, idLo: number): MethodIndex;
  /** The first definition of a method wins (specs: Honest Profiler LeanLogCollector, putIfAbsent). */
  defineMethod(method: MethodIndex, names: MethodNames): void;

  /** Interns a frame by its method's id, line and BCI; interns the method too. The hot call: once per frame. */
  frame(methodIdHi: number, methodIdLo: number, line: number, bci: number): FrameIndex;

  /**
   * One sample. `frames[0…depth-1]` is its stack, leaf first; borrowed for the call. `ns` is the time charged to it,
   * signed, a bigint when it is no safe integer. A stack of depth 0 counts nothing.
   */
  sample(thread: ThreadIndex, frames: Int32Array, depth: number, ns: number | bigint): void;

  /**
   * The same, but it may turn out otherwise: the next `sample`, `provisionalSample` or `withdrawProvisional` takes it
   * back first. The last trace of a growing log is such a sample: its interval is not known yet.
   */
  provisionalSample(thread: ThreadIndex, frames: Int32Array, depth: number, ns: number | bigint): void;
  withdrawProvisional(): void;
}
