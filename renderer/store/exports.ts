import type { ExportSource, MirrorEvent } from '../profile-worker/mirror-messages.ts';
import type { MirrorPort } from './mirrors.ts';
import type { LogKey, WindowState } from './window-state.ts';

export interface ExportsOptions {
  openPort(onEvent: (event: MirrorEvent) => void): MirrorPort;
  onEvent(log: LogKey, event: MirrorEvent): void;
}

/**
 * The workers that write files, one for each export that is going on: mirrors go on answering, and a worker that is
 * ended stops wherever it is and gives all its memory back.
 */
export class Exports {
  readonly #options: ExportsOptions;
  readonly #ports = new Map<number, MirrorPort>();

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  /** Writes what a mirror gave. */
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

  /** Ends those that the window does not wait for any more. */
  sync({ exporting }: WindowState): void {
    for (const id of this.#ports.keys()) if (!exporting.some((each) => each.id === id)) this.#close(id);
  }

  #close(id: number): void {
    this.#ports.get(id)?.close();
    this.#ports.delete(id);
  }
}
