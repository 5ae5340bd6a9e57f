import type { Worker } from 'node:worker_threads';
import type { WatchRequest } from '../worker/worker-messages.ts';

const ASK_EVERY_MS = 10_000;
/** The longest steps, such as parsing a large JSON text, take seconds. */
const MOST_UNANSWERED = 12;

/** How long a thread may take no messages, in words. */
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
