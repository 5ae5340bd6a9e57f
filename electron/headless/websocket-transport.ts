import type { WebSocket } from 'ws';
import type { Transport } from '../../shared/protocol/transport.ts';

/** A browser that has not answered for this long is gone: a closed lid leaves no other trace. */
const PING_EVERY_MS = 30_000;

/** One socket as a Transport. Its reader may be slow: `queuedBytes` tells. */
export class WebSocketTransport implements Transport {
  readonly #socket: WebSocket;
  #isAlive = true;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // An error closes the socket; the close is what the host hears.
    socket.on('error', () => undefined);
    const pings = setInterval(() => this.#ping(), PING_EVERY_MS).unref();
    socket.on('close', () => clearInterval(pings));
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(message: string | ArrayBuffer): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(message);
  }

  onMessage(listener: (message: string | ArrayBuffer) => void): void {
    this.#socket.on('message', (data, isBinary) => {
      if (isBinary) listener(data as ArrayBuffer);
      else listener(new TextDecoder().decode(data as ArrayBuffer));
    });
  }

  onClose(listener: (reason: string) => void): void {
    this.#socket.on('close', (code, reason) => listener(reason.toString() || `closed (${code})`));
  }

  close(): void {
    this.#socket.close(1000);
  }

  #ping(): void {
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
  }
}
