import { stopExpressions } from '../../../shared/text/expression.ts';
import type { MirrorEvent, WorkerMessage, WorkerRequest } from '../../profile-worker/mirror-messages.ts';
import type { MirrorPort } from './mirrors.ts';
import type { LogKey } from '../state/window-state.ts';

/** A Web Worker, or a test's replacement. */
export interface WorkerLike {
  postMessage(message: WorkerRequest, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<WorkerMessage>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface ProfileWorkerOptions {
  start(): WorkerLike;
  /** False while the host, which serves the worker's code, cannot be reached. */
  mayStart(): boolean;
  /** The worker was ended, because an expression took too long; all that it knew is lost. */
  onStopped(expression: string): void;
  schedule(task: () => void, ms: number): void;
}

/** Longest that an expression is matched with the names of a log, in two halves: see `#watch`. */
const HALF_MS = 3_000;

/** The Web Worker with the mirrors of logs. It is ended and started again where an expression takes too long. */
export class ProfileWorker {
  readonly #options: ProfileWorkerOptions;
  readonly #listeners = new Map<LogKey, (event: MirrorEvent) => void>();
  #worker: WorkerLike;
  /** Counts the messages about expressions. */
  #matched = 0;

  constructor(options: ProfileWorkerOptions) {
    this.#options = options;
    this.#worker = this.#begin();
  }

  openPort(log: LogKey, onEvent: (event: MirrorEvent) => void): MirrorPort {
    this.#listeners.set(log, onEvent);
    return {
      post: (requests, transfer = []) => this.#post({ log, requests }, transfer),
      close: () => {
        this.#listeners.delete(log);
        this.#post({ log, requests: 'close' });
      },
    };
  }

  end(): void {
    this.#matched++;
    this.#worker.onmessage = null;
    this.#worker.terminate();
  }

  #post(request: WorkerRequest, transfer: Transferable[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  #begin(): WorkerLike {
    const worker = this.#options.start();
    worker.onmessage = ({ data }) => {
      if ('matching' in data) this.#watch(data.matching);
      else for (const event of data.events) this.#listeners.get(data.log)?.(event);
    };
    worker.onerror = (error) => {
      const text = `The profile view stopped: ${error.message}`;
      for (const listener of this.#listeners.values()) listener({ type: 'failed', text });
    };
    const stopped = stopExpressions([]);
    if (stopped.length > 0) worker.postMessage({ stopped }, []);
    return worker;
  }

  /**
   * Only the time between the announcement of an expression and its end counts. It is taken in two halves: where the page
   * itself was busy or asleep, the first is over before the end is heard, and the second is not.
   */
  #watch(expression: string | undefined): void {
    const number = ++this.#matched;
    if (expression === undefined) return;
    const after = (task: () => void): void =>
      this.#options.schedule(() => {
        if (number === this.#matched) task();
      }, HALF_MS);
    const stop = (): void => (this.#options.mayStart() ? this.#stop(expression) : after(stop));
    after(() => after(stop));
  }

  #stop(expression: string): void {
    this.end();
    stopExpressions([expression]);
    this.#worker = this.#begin();
    this.#options.onStopped(expression);
  }
}
