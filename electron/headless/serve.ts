import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { type Transport, STREAM_HEADER_BYTES } from '../../shared/protocol/transport.ts';
import { AccessControl } from './access.ts';
import type { Downloads } from '../host/recording-files.ts';
import { readPageFiles } from '../host/page-files.ts';
import {
  createFileServer,
  DOWNLOAD_PATH,
  readTarget,
  sendDownload,
  WaitingConnections,
} from './http-server.ts';

/** Path at which the page opens its WebSocket. */
const SOCKET_PATH = '/socket';
/** Path at which it then requests the host's binary messages: see `WebSocketTransport`. */
const STREAM_PATH = '/stream';
const MAX_CLIENTS = 8;
/** A browser tells a page nothing about a refused WebSocket, so further ones are accepted and closed with this reason. */
const TOO_MANY = {
  code: 1013,
  reason: 'Eight windows are connected, and there can be no more. Close one of them.',
};
/**
 * A browser opens at most six HTTP connections to a server and needs some of them for files. Further pages get binary
 * messages over their WebSocket.
 */
const MAX_STREAMS = 4;
/** Far more than the host accepts: see `client-messages.ts`. */
const MAX_INBOUND_BYTES = 64 * 1024;

interface ServerOptions {
  /** Receives the transport of each client that has access. */
  readonly host: { connectClient(transport: Transport): void; readonly downloads?: Downloads };
  /** The built renderer, with its index.html. */
  readonly rendererFolder: string;
  /** 0: any free port. */
  readonly port: number;
}

export interface RunningServer {
  /** The address with the token, to be opened in a browser. It can be opened again as long as the server runs. */
  readonly url: string;
  readonly port: number;
  /**
   * An address that can be opened once, without the cookie that this gives. For the browser that the command starts: what
   * it keeps in its database, or sends to its user's other machines, opens nothing.
   */
  createOnceUrl(): string;
  close(): Promise<void>;
}

/** Serves the window on 127.0.0.1 only. Rejects with the system's error when the port is in use. */
export async function startServer({ host, rendererFolder, port }: ServerOptions): Promise<RunningServer> {
  const files = readPageFiles(rendererFolder);
  let access = new AccessControl(port);
  let boundPort = port;
  /** The page's id of its connection -> transport. */
  const transports = new Map<string, WebSocketTransport>();
  let clients = 0;
  const connections = new WaitingConnections();
  const server = createFileServer({
    files,
    access: () => access,
    port: () => boundPort,
    connections,
    openStream: ({ path, connection = '' }, response) => {
      if (path.startsWith(DOWNLOAD_PATH)) return sendDownload(host.downloads, path, response);
      const transport = path === STREAM_PATH ? transports.get(connection) : undefined;
      if (transport === undefined || transport.hasStream) return 404;
      const streams = [...transports.values()].filter(({ hasStream }) => hasStream);
      if (streams.length >= MAX_STREAMS) return 503;
      transport.attachStream(response);
      return undefined;
    },
  });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_INBOUND_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const target = readTarget(request);
    const verdict = target === undefined ? undefined : access.judge(request, target.token);
    if (verdict?.verdict !== 'allowed') {
      refuseUpgrade(socket, 403);
    } else if (target?.path !== SOCKET_PATH) {
      refuseUpgrade(socket, 404);
    } else {
      connections.trust(socket);
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        if (clients === MAX_CLIENTS) {
          webSocket.on('error', () => undefined);
          webSocket.close(TOO_MANY.code, TOO_MANY.reason);
          return;
        }
        clients++;
        webSocket.on('close', () => clients--);
        const transport = new WebSocketTransport(webSocket);
        const { connection } = target;
        if (connection !== undefined && !transports.has(connection)) {
          transports.set(connection, transport);
          webSocket.on('close', () => transports.delete(connection));
        }
        host.connectClient(transport);
      });
    }
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  boundPort = (server.address() as AddressInfo).port;
  if (boundPort !== port) access = new AccessControl(boundPort);

  const addressWith = (token: string): string => `http://127.0.0.1:${boundPort}/?token=${token}`;
  return {
    url: addressWith(access.token),
    port: boundPort,
    createOnceUrl: () => addressWith(access.createOnceToken()),
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate();
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

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
class WebSocketTransport implements Transport {
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
