import type { MirrorEvent, MirrorRequest } from '../../profile-worker/mirror-messages.ts';
import { readLogs } from '../state/merged-logs.ts';
import { mirrorRequests } from './mirror-requests.ts';
import type { RowsPaneId } from '../panes/panes.ts';
import type { LogKey, WindowState } from '../state/window-state.ts';

/** The way to one mirror in the Web Worker, or to a test's replacement. */
export interface MirrorPort {
  /** Posts requests as one message: waking a worker costs the window a millisecond. */
  post(requests: readonly MirrorRequest[], transfer?: Transferable[]): void;
  close(): void;
}

interface MirrorsOptions {
  openPort(log: LogKey, onEvent: (event: MirrorEvent) => void): MirrorPort;
  onEvent(log: LogKey, event: MirrorEvent): void;
  /** Called with true when an answer takes noticeably long, with false when it has arrived. */
  onComputing(log: LogKey, computing: boolean): void;
  schedule(task: () => void, ms: number): void;
}

/** Delay after which users notice waiting, ms. */
const NOTICEABLE_MS = 200;

class Mirror {
  readonly log: LogKey;
  readonly port: MirrorPort;
  /** The present view. */
  requests: readonly MirrorRequest[] = [];
  /** Last declarations sent: type and pane -> JSON. */
  readonly declared = new Map<string, string>();
  /** Pane -> the rows that it asked for last. */
  readonly rows = new Map<RowsPaneId, Extract<MirrorRequest, { type: 'rows' }>>();
  /** Id of the barrier behind the last declarations, until it is answered: newer declarations wait for it. */
  unanswered: number | undefined;
  isComputing = false;
  turn = 0;
  /** Id of a barrier -> resolves the promise of `barrier()`. */
  readonly barriers = new Map<number, () => void>();

  constructor(log: LogKey, port: MirrorPort) {
    this.log = log;
    this.port = port;
  }
}

/** The mirrors of all open logs, kept informed of what the window looks at. */
export class Mirrors {
  readonly #options: MirrorsOptions;
  readonly #mirrors = new Map<LogKey, Mirror>();
  /** Number of requests posted so far. */
  posted = 0;
  #barrierId = 0;

  constructor(options: MirrorsOptions) {
    this.#options = options;
  }

  /** Opens mirrors for new logs, closes those of closed logs, and sends what has changed of the view. */
  sync(state: WindowState): void {
    const logs = readLogs(state);
    const open = new Set(logs.map((log) => log.key));
    for (const [key, mirror] of this.#mirrors) {
      if (open.has(key)) continue;
      mirror.port.close();
      for (const resolve of mirror.barriers.values()) resolve();
      this.#mirrors.delete(key);
    }
    for (const log of logs) {
      const mirror = this.#mirrors.get(log.key) ?? this.#open(log.key);
      mirror.requests = mirrorRequests(state, log);
      if (mirror.unanswered === undefined) this.#declare(mirror);
    }
  }

  /** Sends what changed of the view before the request, which refers to it. A delta does not refer to the view. */
  post(log: LogKey, request: MirrorRequest, transfer: Transferable[] = []): void {
    const mirror = this.#mirrors.get(log);
    if (mirror !== undefined && request.type !== 'delta') this.#declare(mirror);
    this.posted++;
    mirror?.port.post([request], transfer);
  }

  /**
   * Sends what has changed of the view, and a barrier. Until the barrier is answered later changes wait, so that while a
   * user types only the newest search text is computed. False when nothing has changed.
   */
  #declare(mirror: Mirror): boolean {
    const changed: MirrorRequest[] = [];
    for (const request of mirror.requests) {
      const subject = request.type === 'pane' ? `pane ${request.pane}` : request.type;
      const text = JSON.stringify(request);
      if (mirror.declared.get(subject) === text) continue;
      // A pane that was never on screen.
      if (request.type === 'pane' && request.spec === undefined && !mirror.declared.has(subject)) continue;
      mirror.declared.set(subject, text);
      changed.push(request);
    }
    if (changed.length === 0) return false;
    this.posted += changed.length;
    // Panes that are measured after the timeline do not wait for it.
    if (changed.every(({ type }) => type === 'timeline' || type === 'facts')) {
      mirror.port.post(changed);
      return false;
    }
    const id = ++this.#barrierId;
    mirror.unanswered = id;
    mirror.port.post([...changed, { type: 'barrier', id, flush: false }]);
    this.#options.schedule(() => {
      if (mirror.unanswered === id) this.#setComputing(mirror, true);
    }, NOTICEABLE_MS);
    return true;
  }

  #answered(mirror: Mirror, id: number): void {
    // Only the last barrier is waited for.
    if (mirror.unanswered !== id) return;
    mirror.unanswered = undefined;
    if (!this.#declare(mirror)) this.#setComputing(mirror, false);
  }

  #setComputing(mirror: Mirror, computing: boolean): void {
    const { log } = mirror;
    if (this.#mirrors.get(log) !== mirror || mirror.isComputing === computing) return;
    mirror.isComputing = computing;
    this.#options.onComputing(log, computing);
  }

  /** Rows [from, from + count) are wanted. */
  postRows(log: LogKey, pane: RowsPaneId, from: number, count: number): void {
    const mirror = this.#mirrors.get(log);
    if (mirror === undefined) return;
    mirror.turn++;
    const request = { type: 'rows', pane, from, count, turn: mirror.turn } as const;
    mirror.rows.set(pane, request);
    this.post(log, request);
  }

  /** The worker was started again and knows nothing: it is told all that it had been told. */
  restart(): void {
    for (const mirror of this.#mirrors.values()) {
      mirror.declared.clear();
      mirror.isComputing = false;
      this.#declare(mirror);
      const barriers = Array.from(
        mirror.barriers.keys(),
        (id) => ({ type: 'barrier', id, flush: true }) as const,
      );
      mirror.port.post([...mirror.rows.values(), ...barriers]);
    }
  }

  /**
   * Resolves when every mirror has computed all requests made before this call and all growth that is due, or is
   * closed.
   */
  async barrier(): Promise<void> {
    await Promise.all(
      [...this.#mirrors.values()].map(
        ({ port, barriers }) =>
          new Promise<void>((resolve) => {
            const id = ++this.#barrierId;
            barriers.set(id, resolve);
            port.post([{ type: 'barrier', id, flush: true }]);
          }),
      ),
    );
  }

  #open(log: LogKey): Mirror {
    const port = this.#options.openPort(log, (event) => {
      if (event.type === 'barrier') {
        mirror.barriers.get(event.id)?.();
        mirror.barriers.delete(event.id);
        this.#answered(mirror, event.id);
      }
      if (this.#mirrors.get(log) === mirror) this.#options.onEvent(log, event);
    });
    const mirror = new Mirror(log, port);
    this.#mirrors.set(log, mirror);
    return mirror;
  }
}
