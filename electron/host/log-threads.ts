import { Worker } from 'node:worker_threads';
import type { WatchRequest } from '../worker/worker-messages.ts';

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

const ASK_EVERY_MS = 10_000;
/** The longest steps, such as parsing a large JSON text, take seconds. */
const MOST_UNANSWERED = 12;

/** The time for which a thread may take no messages, in words. */
export const STUCK_AFTER = 'two minutes';

/**
 * Asks a log's thread again and again whether it still takes messages. Questions are counted, and not time: a computer
 * that was asleep has asked none.
 */
export class ThreadWatch {
  readonly #timer: NodeJS.Timeout;
  #unanswered = 0;

  /** `onStuck` is called when so many questions are without an answer, and again after the next answer. */
  constructor(worker: Pick<Worker, 'postMessage'>, onStuck: () => void) {
    this.#timer = setInterval(() => {
      if (++this.#unanswered === MOST_UNANSWERED + 1) onStuck();
      // One question waits for a thread that is stuck, however long.
      if (this.#unanswered <= MOST_UNANSWERED) worker.postMessage({ type: 'ask' } satisfies WatchRequest);
    }, ASK_EVERY_MS);
    this.#timer.unref();
  }

  /** So many questions are without an answer. Never of a thread that is not watched any more. */
  get isStuck(): boolean {
    return this.#unanswered > MOST_UNANSWERED;
  }

  /** The thread has sent a message, of whatever kind. */
  hear(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#unanswered = 0;
  }
}

const MOST = 3;
const WITHIN_MS = 5 * 60 * 1000;

/**
 * Limits how often a page is reloaded, or the thread of a log is started again, by itself: without a limit one that crashes
 * at every start would go on for ever.
 */
export class CrashLimit {
  #crashes: readonly number[] = [];

  /** Counts a crash at this time (ms). True if the last five minutes had at most three crashes. */
  allowsRestart(now: number): boolean {
    this.#crashes = [...this.#crashes.filter((at) => now - at < WITHIN_MS), now];
    return this.#crashes.length <= MOST;
  }

  /** The user chose to continue. */
  reset(): void {
    this.#crashes = [];
  }
}
