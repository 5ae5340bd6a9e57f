import type { ExportSource, MirrorEvent, MirrorRequest } from '../profile-worker/mirror-messages.ts';
import type { MirrorPort } from './mirrors.ts';
import type { LogKey, WindowState } from './window-state.ts';

export interface ExportsOptions {
  /** Starts a worker that only writes. */
  openPort(onEvent: (event: MirrorEvent) => void): MirrorPort;
  /** Posts to the worker that has the log's profile. */
  postToMirror(log: LogKey, request: MirrorRequest, transfer: Transferable[]): void;
  onEvent(log: LogKey, event: MirrorEvent): void;
}

/**
 * The workers that write files, one per running export: the panes are answered meanwhile, and ending the worker cancels
 * the export at once and frees its memory. The host serves a worker's code, so none can be started when it has ended: the
 * profile worker writes the file then, and the panes wait for it.
 */
export class Exports {
  readonly #options: ExportsOptions;
  /** Id of an export -> its worker. */
  readonly #ports = new Map<number, MirrorPort>();
  #isConnected = false;

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  /** Starts writing the file. */
  write(log: LogKey, source: ExportSource): void {
    const { id } = source.job;
    const request = { type: 'write', source } as const;
    const buffers = [...source.profile, ...(source.base ?? [])];
    if (!this.#isConnected) return this.#options.postToMirror(log, request, buffers);
    const port = this.#options.openPort((event) => {
      if (!this.#ports.has(id)) return;
      if (event.type !== 'exporting') this.#end(id);
      const isFailed = event.type === 'failed';
      this.#options.onEvent(log, isFailed ? { type: 'exportFailed', id, text: event.text } : event);
    });
    this.#ports.set(id, port);
    port.post([request], buffers);
  }

  /** Ends the workers of cancelled exports. */
  sync({ connection, exporting }: WindowState): void {
    this.#isConnected = connection.state === 'open';
    for (const id of this.#ports.keys()) if (!exporting.some((each) => each.id === id)) this.#end(id);
  }

  #end(id: number): void {
    this.#ports.get(id)?.close();
    this.#ports.delete(id);
  }
}

/** Whether an event tells of a file that nobody wants any more: the profile worker finishes it. */
export function isOfCancelledExport(event: MirrorEvent, { exporting }: WindowState): boolean {
  switch (event.type) {
    case 'exportSource':
      return exporting.every(({ id }) => id !== event.source.job.id);
    case 'exporting':
    case 'exported':
    case 'exportFailed':
      return exporting.every(({ id }) => id !== event.id);
    default:
      return false;
  }
}
