import { flameBuffers } from '../../shared/engine/views/flame-columns.ts';
import { stopExpressions, watchExpressions } from '../../shared/text/expression.ts';
import { Mirror } from './mirror.ts';
import type { MirrorEvent, MirrorRequest, WorkerMessage, WorkerRequest } from './mirror-messages.ts';
import { SharedProfiles } from './shared-profiles.ts';
import { loadWriters, runExport } from './window-export.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Loads the code that reads files which only the browser can reach. Most windows never need it. */
type LoadReader = () => Promise<typeof import('./read-local-file.ts')>;

const profiles = new SharedProfiles();
const logs = new Map<string, OpenLog>();
let loadReader: LoadReader | undefined;

/** A log of the window, with its mirror. */
class OpenLog {
  readonly #log: string;
  readonly #mirror: Mirror;
  /** All events of one request or refresh are posted as one message, so that the window draws once. */
  #pending: MirrorEvent[] = [];
  /** Aborted when the file is read again with other choices. */
  #reading = new AbortController();
  #isClosed = false;

  constructor(log: string) {
    this.#log = log;
    this.#mirror = new Mirror((event) => this.#post(event), { log, profiles });
  }

  /** Handles requests in their order. When one fails, later ones are still handled. */
  handle(requests: readonly MirrorRequest[]): void {
    for (const request of requests) {
      try {
        if (request.type === 'readFile') void this.#readFile(request).catch(this.#fail);
        // The export itself tries again, and says why it fails.
        else if (request.type === 'loadWriters') void loadWriters().catch(() => undefined);
        else if (request.type === 'write') void this.#write(request);
        else if (request.type === 'runs') void this.#compareRuns(request).catch(this.#fail);
        else this.#mirror.handle(request);
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#reading.abort();
    this.#mirror.close();
  }

  #post(event: MirrorEvent): void {
    if (this.#pending.length === 0) queueMicrotask(() => this.#flush());
    this.#pending.push(event);
    // Not batched: the host waits for `applied`, and `exporting` is sent while its request is still running.
    if (event.type === 'applied' || event.type === 'exporting') this.#flush();
  }

  #flush(): void {
    const events = this.#pending;
    this.#pending = [];
    if (events.length === 0 || this.#isClosed) return;
    const message: WorkerMessage = { log: this.#log, events };
    self.postMessage(message, events.flatMap(buffersOf));
  }

  readonly #fail = (error: unknown): void => {
    this.#post({ type: 'failed', text: errorMessage(error) });
  };

  async #write({ source }: MirrorRequest & { type: 'write' }): Promise<void> {
    try {
      await runExport(source, (event) => this.#post(event));
    } catch (error) {
      this.#post({ type: 'exportFailed', id: source.job.id, text: errorMessage(error) });
    }
  }

  async #compareRuns(question: MirrorRequest & { type: 'runs' }): Promise<void> {
    const { runReport } = await import('./run-report.ts');
    this.#post({ type: 'runs', report: runReport(question, (log) => profiles.get(log)) });
  }

  async #readFile({ file, chosen }: MirrorRequest & { type: 'readFile' }): Promise<void> {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    const reader = await loadReader?.();
    const post = (event: MirrorEvent): void => this.#post(event);
    if (!signal.aborted) await reader?.readLocalFile(file, chosen, this.#mirror, post, signal);
  }
}

/** Buffers of an event that are transferred instead of copied. */
function buffersOf(event: MirrorEvent): ArrayBuffer[] {
  if (event.type === 'exportSource') return [...event.source.profile, ...(event.source.base ?? [])];
  return event.type === 'flame' ? flameBuffers(event.layout) : [];
}

/** Passes messages between the window and the mirrors of all logs, in a Web Worker. `load` undefined: it reads no files. */
export function serveMirrors(load: LoadReader | undefined): void {
  loadReader = load;
  watchExpressions((matching) => self.postMessage({ matching } satisfies WorkerMessage));
  self.onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
    if ('stopped' in data) return void stopExpressions(data.stopped);
    const { log, requests } = data;
    let open = logs.get(log);
    if (requests === 'close') {
      open?.close();
      logs.delete(log);
      return;
    }
    if (open === undefined) logs.set(log, (open = new OpenLog(log)));
    open.handle(requests);
  };
}
