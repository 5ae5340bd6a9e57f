/** The thread that reads and answers for assistants: it is ended when a question takes too long, and begun again. */
import { Worker } from 'node:worker_threads';
import type { Allowed } from './allowed-files.ts';
import type { Call, Reply } from './call-tool.ts';
import type { Opened } from './session.ts';

/** The files of a session when its thread begins. */
export interface AskingStart {
  readonly allowed: Allowed;
  readonly opened: readonly Opened[];
}

/** A reply, with all that is open since. */
export interface Replied {
  readonly reply: Reply;
  readonly opened: readonly Opened[];
}

/** Answers one call after another. */
export class Asker {
  readonly #program: URL;
  readonly #allowed: Allowed;
  readonly #budgetMs: number;
  #opened: readonly Opened[] = [];
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Settles the call that is being answered. */
  #settle: (reply: Reply) => void = () => undefined;
  #ended: () => void = () => undefined;

  /** `program`: the thread's. `budgetMs`: how long a call may take. */
  constructor(program: URL, allowed: Allowed, budgetMs: number) {
    this.#program = program;
    this.#allowed = allowed;
    this.#budgetMs = budgetMs;
  }

  /** Resolves to an answer, or to an error for the assistant. `signal`: the call is cancelled. */
  ask(call: Call, signal?: AbortSignal): Promise<Reply> {
    const answered = this.#last.then(async () => this.#call(call, signal));
    this.#last = answered;
    return answered;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #call(call: Call, signal: AbortSignal | undefined): Promise<Reply> {
    if (signal?.aborted === true) return failed('cancelled');
    const worker = (this.#worker ??= this.#begin());
    const reply = await new Promise<Reply>((settle) => {
      this.#settle = settle;
      const seconds = this.#budgetMs / 1000;
      const cut = `cut after ${seconds} s: nothing was answered, handles stay valid. Ask for less, as a time range or threads in scope; a person may start leanscope mcp with a longer --budget`;
      const timer = setTimeout(() => this.#lose(worker, cut), this.#budgetMs);
      const cancel = (): void => this.#lose(worker, 'cancelled');
      signal?.addEventListener('abort', cancel);
      this.#ended = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
      };
      worker.postMessage(call);
    });
    this.#ended();
    return reply;
  }

  #begin(): Worker {
    const worker = new Worker(this.#program, {
      workerData: { allowed: this.#allowed, opened: this.#opened } satisfies AskingStart,
      // Nothing but messages of the protocol may be written to standard output.
      stdout: true,
    });
    const lost = (reason: string): void =>
      this.#lose(worker, `the question could not be answered (${reason}); handles stay valid, ask for less`);
    worker.on('error', (error: Error) => lost(error.message));
    worker.on('exit', () => lost('its thread ended'));
    worker.on('message', ({ reply, opened }: Replied) => {
      this.#opened = opened;
      this.#settle(reply);
    });
    return worker;
  }

  /** Ends the thread; the next call begins another one. */
  #lose(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#settle(failed(reason));
    void worker.terminate();
  }
}

function failed(text: string): Reply {
  return { text, isError: true };
}
