import { logOfDelta } from '../../shared/protocol/delta-message.ts';
import {
  type Epoch,
  type HostMessage,
  type LogId,
  PROTOCOL_VERSION,
  type Revision,
} from '../../shared/protocol/messages.ts';
import type { ClientMessage } from '../../shared/protocol/client-messages.ts';
import type { Transport } from '../../shared/protocol/transport.ts';

export type ConnectionState =
  | { readonly state: 'connecting' }
  | { readonly state: 'open' }
  /** Tried again after `retryMs`. */
  | { readonly state: 'lost'; readonly reason: string; readonly retryMs: number }
  /** Not tried again: a reload or a new start is needed. */
  | { readonly state: 'closed'; readonly reason: string };

/** What the client reports to the window. */
export type ClientEvent =
  | { readonly type: 'connection'; readonly connection: ConnectionState }
  | { readonly type: 'host'; readonly message: HostMessage }
  | { readonly type: 'delta'; readonly log: LogId; readonly message: ArrayBuffer };

export interface HostClientOptions {
  openTransport(): Transport;
  /**
   * Why a lost connection cannot be opened again just now, a sentence; undefined: it can. Not given where a lost connection
   * stays lost.
   */
  readonly obstacle?: (() => Promise<string | undefined>) | undefined;
  onEvent(event: ClientEvent): void;
  /** `setTimeout`, or a test's replacement for it. */
  schedule(task: () => Promise<void>, ms: number): void;
}

const FIRST_RETRY_MS = 250;
/** A request that nobody answers costs a millisecond. */
const LAST_RETRY_MS = 500;

/**
 * The window's side of the protocol, over any transport: sends hello, checks the version, opens a new transport when
 * one is lost, and holds acknowledgements back while a log is frozen.
 */
export class HostClient {
  readonly #options: HostClientOptions;
  #transport: Transport | undefined;
  #hasHello = false;
  #closed = false;
  /** Losses since the last `hello`. */
  #retries = 0;
  /** The host's run, from its last `hello`. */
  #run = '';
  /** Frozen logs, each with the messages held back until it is resumed. */
  readonly #frozen = new Map<LogId, Waiting>();

  constructor(options: HostClientOptions) {
    this.#options = options;
  }

  /** Opens a transport. Call it once. */
  connect(): void {
    this.#hasHello = false;
    this.#options.onEvent({ type: 'connection', connection: { state: 'connecting' } });
    const transport = this.#options.openTransport();
    this.#transport = transport;
    transport.onMessage((message) => {
      if (transport === this.#transport) this.#receive(message);
    });
    transport.onClose((reason) => {
      if (transport === this.#transport && !this.#closed) this.#lost(reason);
    });
  }

  /** Dropped while there is no connection: `hello` brings the complete state again. */
  send(message: ClientMessage): void {
    if (this.#hasHello) this.#transport?.send(JSON.stringify(message));
  }

  ack(log: LogId, epoch: Epoch, revision: Revision): void {
    const waiting = this.#frozen.get(log);
    if (waiting !== undefined) waiting.ack = { epoch, revision };
    else this.send({ type: 'ack', log, epoch, revision });
  }

  /**
   * Freezes a log: nothing is acknowledged, so the host sends only the deltas that it may send without acknowledgement.
   * They wait here. The host keeps reading.
   */
  freeze(log: LogId): void {
    if (!this.#frozen.has(log)) this.#frozen.set(log, nothingWaits());
  }

  resume(log: LogId): void {
    const waiting = this.#frozen.get(log);
    this.#frozen.delete(log);
    if (waiting?.ack !== undefined) this.ack(log, waiting.ack.epoch, waiting.ack.revision);
    for (const message of waiting?.deltas ?? []) this.#options.onEvent({ type: 'delta', log, message });
  }

  close(): void {
    this.#closed = true;
    this.#transport?.close();
  }

  #lost(reason: string): void {
    this.#transport = undefined;
    this.#hasHello = false;
    const { obstacle } = this.#options;
    if (obstacle === undefined) {
      this.#end(reason);
      return;
    }
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** this.#retries, LAST_RETRY_MS);
    this.#retries++;
    this.#options.onEvent({ type: 'connection', connection: { state: 'lost', reason, retryMs } });
    this.#options.schedule(async () => {
      const why = this.#closed ? undefined : await obstacle();
      if (this.#closed) return;
      if (why === undefined) this.connect();
      else this.#lost(why);
    }, retryMs);
  }

  #end(reason: string): void {
    this.#closed = true;
    this.#transport?.close();
    this.#options.onEvent({ type: 'connection', connection: { state: 'closed', reason } });
  }

  #receive(message: string | ArrayBuffer): void {
    if (typeof message !== 'string') {
      if (this.#hasHello) this.#receiveDelta(logOfDelta(message), message);
      return;
    }
    const parsed = JSON.parse(message) as HostMessage;
    if (parsed.type === 'hello') {
      if (parsed.protocol !== PROTOCOL_VERSION) {
        this.#end(
          `This page uses protocol ${PROTOCOL_VERSION}, the host (Leanscope ${parsed.version}) uses ` +
            `${parsed.protocol}. Reload the page; if that does not help, restart the host.`,
        );
        return;
      }
      this.#hasHello = true;
      this.#retries = 0;
      // Held deltas belong to the lost connection; the logs are subscribed to again.
      if (parsed.run === this.#run)
        for (const log of this.#frozen.keys()) this.#frozen.set(log, nothingWaits());
      else this.#frozen.clear();
      this.#run = parsed.run;
      this.send({ type: 'hello', protocol: PROTOCOL_VERSION });
      this.#options.onEvent({ type: 'connection', connection: { state: 'open' } });
    }
    if (this.#hasHello) this.#options.onEvent({ type: 'host', message: parsed });
  }

  #receiveDelta(log: LogId, message: ArrayBuffer): void {
    const waiting = this.#frozen.get(log);
    if (waiting === undefined) this.#options.onEvent({ type: 'delta', log, message });
    else waiting.deltas.push(message);
  }
}

interface Waiting {
  ack: { readonly epoch: Epoch; readonly revision: Revision } | undefined;
  readonly deltas: ArrayBuffer[];
}

function nothingWaits(): Waiting {
  return { ack: undefined, deltas: [] };
}
