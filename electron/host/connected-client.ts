import {
  type HostMessage,
  type LogId,
  type LogStatus,
  PROTOCOL_VERSION,
} from '../../shared/protocol/messages.ts';
import { type ClientMessage, validateClientMessage } from '../../shared/protocol/client-messages.ts';
import type { Transport } from '../../shared/protocol/transport.ts';
import type { SubscriberId } from '../worker/worker-messages.ts';
import type { ClientDialogs } from './host-options.ts';

/** No status is sent while more bytes than this are queued. Deltas are limited by the client's acknowledgements. */
const MAX_QUEUED_BYTES = 1 << 20;
/** The pause between two looks at the queue while a status waits. */
const RETRY_MS = 250;
const HELLO_WITHIN_MS = 10_000;

interface ClientConnection {
  readonly id: SubscriberId;
  readonly transport: Transport;
  readonly dialogs: ClientDialogs | undefined;
}

interface ClientListener {
  /** The client has sent `hello` with this version of the protocol. From now on it also gets statuses. */
  onReady(client: ConnectedClient): void;
  onMessage(client: ConnectedClient, message: Exclude<ClientMessage, { readonly type: 'hello' }>): void;
  onDisconnect(client: ConnectedClient): void;
}

/**
 * A window of the desktop or a page in a browser. Its messages are validated before they are passed on. A client that
 * sends an invalid message gets the reason and is disconnected.
 */
export class ConnectedClient {
  readonly id: SubscriberId;
  readonly dialogs: ClientDialogs | undefined;
  readonly #transport: Transport;
  readonly #listener: ClientListener;
  readonly #helloTimer: NodeJS.Timeout;
  #isReady = false;
  #isOpen = true;
  /** Log -> its latest status that could not be sent yet. */
  readonly #waitingStatus = new Map<LogId, LogStatus>();
  #retryTimer: NodeJS.Timeout | undefined;

  /** Sends `hello` at once. */
  constructor({ id, transport, dialogs }: ClientConnection, hello: HostMessage, listener: ClientListener) {
    this.id = id;
    this.dialogs = dialogs;
    this.#transport = transport;
    this.#listener = listener;
    this.#helloTimer = setTimeout(
      () => this.#disconnect('The window sent no hello within 10 seconds. Reload it.'),
      HELLO_WITHIN_MS,
    );
    this.#helloTimer.unref();
    transport.onMessage((raw) => this.#receive(raw));
    transport.onClose(() => this.#end());
    this.#post(hello);
  }

  /** Sends also before the client's hello, so that the client misses nothing since the host's hello. */
  send(message: HostMessage): void {
    if (this.#isOpen) this.#post(message);
  }

  /** While much is queued for the client the status waits, and a later one replaces it. */
  sendStatus(log: LogId, status: LogStatus): void {
    if (!this.#isReady || !this.#isOpen) return;
    this.#waitingStatus.set(log, status);
    this.#sendWaitingStatus();
  }

  /** Sends a delta that contains the id of its log. */
  sendDelta(message: ArrayBuffer): void {
    if (this.#isOpen) this.#transport.send(message);
  }

  forget(log: LogId): void {
    this.#waitingStatus.delete(log);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#transport.close();
    this.#end();
  }

  #sendWaitingStatus(): void {
    if (this.#transport.queuedBytes > MAX_QUEUED_BYTES) {
      this.#retryTimer ??= setTimeout(() => {
        this.#retryTimer = undefined;
        if (this.#isOpen) this.#sendWaitingStatus();
      }, RETRY_MS).unref();
      return;
    }
    for (const [log, status] of this.#waitingStatus) this.#post({ type: 'status', log, status });
    this.#waitingStatus.clear();
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
      if (this.#isReady) this.#listener.onMessage(this, message);
      else this.#disconnect('The window sent another message before hello. Reload it.');
      return;
    }
    if (this.#isReady) {
      this.#disconnect('The window sent hello twice. Reload it.');
      return;
    }
    if (message.protocol !== PROTOCOL_VERSION) {
      this.#disconnect(
        `The window uses protocol ${message.protocol}, this host ${PROTOCOL_VERSION}. Reload the window; if that does ` +
          'not help, restart Leanscope.',
      );
      return;
    }
    clearTimeout(this.#helloTimer);
    this.#isReady = true;
    this.#listener.onReady(this);
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
    this.#listener.onDisconnect(this);
  }
}
