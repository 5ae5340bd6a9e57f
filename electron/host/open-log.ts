import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import { NO_LOG_FACTS } from '../../shared/facts/log-facts.ts';
import type { Epoch, LogDescription, LogStatus } from '../../shared/protocol/messages.ts';
import { isFleetAddress } from '../fleet/fleet-address.ts';
import { CrashLimit, STUCK_AFTER, ThreadWatch } from './log-threads.ts';
import { HeldChunks } from './held-chunks.ts';
import type {
  SubscriberId,
  LogWorkerEvent,
  LogWorkerOptions,
  LogWorkerRequest,
  SaveOutcome,
  RecordingEnd,
} from '../worker/worker-messages.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

interface OpenLogOptions {
  readonly description: LogDescription;
  readonly worker: LogWorkerOptions;
  /** The absolute path as the user named it, which may be a link; undefined for what cannot be opened again by a path. */
  readonly openedAs?: string;
  /** The log whose file this one reads as well. */
  readonly again?: OpenedAgain;
  /** Returns a thread that has received no message. The first one will be `worker`. */
  readonly startThread: () => Worker;
  /** Monotonic ms. */
  readonly now: () => number;
  readonly onStatus: (status: LogStatus) => void;
  /** An encoded delta; its first DELTA_PREFIX bytes are free for the id of the log. */
  readonly onDelta: (subscriber: SubscriberId, message: ArrayBuffer) => void;
}

export interface OpenedAgain {
  readonly log: OpenLog;
  /** See `copyChunks`; the new log closes them. */
  readonly chunks: HeldChunks;
}

/** Time in which a thread that asks a database can tell it that the answer is no longer wanted. */
const STOP_MS = 3_000;

/**
 * An open log and the worker thread that reads it. When the thread crashes, another one reads the file from its beginning
 * for all subscribers. After three crashes in five minutes, or when memory ran out, the state becomes 'failed' instead,
 * until the next `subscribe`.
 *
 * While the thread takes no messages the state is 'waiting'. It may be in a step that never ends, or in a call to a drive
 * that does not answer: nothing tells these apart, so the thread is not ended, and goes on when the drive is back.
 *
 * The thread of a finished file ends when every subscriber has all of it. For a later subscriber another thread is
 * started, which ends in the same way.
 */
export class OpenLog {
  readonly description: LogDescription;
  readonly #options: OpenLogOptions;
  /** The latest status; undefined until the worker has sent one. */
  #reported: LogStatus | undefined;
  /** -> whether it asked for samples. */
  readonly #subscribers = new Map<SubscriberId, boolean>();
  #worker: Worker | undefined;
  #watch: ThreadWatch | undefined;
  #isClosed = false;
  #chosen: Chosen | undefined;
  #isFinished = false;
  /** The end of a recording; undefined while it goes on, and for a file. */
  #end: RecordingEnd | undefined;
  /** The thread reads a finished file again for a later subscriber. Its status does not go to the other subscribers. */
  #isRereading = false;
  /** Number of `subscribe` and `choose` requests to the worker. */
  #requests = 0;
  readonly #crashes = new CrashLimit();
  readonly #chunks: HeldChunks;
  readonly #saving = new Map<number, (outcome: SaveOutcome) => void>();
  #lastSave = 0;
  /** Callers that wait for the end of the recording. */
  readonly #onEnded: (() => void)[] = [];

  constructor(options: OpenLogOptions) {
    this.#options = options;
    this.description = options.description;
    const { again } = options;
    this.#chunks = again === undefined ? new HeldChunks() : again.chunks;
    this.#end = again === undefined ? undefined : again.log.#end;
    this.#start();
  }

