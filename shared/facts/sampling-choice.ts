/** The states in which a thread dump shows threads. */
export const THREAD_STATES = ['RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING'] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

/** How the threads of a JVM are sampled by thread dumps. */
export interface SamplingChoice {
  /** Time between two dumps, if the share allows it. */
  readonly intervalMs: number;
  /** The most of the JVM's time that dumps may take. */
  readonly sharePercent: number;
  /** The innermost frames of a stack that are kept; undefined: all. */
  readonly depth?: number | undefined;
  /** Names, pools such as `http-*`, expressions `/…/`; none: all threads. */
  readonly threads: readonly string[];
  /** Threads in other states are not counted at first; none: all states. */
  readonly states: readonly ThreadState[];
}

interface NumberRange {
  readonly least: number;
  readonly most: number;
}

/** What a SamplingChoice may be. */
export const SAMPLING_RANGES = {
  intervalMs: { least: 1, most: 600_000 },
  sharePercent: { least: 0.1, most: 100 },
  depth: { least: 1, most: 100_000 },
} as const satisfies Readonly<Record<string, NumberRange>>;
export const MOST_THREAD_NAMES = 20;
export const MOST_THREAD_NAME_CHARACTERS = 100;
