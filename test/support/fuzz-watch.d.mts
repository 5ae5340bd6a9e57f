export interface InputWatch {
  /** Tells the watching thread which input is read next. */
  readonly begin: (input: Uint8Array) => void;
  /** Ends the watch. */
  readonly end: () => void;
}

/** Saves an input in `folder` and kills the process with SIGKILL when reading the input takes longer than this. */
export function watchInputs(folder: string, seconds: number): InputWatch;