  /** Undefined until there is one. */
  get status(): LogStatus | undefined {
    if (this.#watch?.isStuck !== true) return this.#reported;
    return { ...(this.#reported ?? EMPTY_STATUS), state: 'waiting', detail: STUCK };
  }

  /** The file, without links. */
  get path(): string {
    return this.file.path;
  }

  /** See `OpenLogOptions`. */
  get openedAs(): string | undefined {
    return this.#options.openedAs;
  }

  /** The path that is read, without links, and how it is read. */
  get file(): LogWorkerOptions {
    return this.#options.worker;
  }

  /** With what the file is read; nothing if it is read as by default. */
  get chosen(): Chosen {
    return this.#chosen ?? NOTHING_CHOSEN;
  }

  /** The chunks for another log of this recording, which may have been removed from the disk; none for a file. */
  copyChunks(): Promise<HeldChunks> {
    return this.#chunks.copy();
  }

  /** Sends deltas from the beginning; `samples`: with the samples. A repeated call starts over. */
  subscribe(subscriber: SubscriberId, samples: boolean): void {
    const isServed = this.#isFinished && this.status?.state !== 'failed';
    const others = isServed ? [] : [...this.#subscribers];
    this.#subscribers.set(subscriber, samples);
    if (this.#worker === undefined) this.#start(new Map([...others, [subscriber, samples]]), isServed);
    else this.#request({ type: 'subscribe', subscriber, samples });
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

  /** No more of the recording follows, for the reason of this sentence. */
  end(reason: string): void {
    // The JVM may begin others until another thread reads this one.
    this.#end = { reason, atNs: BigInt(Date.now()) * 1_000_000n };
    this.#post({ type: 'end', ...this.#end });
  }

  /** Writes what there is of a recording to a new file. Resolves to the number of missing parts; rejects with the reason. */
  save(path: string): Promise<number> {
    const request = ++this.#lastSave;
    return new Promise((resolve, reject) => {
      this.#saving.set(request, (outcome) => {
        this.#saving.delete(request);
        if ('missing' in outcome) resolve(outcome.missing);
        else reject(new Error(outcome.problem));
      });
      if (this.#isClosed) this.#answerSaves({ problem: 'the log was closed' });
      else if (this.#worker === undefined) this.#answerSaves({ problem: 'the log is not being read' });
      else this.#post({ type: 'save', request, path });
    });
  }

  /** Resolves when the end of a recording is read, or reading has ended otherwise; at the latest after this time. */
  async untilEnded(withinMs: number): Promise<void> {
    if (this.#hasEnded) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#onEnded.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  get #hasEnded(): boolean {
    return this.#isClosed || ['ended', 'gone', 'failed', 'full'].includes(this.#reported?.state ?? '');
  }

  async close(): Promise<void> {
    this.#answerSaves({ problem: 'the log was closed' });
    this.#isClosed = true;
    this.#tellEnded();
    this.#watch?.stop();
    await Promise.all([this.#stopThread(), this.#chunks.close()]);
  }

  /** A thread that asks a database tells it first that the answer is no longer wanted. */
  async #stopThread(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    if (isFleetAddress(this.path)) {
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      this.#post({ type: 'stop' });
      await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })]);
    }
    await worker.terminate();
  }

  #answerSaves(outcome: SaveOutcome): void {
    for (const answer of [...this.#saving.values()]) answer(outcome);
  }

  #request(request: LogWorkerRequest & { readonly type: 'subscribe' | 'choose' }): void {
    this.#requests++;
    this.#post(request);
  }

  #post(request: LogWorkerRequest): void {
    this.#worker?.postMessage(request);
  }

  #start(subscribers: ReadonlyMap<SubscriberId, boolean> = this.#subscribers, isRereading = false): void {
    const worker = this.#options.startThread();
    this.#worker = worker;
    this.#requests = 0;
    this.#isRereading = isRereading;
    // The end comes first: the thread must not begin with what was recorded after it.
    const open = this.#chunks.links;
    worker.postMessage({
      ...this.#options.worker,
      ...(this.#end === undefined ? {} : { end: this.#end }),
      ...(open.length === 0 ? {} : { open }),
    });
    worker.on('message', (event: LogWorkerEvent) => {
      if (this.#isClosed || worker !== this.#worker) return;
      const wasStuck = this.#watch?.isStuck === true;
      this.#watch?.hear();
      if (wasStuck) this.#tellStatus();
      if (event.type === 'delta') this.#options.onDelta(event.subscriber, event.message);
      else if (event.type === 'done') this.#rest(worker, event.requests);
      else if (event.type === 'chunks') void this.#chunks.hold(event.chunks);
      else if (event.type === 'saved') this.#saving.get(event.request)?.(event);
      else if (event.type === 'status') {
        if (!this.#isRereading) this.#report(event.status);
      }
    });
    this.#watch?.stop();
    this.#watch = new ThreadWatch(worker, () => this.#tellStatus());
    worker.on('error', (error) => this.#fail(worker, describeFailure(error), !isOutOfMemory(error)));
    worker.on('exit', () => this.#fail(worker, 'The thread that reads this log has ended', true));
    if (this.#chosen !== undefined) this.#request({ type: 'choose', chosen: this.#chosen });
    for (const [subscriber, samples] of subscribers)
      this.#request({ type: 'subscribe', subscriber, samples });
    if (this.#isFinished) this.#post({ type: 'finish' });
  }

  /** Ends a thread that has nothing left to do. One that was given choices stays: a new one would start counting epochs again. */
  #rest(worker: Worker, requests: number): void {
    if (requests !== this.#requests || this.#chosen !== undefined) return;
    this.#worker = undefined;
    this.#watch?.stop();
    void worker.terminate();
  }

  #report(status: LogStatus): void {
    this.#reported = status;
    this.#tellEnded();
    this.#tellStatus();
  }

  #tellEnded(): void {
    if (this.#hasEnded) for (const tell of this.#onEnded.splice(0)) tell();
  }

  #tellStatus(): void {
    const { status } = this;
    if (status !== undefined) this.#options.onStatus(status);
  }

  #fail(worker: Worker, reason: string, canRestart: boolean): void {
    if (this.#isClosed || worker !== this.#worker) return;
    this.#worker = undefined;
    this.#watch?.stop();
    this.#answerSaves({ problem: reason });
    if (canRestart && this.#crashes.allowsRestart(this.#options.now())) {
      this.#start();
      return;
    }
    this.#report({
      ...(this.#reported ?? EMPTY_STATUS),
      state: 'failed',
      detail: `${reason}; close the log and open it again.`,
    });
  }
}

/** It would run out of memory at the same place again. */
function isOutOfMemory(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError;
}

function describeFailure(error: unknown): string {
  if (isOutOfMemory(error)) return 'There is not enough memory for this log';
  return `An internal error stopped reading this log (${errorMessage(error)})`;
}

const STUCK = `Reading has not gone on for ${STUCK_AFTER}: the drive may not answer, or the file keeps a processor busy. Leanscope waits; closing the log ends it.`;

const EMPTY_STATUS: LogStatus = {
  ...NO_LOG_FACTS,
  epoch: 0 as Epoch,
  state: 'failed',
  detail: undefined,
  restart: undefined,
  fileBytes: 0,
  readBytes: 0,
};
