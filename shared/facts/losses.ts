/** Pauses between samples that are much longer than usual. */
export interface Gaps {
  readonly count: number;
  /** ns, of all together and of the longest. */
  readonly totalNs: number;
  readonly longestNs: number;
  /** ns from which on a pause counts. */
  readonly leastNs: number;
}

/** Stacks that probably lack callers, because they are as deep as the profiler records. */
export interface TruncatedStacks {
  readonly stacks: number;
  /** Frames of each. */
  readonly depth: number;
}

/** Samples of one kind in one thread. */
export interface ThreadSamples {
  /** The name of the thread; empty if it has none. */
  readonly thread: string;
  readonly samples: number;
}

/** AsyncGetCallTrace code -> threads with such samples, most samples first; at most MOST_ERROR_THREADS. */
export type ErrorThreads = Readonly<Record<string, readonly ThreadSamples[]>>;

/** Most threads that are named for an error, because facts are sent to the window several times a second. */
export const MOST_ERROR_THREADS = 5;
