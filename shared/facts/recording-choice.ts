export const RECORDING_SETTINGS = ['profile', 'default'] as const;
/** The JDK's settings of this name. */
type RecordingSettingsName = (typeof RECORDING_SETTINGS)[number];

/**
 * A sample type that Leanscope records. `cpu`: threads that execute; `cpu-time`: threads sampled by CPU time (Linux, JDK
 * 25 or later); `locks`: waiting for monitors, parking and sleeping.
 */
export const RECORDED_TYPES = ['cpu', 'cpu-time', 'allocations', 'locks'] as const;
export type RecordedType = (typeof RECORDED_TYPES)[number];

export interface RecordingChoice {
  readonly settings: RecordingSettingsName;
  /** At least one. A type that the JVM cannot record is ignored; if it can record none of them, that is said. */
  readonly types: readonly RecordedType[];
}

/** The states in which a thread dump shows threads. */
export const THREAD_STATES = ['RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING'] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

/** The settings for sampling the threads of a JVM by thread dumps. */
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

/** Bounds of a SamplingChoice. */
export const SAMPLING_RANGES = {
  sharePercent: { least: 0.1, most: 100 },
  depth: { least: 1, most: 100_000 },
} as const satisfies Readonly<Record<string, NumberRange>>;
