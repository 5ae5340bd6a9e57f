import type { Transport } from '../../shared/protocol/transport.ts';

type Message = string | ArrayBuffer;

/**
 * One end of a connection within the process: messages arrive in order, in a later turn of the event loop, and a test
 * can stall them.
 */
export class PairedTransport implements Transport {
  /** Set by a test: messages sent to this end are held. */
  isStalled = false;
  peer!: PairedTransport;
  closedBecause: string | undefined;
  readonly #waiting: Message[] = [];
  readonly #listeners: ((message: Message) => void)[] = [];
  readonly #closeListeners: ((reason: string) => void)[] = [];

  send(message: Message): void {
    if (this.closedBecause === undefined) this.peer.#arrive(message);
  }

  /** What this end has sent and the other has not received. */
  get queued(): readonly Message[] {
    return this.peer.#waiting;
  }

  /** Its bytes. */
  get queuedBytes(): number {
    return this.queued.reduce(
      (sum, message) => sum + (typeof message === 'string' ? message.length : message.byteLength),
      0,
    );
  }

  onMessage(listener: (message: Message) => void): void {
    this.#listeners.push(listener);
  }

  onClose(listener: (reason: string) => void): void {
    this.#closeListeners.push(listener);
  }

  close(): void {
    this.#end('closed by this end');
    queueMicrotask(() => this.peer.#end('closed by the other end'));
  }

  /** Delivers the held messages. */
  resume(): void {
    this.isStalled = false;
    queueMicrotask(() => this.#deliver());
  }

  #arrive(message: Message): void {
    this.#waiting.push(message);
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    if (this.isStalled) return;
    for (let message = this.#waiting.shift(); message !== undefined; message = this.#waiting.shift()) {
      for (const listener of this.#listeners) listener(message);
    }
  }

  #end(reason: string): void {
    if (this.closedBecause !== undefined) return;
    this.closedBecause = reason;
    this.#deliver();
    for (const listener of this.#closeListeners) listener(reason);
  }
}

export function transportPair(): readonly [PairedTransport, PairedTransport] {
  const one = new PairedTransport();
  const other = new PairedTransport();
  one.peer = other;
  other.peer = one;
  return [one, other];
}
