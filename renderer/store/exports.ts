import type { ExportSource, MirrorEvent } from '../profile-worker/mirror-messages.ts';
import type { MirrorPort } from './mirrors.ts';
import type { LogKey, WindowState } from './window-state.ts';

export interface ExportsOptions {
  openPort(onEvent: (event: MirrorEvent) => void): MirrorPort;
  onEvent(log: LogKey, event: MirrorEvent): void;
}

/**
 * The workers that write files, one per running export: the mirror can answer meanwhile, and ending the worker cancels the
 * export at once and frees all its memory.
 */
export class Exports {
  readonly #options: ExportsOptions;
  readonly #ports = new Map<number, MirrorPort>();

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  /** Starts a worker that writes the file. */
  write(log: LogKey, source: ExportSource): void {
    const { id } = source.job;
    const port = this.#options.openPort((event) => {
      if (!this.#ports.has(id)) return;
      if (event.type === 'exported') this.#close(id);
      this.#options.onEvent(
        log,
        event.type === 'failed' ? { type: 'exportFailed', id, text: event.text } : event,
      );
    });
    this.#ports.set(id, port);
    port.post([{ type: 'write', source }], source.profile);
  }

  /** Ends the workers of cancelled exports. */
  sync({ exporting }: WindowState): void {
    for (const id of this.#ports.keys()) if (!exporting.some((each) => each.id === id)) this.#close(id);
  }

  #close(id: number): void {
    this.#ports.get(id)?.close();
    this.#ports.delete(id);
  }
}
