import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { STREAM_HEADER_BYTES } from '../../shared/protocol/message-stream.ts';
import type { Transport } from '../../shared/protocol/transport.ts';

/**
 * A ping is sent this often. A browser that has not answered the ping before is disconnected: when a laptop is closed,
 * its socket stays open.
 */
const PING_EVERY_MS = 30_000;

/**
 * One socket as a Transport. Once the page has requested the stream by HTTP, binary messages are sent as the response
 * to that request. Over the WebSocket they would take five to ten times as long (62 MB in Chromium: 1.5 s instead of
 * 0.25 s), because a browser delivers its messages in pieces of 64 kB, each in a task of the page's thread.
 */
export class WebSocketTransport implements Transport {
  readonly #socket: WebSocket;
  #isAlive = true;
  #stream: ServerResponse | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // Nothing to do: after an error the socket is closed, and the host is notified of that.
    socket.on('error', () => undefined);
    const pings = setInterval(() => this.#ping(), PING_EVERY_MS).unref();
    socket.on('close', () => {
      clearInterval(pings);
      this.#stream?.end();
    });
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount + (this.#stream?.writableLength ?? 0);
  }

  /** From now on binary messages are sent as this response. When it is closed, so is the socket. */
  attachStream(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    response.flushHeaders();
    response.on('close', () => this.#socket.terminate());
    this.#stream = response;
  }

  get hasStream(): boolean {
    return this.#stream !== undefined;
  }

  send(message: string | ArrayBuffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (typeof message === 'string' || this.#stream === undefined) {
      this.#socket.send(message);
      return;
    }
    const header = Buffer.alloc(STREAM_HEADER_BYTES);
    header.writeUInt32LE(message.byteLength);
    this.#stream.write(header);
    this.#stream.write(new Uint8Array(message));
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
