export const RECORDING_SETTINGS = ['profile', 'default'] as const;
/** The JDK's settings of this name. */
export type RecordingSettingsName = (typeof RECORDING_SETTINGS)[number];

/**
 * What a recording of Leanscope samples. `cpu`: threads that execute; `cpu-time`: threads sampled by CPU time (Linux, JDK
 * 25 or later); `locks`: waiting for monitors, parking and sleeping.
 */
export const RECORDED_TYPES = ['cpu', 'cpu-time', 'allocations', 'locks'] as const;
export type RecordedType = (typeof RECORDED_TYPES)[number];

export interface RecordingChoice {
  readonly settings: RecordingSettingsName;
  /** At least one. A type that the JVM cannot record is ignored; if it can record none of them, that is said. */
  readonly types: readonly RecordedType[];
}
