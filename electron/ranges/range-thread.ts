import { Worker } from 'node:worker_threads';
import { type RangeTask, PROGRESS_BYTES, type ReadRange } from './range-messages.ts';

const WORKER = new URL('./range-worker.cjs', import.meta.url);

/** A range of a file that another thread is reading. */
export interface RangeReading {
  /** Undefined when it failed, for whatever reason: then the caller must read the range. */
  readonly read: Promise<ReadRange | undefined>;
  readonly readBytes: number;
  /** Resolves when the file is no longer touched. */
  stop(): Promise<void>;
}

export type StartReading = (task: Omit<RangeTask, 'progress'>) => RangeReading;

/** A thread that reads one range of a file. It can be started before the range is known. */
export class RangeThread implements RangeReading {
  readonly read: Promise<ReadRange | undefined>;
  readonly #worker: Worker;
  readonly #progress = new Int32Array(new SharedArrayBuffer(4));

  /** `workerUrl`: the built worker file. */
  constructor(workerUrl = WORKER) {
    const worker = new Worker(workerUrl, { name: 'range' });
    this.#worker = worker;
    this.read = new Promise((resolve) => {
      const fail = (): void => resolve(undefined);
      worker.once('message', resolve);
      worker.once('messageerror', fail);
      // Usually the thread is out of memory. It exits without a message when it is terminated.
      worker.once('error', fail);
      worker.once('exit', fail);
    });
  }

  begin(task: Omit<RangeTask, 'progress'>): this {
    const whole: RangeTask = { ...task, progress: this.#progress };
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
