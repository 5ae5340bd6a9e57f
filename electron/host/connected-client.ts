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
/** How soon a status that was held back is tried again. */
const RETRY_MS = 250;
const HELLO_WITHIN_MS = 10_000;

export interface ClientListener {
  /** Said hello in our version of the protocol; from now on it hears everything. */
  onGreeted(client: ConnectedClient): void;
  onMessage(client: ConnectedClient, message: Exclude<ClientMessage, { readonly type: 'hello' }>): void;
  onGone(client: ConnectedClient): void;
}

/**
 * A window, or a page in a browser, as the host sees it. What it sends is checked before anything else looks at it;
 * who sends what the protocol does not know is told why, and put out.
 */
export class ConnectedClient {
  readonly id: SubscriberId;
  readonly #transport: Transport;
  readonly #listener: ClientListener;
  readonly #helloTimer: NodeJS.Timeout;
  #isGreeted = false;
  #isOpen = true;
  /** The latest status of each log that waits for the queue to drain. */
  readonly #heldBack = new Map<LogId, LogStatus>();
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(id: SubscriberId, transport: Transport, greeting: HostMessage, listener: ClientListener) {
    this.id = id;
    this.#transport = transport;
    this.#listener = listener;
    this.#helloTimer = setTimeout(() => this.#putOut('No greeting came within 10 seconds.'), HELLO_WITHIN_MS);
    this.#helloTimer.unref();
    transport.onMessage((raw) => this.#receive(raw));
    transport.onClose(() => this.#end());
    this.#post(greeting);
  }

  /** From the greeting on, so that nothing is missed between it and the client's answer. */
  send(message: HostMessage): void {
    if (this.#isOpen) this.#post(message);
  }

  /** Held back, and replaced by later ones, while the client is slow to take what it was sent. */
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
      this.#putOut(`The window sent ${validated.refusal}. Reload it.`);
      return;
    }
    const { message } = validated;
    if (message.type !== 'hello') {
      if (this.#isGreeted) this.#listener.onMessage(this, message);
      else this.#putOut('The window did not greet. Reload it.');
      return;
    }
    if (this.#isGreeted) {
      this.#putOut('The window greeted twice. Reload it.');
      return;
    }
    if (message.protocol !== PROTOCOL_VERSION) {
      this.#putOut(
        `The window speaks protocol ${message.protocol}, this host ${PROTOCOL_VERSION}. Reload the window; if that ` +
          'does not help, restart Leanscope.',
      );
      return;
    }
    clearTimeout(this.#helloTimer);
    this.#isGreeted = true;
    this.#listener.onGreeted(this);
  }

  #putOut(text: string): void {
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
