import type { Duplex } from 'node:stream';

/** A browser opens six at a time. */
const MAX_WAITING = 64;

/**
 * The connections that have not been allowed a request yet, at most MAX_WAITING: of more, the oldest is closed. So nobody
 * keeps others out by opening many connections that send nothing, or a header line now and then. All connections come
 * from 127.0.0.1, so a limit for each address would be one for all together.
 */
export class WaitingConnections {
  /** In the order in which they were opened. */
  readonly #waiting = new Set<Duplex>();

  add(socket: Duplex): void {
    this.#waiting.add(socket);
    socket.once('close', () => this.#waiting.delete(socket));
    const [oldest] = this.#waiting;
    if (this.#waiting.size > MAX_WAITING) oldest.destroy();
  }

  /** A request of this connection was allowed. */
  trust(socket: Duplex): void {
    this.#waiting.delete(socket);
  }
}
