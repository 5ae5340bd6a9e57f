import { logOfDelta, type Transport } from '../../shared/protocol/transport.ts';
import {
  type Epoch,
  type HostMessage,
  type LogId,
  PROTOCOL_VERSION,
  type Revision,
} from '../../shared/protocol/messages.ts';
import type { ClientMessage } from '../../shared/protocol/client-messages.ts';

export type ConnectionState =
  | { readonly state: 'connecting' }
  | { readonly state: 'open' }
  /** The client tries again after a while. */
  | { readonly state: 'lost'; readonly reason: string }
  /** Not tried again: a reload or a new start is needed. */
  | { readonly state: 'closed'; readonly reason: string };

/** A message of the client to the window. */
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
 * The window's side of the protocol, over any transport: sends hello, checks the version, and opens a new transport when
 * one is lost.
 */
export class HostClient {
  readonly #options: HostClientOptions;
  #transport: Transport | undefined;
  #hasHello = false;
  #closed = false;
  /** Losses since the last `hello`. */
  #retries = 0;

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
    this.send({ type: 'ack', log, epoch, revision });
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
    this.#options.onEvent({ type: 'connection', connection: { state: 'lost', reason } });
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
      if (this.#hasHello) this.#options.onEvent({ type: 'delta', log: logOfDelta(message), message });
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
      this.send({ type: 'hello', protocol: PROTOCOL_VERSION });
      this.#options.onEvent({ type: 'connection', connection: { state: 'open' } });
    }
    if (this.#hasHello) this.#options.onEvent({ type: 'host', message: parsed });
  }
}
