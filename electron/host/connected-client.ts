import {
  type ClientMessage,
  type HostMessage,
  type LogId,
  type LogStatus,
  PROTOCOL_VERSION,
} from '../../shared/protocol/messages.ts';
import type { Transport } from '../../shared/protocol/transport.ts';
import type { SubscriberId } from '../worker/worker-messages.ts';
import { validateClientMessage } from './validate.ts';

/** Beyond this many queued bytes only deltas are sent, which the client's acknowledgements bound. */
const MAX_QUEUED_BYTES = 1 << 20;
/** After this long a status that was held back is tried again. */
const RETRY_MS = 250;
const HELLO_WITHIN_MS = 10_000;

export interface ClientListener {
  /** It has sent hello in this version of the protocol; from now on it is sent everything. */
  onGreeted(client: ConnectedClient): void;
  onMessage(client: ConnectedClient, message: Exclude<ClientMessage, { readonly type: 'hello' }>): void;
  onGone(client: ConnectedClient): void;
}

/**
 * A window or a page in a browser. Its messages are validated before anything else reads them; a client that sends
 * anything else is told why and disconnected.
 */
export class ConnectedClient {
  readonly id: SubscriberId;
  readonly #transport: Transport;
  readonly #listener: ClientListener;
  readonly #helloTimer: NodeJS.Timeout;
  #isGreeted = false;
  #isOpen = true;
  /** Log -> its latest status, while the queue drains. */
  readonly #heldBack = new Map<LogId, LogStatus>();
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(id: SubscriberId, transport: Transport, greeting: HostMessage, listener: ClientListener) {
    this.id = id;
    this.#transport = transport;
    this.#listener = listener;
    this.#helloTimer = setTimeout(
      () => this.#disconnect('No greeting came within 10 seconds.'),
      HELLO_WITHIN_MS,
    );
    this.#helloTimer.unref();
    transport.onMessage((raw) => this.#receive(raw));
    transport.onClose(() => this.#end());
    this.#post(greeting);
  }

  /** Works as soon as the host's hello is sent, so that the client misses nothing before its own hello. */
  send(message: HostMessage): void {
    if (this.#isOpen) this.#post(message);
  }

  /** While much is queued for the client the status is held back, and a later one replaces it. */
  sendStatus(log: LogId, status: LogStatus): void {
    if (!this.#isGreeted || !this.#isOpen) return;
    this.#heldBack.set(log, status);
    this.#sendHeldBack();
  }

  /** A delta that is addressed already. */
  sendDelta(message: ArrayBuffer): void {
    if (this.#isOpen) this.#transport.send(message);
  }

  forget(log: LogId): void {
    this.#heldBack.delete(log);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#transport.close();
    this.#end();
  }

  #sendHeldBack(): void {
    if (this.#transport.queuedBytes > MAX_QUEUED_BYTES) {
      this.#retryTimer ??= setTimeout(() => {
        this.#retryTimer = undefined;
        if (this.#isOpen) this.#sendHeldBack();
      }, RETRY_MS).unref();
      return;
    }
    for (const [log, status] of this.#heldBack) this.#post({ type: 'status', log, status });
    this.#heldBack.clear();
  }

  #receive(raw: string | ArrayBuffer): void {
    if (!this.#isOpen) return;
    const validated = validateClientMessage(raw);
    if ('refusal' in validated) {
      this.#disconnect(`The window sent ${validated.refusal}. Reload it.`);
      return;
    }
    const { message } = validated;
    if (message.type !== 'hello') {
      if (this.#isGreeted) this.#listener.onMessage(this, message);
      else this.#disconnect('The window did not greet. Reload it.');
      return;
    }
    if (this.#isGreeted) {
      this.#disconnect('The window greeted twice. Reload it.');
      return;
    }
    if (message.protocol !== PROTOCOL_VERSION) {
      this.#disconnect(
        `The window speaks protocol ${message.protocol}, this host ${PROTOCOL_VERSION}. Reload the window; if that ` +
          'does not help, restart Leanscope.',
      );
      return;
    }
    clearTimeout(this.#helloTimer);
    this.#isGreeted = true;
    this.#listener.onGreeted(this);
  }

  #disconnect(text: string): void {
    if (!this.#isOpen) return;
    this.#post({ type: 'problem', text });
    this.close();
  }

  #post(message: HostMessage): void {
    this.#transport.send(JSON.stringify(message));
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#helloTimer);
    clearTimeout(this.#retryTimer);
    this.#listener.onGone(this);
  }
}
