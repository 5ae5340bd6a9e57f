import type { Worker } from 'node:worker_threads';
import type { Chosen } from '../../shared/facts/choice.ts';
import { NO_LOG_FACTS } from '../../shared/facts/log-facts.ts';
import type { Epoch, LogDescription, LogStatus } from '../../shared/protocol/messages.ts';
import type {
  SubscriberId,
  LogWorkerEvent,
  LogWorkerOptions,
  LogWorkerRequest,
} from '../worker/worker-messages.ts';

export interface OpenLogOptions {
  readonly description: LogDescription;
  readonly worker: LogWorkerOptions;
  /** Returns a thread that has received no message. The first one will be `worker`. */
  readonly startThread: () => Worker;
  readonly onStatus: (status: LogStatus) => void;
  /** An encoded delta; its first DELTA_PREFIX bytes are free for the id of the log. */
  readonly onDelta: (subscriber: SubscriberId, message: ArrayBuffer) => void;
}

/**
 * An open log and the worker thread that reads it. When the thread crashes, the state becomes 'failed'. The next
 * `subscribe` then starts another thread, which reads the file from its beginning for all subscribers.
 *
 * The thread of a file that is finished ends when every subscriber has everything. A later subscriber gets another one,
 * which ends likewise.
 */
export class OpenLog {
  readonly description: LogDescription;
  /** The latest status; undefined until the worker has sent one. */
  status: LogStatus | undefined;

  readonly #options: OpenLogOptions;
  readonly #subscribers = new Set<SubscriberId>();
  #worker: Worker | undefined;
  #isClosed = false;
  #chosen: Chosen | undefined;
  #isFinished = false;
  /** The thread reads again what was read, for a later subscriber: the status is not that of the others. */
  #isRereading = false;
  /** Number of `subscribe` and `choose` requests to the worker. */
  #requests = 0;

  constructor(options: OpenLogOptions) {
    this.#options = options;
    this.description = options.description;
    this.#start();
  }

  /** The file, without links. */
  get path(): string {
    return this.#options.worker.path;
  }

  /** Sends deltas from the beginning. A repeated call starts over. */
  subscribe(subscriber: SubscriberId): void {
    const isServed = this.#isFinished && this.status?.state !== 'failed';
    const others = isServed ? [] : [...this.#subscribers];
    this.#subscribers.add(subscriber);
    if (this.#worker === undefined) this.#start(new Set([...others, subscriber]), isServed);
    else this.#request({ type: 'subscribe', subscriber });
  }

  unsubscribe(subscriber: SubscriberId): void {
    if (this.#subscribers.delete(subscriber)) this.#post({ type: 'unsubscribe', subscriber });
  }

  acknowledge(request: LogWorkerRequest & { readonly type: 'ack' }): void {
    this.#post(request);
  }

  /** Reads the file again with these choices, for all subscribers. */
  choose(chosen: Chosen): void {
    this.#chosen = chosen;
    if (this.#worker === undefined) this.#start();
    else this.#request({ type: 'choose', chosen });
  }

  /** The file does not grow any more. */
  finish(): void {
    this.#isFinished = true;
    this.#post({ type: 'finish' });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #request(request: LogWorkerRequest & { readonly type: 'subscribe' | 'choose' }): void {
    this.#requests++;
    this.#post(request);
  }

  #post(request: LogWorkerRequest): void {
    this.#worker?.postMessage(request);
  }

  #start(subscribers: ReadonlySet<SubscriberId> = this.#subscribers, isRereading = false): void {
    const worker = this.#options.startThread();
    this.#worker = worker;
    this.#requests = 0;
    this.#isRereading = isRereading;
    worker.postMessage(this.#options.worker);
    worker.on('message', (event: LogWorkerEvent) => {
      if (this.#isClosed || worker !== this.#worker) return;
      if (event.type === 'delta') this.#options.onDelta(event.subscriber, event.message);
      else if (event.type === 'done') this.#rest(worker, event.requests);
      else if (!this.#isRereading) this.#report(event.status);
    });
    worker.on('error', (error) => this.#fail(worker, describeFailure(error)));
    worker.on('exit', () => this.#fail(worker, 'The thread that reads this log has ended'));
    if (this.#chosen !== undefined) this.#request({ type: 'choose', chosen: this.#chosen });
    for (const subscriber of subscribers) this.#request({ type: 'subscribe', subscriber });
    if (this.#isFinished) this.#post({ type: 'finish' });
  }

  /** Ends a thread that has nothing left to do. One that was given choices stays: another one would count epochs anew. */
  #rest(worker: Worker, requests: number): void {
    if (requests !== this.#requests || this.#chosen !== undefined) return;
    this.#worker = undefined;
    void worker.terminate();
  }

  #report(status: LogStatus): void {
    this.status = status;
    this.#options.onStatus(status);
  }

  #fail(worker: Worker, reason: string): void {
    if (this.#isClosed || worker !== this.#worker) return;
    this.#worker = undefined;
    this.#report({
      ...(this.status ?? EMPTY_STATUS),
      state: 'failed',
      detail: `${reason}; close the log and open it again.`,
    });
  }
}

function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError)
    return 'There is not enough memory for this log';
  return `An internal error stopped reading this log (${error instanceof Error ? error.message : String(error)})`;
}

const EMPTY_STATUS: LogStatus = {
  ...NO_LOG_FACTS,
  epoch: 0 as Epoch,
  state: 'failed',
  detail: undefined,
  restart: undefined,
  fileBytes: 0,
  readBytes: 0,
};
