import { Worker } from 'node:worker_threads';
import { type PartTask, PROGRESS_BYTES, type ReadPart } from './part-messages.ts';

const WORKER = new URL('./part-worker.cjs', import.meta.url);

/** A part of a file that is being read elsewhere. */
export interface PartReading {
  /** Undefined when it came to nothing, for whatever reason: whoever wants the part reads it himself. */
  readonly read: Promise<ReadPart | undefined>;
  readonly readBytes: number;
  /** Resolves when the file is no longer touched. */
  stop(): Promise<void>;
}

export type StartReading = (task: Omit<PartTask, 'progress'>) => PartReading;

/** A thread that reads one part of a file. It may be started before it is known which. */
export class PartThread implements PartReading {
  readonly read: Promise<ReadPart | undefined>;
  readonly #worker: Worker;
  readonly #progress = new Int32Array(new SharedArrayBuffer(4));

  /** `workerUrl`: the built worker file. */
  constructor(workerUrl = WORKER) {
    const worker = new Worker(workerUrl, { name: 'part' });
    this.#worker = worker;
    this.read = new Promise((resolve) => {
      const fail = (): void => resolve(undefined);
      worker.once('message', resolve);
      worker.once('messageerror', fail);
      // Out of memory, as a rule. An exit without a message is one that somebody else brought about.
      worker.once('error', fail);
      worker.once('exit', fail);
    });
  }

  begin(task: Omit<PartTask, 'progress'>): this {
    const whole: PartTask = { ...task, progress: this.#progress };
    this.#worker.postMessage(whole);
    return this;
  }

  get readBytes(): number {
    return this.#progress[0] * PROGRESS_BYTES;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
