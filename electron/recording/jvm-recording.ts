import type { Chosen } from '../../shared/facts/choice.ts';

/** Sampling that can be stopped and started again; all its samples are in the same file. */
interface ControlledSampling {
  readonly isRunning: boolean;
  /** Sampling cannot be started again. */
  readonly isShutDown: boolean;
  /** Why sampling ended by itself the last time, as a clause; undefined if it runs, or was stopped. */
  readonly ended: string | undefined;
  start(): void;
  stop(): Promise<void>;
}

/** A flight recording in a JVM, or samples of it by thread dumps. */
export interface JvmRecording {
  /** The repository of the JVM, as this process sees it; for thread dumps, their file. */
  readonly folder: string;
  /** Paths of chunks in `folder` that belong to other recordings. Undefined for thread dumps. */
  readonly leftOut: readonly string[] | undefined;
  /** The choices with which the recording is read at first. */
  readonly chosen?: Chosen | undefined;
  /** Somebody else started the recording: it goes on in the JVM when it is not read any more. */
  readonly isFollowed?: true;
  /** The sampling by thread dumps; undefined for a flight recording. */
  readonly sampler?: ControlledSampling;
  /** Whether the recording still runs. Rejects with AttachError if the JVM does not answer. */
  isThere(): Promise<boolean>;
  /** Ends the recording if it was started here. Never rejects. */
  stop(): Promise<void>;
  /** Removes the files of `folder` that were made here. Call it when the log is closed. */
  discard(): void;
}
