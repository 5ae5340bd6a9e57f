import type { ExportSource, MirrorEvent } from '../profile-worker/mirror-messages.ts';
import type { MirrorPort } from './mirrors.ts';
import type { LogKey, WindowState } from './window-state.ts';

export interface ExportsOptions {
  openPort(onEvent: (event: MirrorEvent) => void): MirrorPort;
  onEvent(log: LogKey, event: MirrorEvent): void;
}

interface Writer {
  readonly port: MirrorPort;
  /** undefined for the spare one. */
  job: { readonly id: number; readonly log: LogKey } | undefined;
}

/**
 * The workers that write files, one per running export: the mirror can answer meanwhile, and ending the worker cancels the
 * export at once and frees all its memory.
 *
 * One more worker with the writers' code is kept for the next export, because the host serves that code: what is in the
 * window can still be exported when the host has ended. While it has, a worker is used again instead of ended.
 */
export class Exports {
  readonly #options: ExportsOptions;
  /** Id of a running export -> its worker. */
  readonly #writers = new Map<number, Writer>();
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
    const { id } = source.job;
    const writer = this.#spare ?? this.#start();
    this.#spare = undefined;
    writer.job = { id, log };
    this.#writers.set(id, writer);
    writer.port.post([{ type: 'write', source }], source.profile);
    this.#startSpare();
  }

  /** Ends the workers of cancelled exports. */
  sync({ connection, exporting }: WindowState): void {
    this.#isConnected = connection.state === 'open';
    for (const [id, { port }] of this.#writers) {
      if (exporting.some((each) => each.id === id)) continue;
      this.#writers.delete(id);
      port.close();
    }
    this.#startSpare();
  }

  #startSpare(): void {
    if (!this.#keepsSpare || !this.#isConnected || this.#spare !== undefined) return;
    this.#spare = this.#start();
    this.#spare.port.post([{ type: 'loadWriters' }]);
  }

  #start(): Writer {
    const writer: Writer = {
      port: this.#options.openPort((event) => this.#hear(writer, event)),
      job: undefined,
    };
    return writer;
  }

  #hear(writer: Writer, event: MirrorEvent): void {
    const { job, port } = writer;
    if (job === undefined) {
      // Its code could not be loaded; the next export tries again.
      if (event.type === 'failed') this.#dropSpare(writer);
      return;
    }
    if (this.#writers.get(job.id) !== writer) return;
    if (event.type === 'exported') {
      this.#writers.delete(job.id);
      writer.job = undefined;
      if (this.#isConnected || this.#spare !== undefined) port.close();
      else this.#spare = writer;
    }
    this.#options.onEvent(
      job.log,
      event.type === 'failed' ? { type: 'exportFailed', id: job.id, text: event.text } : event,
    );
  }

  #dropSpare(writer: Writer): void {
    if (this.#spare !== writer) return;
    this.#spare = undefined;
    this.#keepsSpare = false;
    writer.port.close();
  }
}
