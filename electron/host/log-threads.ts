import { Worker } from 'node:worker_threads';
import type { LogThreadData } from '../worker/worker-messages.ts';

/**
 * Threads that read logs, each for one. One may be started before there is a log: that takes a tenth of a second or two,
 * and who has chosen a log waits for its first rows.
 */
export class LogThreads {
  readonly #workerUrl: URL;
  readonly #practiceLog: string | undefined;
  #spare: Worker | undefined;

  /** `workerUrl`: the built worker file. `practiceLog`: what a thread that waits reads meanwhile, see `practise`. */
  constructor(workerUrl: URL, practiceLog: string | undefined) {
    this.#workerUrl = workerUrl;
    this.#practiceLog = practiceLog;
  }

  /** Starts the thread of the next log. It practises and waits, and keeps no process alive. */
  prepare(): void {
    if (this.#spare !== undefined) return;
    const spare = this.#start(this.#practiceLog);
    this.#spare = spare;
    spare.unref();
    // The log that would have got it gets another, and tells if that dies, too.
    const forget = (): void => {
      if (this.#spare === spare) this.#spare = undefined;
    };
    spare.once('error', forget);
    spare.once('exit', forget);
  }

  /** A thread that waits to be told what to read. */
  take(): Worker {
    const thread = this.#spare ?? this.#start(undefined);
    this.#spare = undefined;
    thread.ref();
    return thread;
  }

  async stop(): Promise<void> {
    await this.#spare?.terminate();
  }

  #start(practiceLog: string | undefined): Worker {
    const workerData: LogThreadData = { practiceLog };
    return new Worker(this.#workerUrl, { name: 'log', workerData });
  }
}
