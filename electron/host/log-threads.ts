import { Worker } from 'node:worker_threads';

/**
 * Worker threads that read logs, one thread per log. A spare thread can be started before there is a log, because
 * starting one takes 0.1 to 0.2 s, which would delay the first rows of the log.
 */
export class LogThreads {
  readonly #workerUrl: URL;
  #spare: Worker | undefined;

  /** `workerUrl`: the built worker file. */
  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  /** Starts the spare thread unless there is one. It does not keep the process from ending. */
  prepare(): void {
    if (this.#spare !== undefined) return;
    const spare = this.#start();
    this.#spare = spare;
    spare.unref();
    // If the spare crashes, the next log starts a new thread. A crash of that one is reported by the log's status.
    const forget = (): void => {
      if (this.#spare === spare) this.#spare = undefined;
    };
    spare.once('error', forget);
    spare.once('exit', forget);
  }

  /** The spare thread, or a new one. Its first message must be `LogWorkerOptions`. */
  take(): Worker {
    const thread = this.#spare ?? this.#start();
    this.#spare = undefined;
    thread.ref();
    return thread;
  }

  async stop(): Promise<void> {
    await this.#spare?.terminate();
  }

  #start(): Worker {
    return new Worker(this.#workerUrl, { name: 'log' });
  }
}
