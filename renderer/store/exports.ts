import type { ExportSource, MirrorEvent } from '../profile-worker/mirror-messages.ts';
import type { MirrorPort } from './mirrors.ts';
import type { LogKey, WindowState } from './window-state.ts';

export interface ExportsOptions {
  openPort(onEvent: (event: MirrorEvent) => void): MirrorPort;
  onEvent(log: LogKey, event: MirrorEvent): void;
}

interface Job {
  readonly id: number;
  readonly log: LogKey;
  isCancelled: boolean;
}

interface Writer {
  readonly port: MirrorPort;
  /** In the order in which they are written; none for the spare one. */
  readonly jobs: Job[];
  /** Of the profiles that it was given. */
  bytes: number;
}

/** A worker that was given no more is kept for the next export: to start another costs more than what it holds. */
const KEPT_BYTES = 4e6;

/**
 * The workers that write files, one per running export: the mirror can answer meanwhile, and ending the worker cancels the
 * export at once and frees all its memory.
 *
 * A worker with the writers' code is kept for the next export, because the host serves that code: what is in the window
 * can still be exported when the host has ended. It is one that has written a small profile, or a spare one. While the
 * host has ended no worker can be started, so the last one is never ended: it writes one file after the other, and
 * finishes one that was cancelled, unheard.
 */
export class Exports {
  readonly #options: ExportsOptions;
  /** The workers with jobs. */
  readonly #writers = new Set<Writer>();
  #keepsSpare = false;
  #isConnected = false;
  #spare: Writer | undefined;

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  /** From now on a spare worker is kept. */
  keepSpare(): void {
    this.#keepsSpare = true;
    this.#startSpare();
  }

  /** Starts writing the file. */
  write(log: LogKey, source: ExportSource): void {
    const busy = this.#isConnected ? undefined : [...this.#writers].at(-1);
    const writer = this.#spare ?? busy ?? this.#start();
    this.#spare = undefined;
    const buffers = [...source.profile, ...(source.base ?? [])];
    for (const { byteLength } of buffers) writer.bytes += byteLength;
    writer.jobs.push({ id: source.job.id, log, isCancelled: false });
    this.#writers.add(writer);
    writer.port.post([{ type: 'write', source }], buffers);
    this.#startSpare();
  }

  /** Ends the workers of cancelled exports. */
  sync({ connection, exporting }: WindowState): void {
    this.#isConnected = connection.state === 'open';
    for (const writer of this.#writers) {
      for (const job of writer.jobs) if (!exporting.some(({ id }) => id === job.id)) job.isCancelled = true;
      const isLast = this.#writers.size === 1 && this.#spare === undefined;
      if (writer.jobs.some(({ isCancelled }) => !isCancelled) || (isLast && !this.#isConnected)) continue;
      this.#writers.delete(writer);
      writer.port.close();
    }
    this.#startSpare();
  }

  #startSpare(): void {
    if (!this.#keepsSpare || !this.#isConnected || this.#spare !== undefined) return;
    if ([...this.#writers].some(isKept)) return;
    this.#spare = this.#start();
    this.#spare.port.post([{ type: 'loadWriters' }]);
  }

  #start(): Writer {
    const writer: Writer = {
      port: this.#options.openPort((event) => this.#hear(writer, event)),
      jobs: [],
      bytes: 0,
    };
    return writer;
  }

  #hear(writer: Writer, event: MirrorEvent): void {
    const { jobs } = writer;
    if (event.type === 'failed') {
      // A spare worker's code could not be loaded: the next export tries again.
      if (jobs.length === 0) this.#dropSpare(writer);
      else this.#fail(writer, event.text);
      return;
    }
    const job = jobs.at(0);
    if (job === undefined || !this.#writers.has(writer)) return;
    if (event.type === 'exported') {
      jobs.shift();
      if (jobs.length === 0) this.#rest(writer);
    }
    if (!job.isCancelled) this.#options.onEvent(job.log, event);
  }

  /** A worker without further jobs. */
  #rest(writer: Writer): void {
    this.#writers.delete(writer);
    const isNext = this.#spare === undefined && (!this.#isConnected || (this.#keepsSpare && isKept(writer)));
    if (isNext) this.#spare = writer;
    else writer.port.close();
  }

  #fail(writer: Writer, text: string): void {
    if (!this.#writers.delete(writer)) return;
    writer.port.close();
    for (const { id, log, isCancelled } of writer.jobs)
      if (!isCancelled) this.#options.onEvent(log, { type: 'exportFailed', id, text });
  }

  #dropSpare(writer: Writer): void {
    if (this.#spare !== writer) return;
    this.#spare = undefined;
    this.#keepsSpare = false;
    writer.port.close();
  }
}

function isKept({ bytes }: Writer): boolean {
  return bytes <= KEPT_BYTES;
}
