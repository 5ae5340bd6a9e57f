import { Worker } from 'node:worker_threads';
import { type PartTask, PROGRESS_BYTES, type ReadPart } from './part-messages.ts';

const WORKER = new URL('./part-worker.js', import.meta.url);

/** A part of a file that is being read elsewhere. */
export interface PartReading {
  /** Undefined when it came to nothing, for whatever reason: whoever wants the part reads it himself. */
  readonly read: Promise<ReadPart | undefined>;
  readonly readBytes: number;
  /** Resolves when the file is no longer touched. */
  stop(): Promise<void>;
}

export type StartReading = (task: Omit<PartTask, 'progress'>) => PartReading;

/** Starts a thread that reads a part. */
export const readInThread: StartReading = (task) => startPartWorker(task, WORKER);

/** `workerUrl`: the built worker file. */
export function startPartWorker(task: Omit<PartTask, 'progress'>, workerUrl: URL): PartReading {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const workerData: PartTask = { ...task, progress };
  const worker = new Worker(workerUrl, { workerData, name: `part from ${task.start}` });
  return {
    read: new Promise((resolve) => {
      const fail = (): void => resolve(undefined);
      worker.once('message', resolve);
      worker.once('messageerror', fail);
      // Out of memory, as a rule. An exit without a message is one that somebody else brought about.
      worker.once('error', fail);
      worker.once('exit', fail);
    }),
    get readBytes() {
      return progress[0] * PROGRESS_BYTES;
    },
    stop: async () => {
      await worker.terminate();
    },
  };
}
