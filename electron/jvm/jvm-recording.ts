import type { Chosen } from '../../shared/facts/choice.ts';

/** Sampling that can be stopped, and go on in the same data. */
export interface ControlledSampling {
  readonly isRunning: boolean;
  /** It cannot go on. */
  readonly isShutDown: boolean;
  /** Why it has ended by itself the last time, as a clause; undefined if it runs, or was stopped. */
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
  /** With what it is read at first. */
  readonly chosen?: Chosen | undefined;
  /** It is somebody else's, and goes on in the JVM when it is not read any more. */
  readonly isFollowed?: true;
  /** Undefined for a flight recording. */
  readonly sampler?: ControlledSampling;
  /** Whether it still runs. Rejects with AttachError if the JVM does not answer. */
  isThere(): Promise<boolean>;
  /** Ends it if it was started here. Never rejects. */
  stop(): Promise<void>;
  /** Removes the files of `folder` that were made here: its log is closed. */
  discard(): void;
}
