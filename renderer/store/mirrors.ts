import type { MirrorEvent, MirrorRequest } from '../mirror/mirror-messages.ts';
import { look } from './look.ts';
import type { LogKey, WindowState } from './window-state.ts';

/** One mirror: a Web Worker, or what a test puts in its place. */
export interface MirrorPort {
  post(request: MirrorRequest, transfer: Transferable[]): void;
  close(): void;
}

export interface MirrorsOptions {
  openPort(onEvent: (event: MirrorEvent) => void): MirrorPort;
  onEvent(log: LogKey, event: MirrorEvent): void;
}

interface Mirror {
  /** undefined while it is spare. */
  log: LogKey | undefined;
  readonly port: MirrorPort;
  /** Type of a declaration -> the last one sent, as JSON. */
  readonly declared: Map<string, string>;
  turn: number;
  /** Who waits for this mirror to have answered, by the id of his question. */
  readonly settling: Map<number, () => void>;
}

/**
 * The mirrors of all open logs, kept informed of what the window looks at. One is started before there is a log: the
 * first log's rows need not wait for a worker.
 */
export class Mirrors {
  readonly #options: MirrorsOptions;
  readonly #mirrors = new Map<LogKey, Mirror>();
  #spare: Mirror | undefined;
  #posted = 0;
  #settleId = 0;

  constructor(options: MirrorsOptions) {
    this.#options = options;
    this.#spare = this.#start();
  }

  /** Opens and closes mirrors as logs come and go, and sends what has changed of the view. */
  sync(state: WindowState): void {
    const open = new Set(state.logs.map((log) => log.key));
    for (const [key, mirror] of this.#mirrors) {
      if (open.has(key)) continue;
      mirror.port.close();
      for (const resolve of mirror.settling.values()) resolve();
      this.#mirrors.delete(key);
    }
    for (const log of state.logs) {
      const mirror = this.#mirrors.get(log.key) ?? this.#open(log.key);
      for (const request of look(state, log)) {
        const text = JSON.stringify(request);
        if (mirror.declared.get(request.type) === text) continue;
        mirror.declared.set(request.type, text);
        this.post(log.key, request);
      }
    }
  }

  post(log: LogKey, request: MirrorRequest, transfer: Transferable[] = []): void {
    this.#posted++;
    this.#mirrors.get(log)?.port.post(request, transfer);
  }

  /** Rows [from, from + count) are wanted. */
  postWindow(log: LogKey, pane: 'tree' | 'flat', from: number, count: number): void {
    const mirror = this.#mirrors.get(log);
    if (mirror === undefined) return;
    mirror.turn++;
    this.post(log, { type: pane === 'tree' ? 'treeWindow' : 'flatWindow', from, count, turn: mirror.turn });
  }

  /** Requests so far: unchanged between two looks means that nobody asked for anything. */
  get posted(): number {
    return this.#posted;
  }

  /** When every mirror has answered what it was asked before this call, or is closed. */
  async settle(): Promise<void> {
    await Promise.all(
      [...this.#mirrors.values()].map(
        ({ port, settling }) =>
          new Promise<void>((resolve) => {
            this.#settleId++;
            settling.set(this.#settleId, resolve);
            port.post({ type: 'settle', id: this.#settleId }, []);
          }),
      ),
    );
  }

  #open(key: LogKey): Mirror {
    const mirror = this.#spare ?? this.#start();
    this.#spare = undefined;
    mirror.log = key;
    this.#mirrors.set(key, mirror);
    return mirror;
  }

  #start(): Mirror {
    const settling = new Map<number, () => void>();
    const port = this.#options.openPort((event) => {
      if (event.type === 'settled') {
        settling.get(event.id)?.();
        settling.delete(event.id);
      }
      const { log } = mirror;
      if (log !== undefined && this.#mirrors.get(log) === mirror) this.#options.onEvent(log, event);
    });
    const mirror: Mirror = { log: undefined, port, declared: new Map<string, string>(), turn: 0, settling };
    return mirror;
  }
}
