import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Downloads } from '../host/recording-files.ts';
import { type PageFile, pageHeaders } from '../host/page-files.ts';
import { type AccessControl, ENTRY_PATH } from './access.ts';

/**
 * The files of a server, and who may read them. `access` and `port` are functions because the port is known only when the
 * server listens.
 */
interface Site {
  readonly files: ReadonlyMap<string, PageFile>;
  readonly access: () => AccessControl;
  readonly port: () => number;
  readonly connections: WaitingConnections;
  readonly openStream: OpenStream;
}

/**
 * Serves a fixed set of files to requests that `access` allows. A refusal is a status, with a text where the user of a
 * browser can do something about it.
 */
export function createFileServer(site: Site): Server {
  const server = createServer({
    maxHeaderSize: 16_384,
    requestTimeout: 10_000,
    headersTimeout: 10_000,
    // How often these limits are checked; Node's default is 30 s.
    connectionsCheckingInterval: 1_000,
    // AccessControl refuses a request without a Host header, with the same status as one with a wrong Host.
    requireHostHeader: false,
  });
  server.maxConnections = 256;
  server.keepAliveTimeout = 5_000;
  server.on('connection', (socket) => site.connections.add(socket));
  server.on('request', (request, response) => answer(request, response, site));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable)
      socket.end(`HTTP/1.1 ${statusOf(error)}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    else socket.destroy();
  });
  return server;
}

/**
 * A browser opens connections ahead of its requests. It repeats a request whose connection was closed for silence at that
 * very moment, but only after the status 408: after 400 the window would stay empty.
 */
function statusOf({ code }: NodeJS.ErrnoException): string {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
}

/** Files whose names contain a hash of their content, and which are the same for everybody: parts of the program. */
const HASHED_FILES = '/assets/';

/** The browser keeps them, and their compiled form with them: a reload compiles nothing again. */
const KEPT = 'private, max-age=31536000, immutable';

/** Without this empty icon the browser would request /favicon.ico. */
const ENTRY_PAGE = '<!doctype html><title>Leanscope</title><link rel="icon" href="data:,">';

/** Advice on a refusal, for people; empty if there is none. It tells no more than the server's port. */
export function refusalText(status: number, port: number): string {
  switch (status) {
    case 403:
      return 'This page needs the token. Open the address that Leanscope printed in its terminal; after a restart it is a new one.\n';
    case 421:
      return `Leanscope listens at port ${port}, and the browser came by another port or name. Forward the same port: ssh -C -L ${port}:127.0.0.1:${port} HOST\n`;
    default:
      return '';
  }
}

/** The path and the query of a request. */
export interface Target {
  readonly path: string;
  readonly token: string | undefined;
  /** Id that the page gave its connection: 32 hexadecimal digits. */
  readonly connection: string | undefined;
}

/** Answers a request for a stream, or returns the status to refuse it with. */
type OpenStream = (target: Target, response: ServerResponse) => number | undefined;

/** Undefined if the address is not a path, or is too long. */
export function readTarget(request: IncomingMessage): Target | undefined {
  const target = request.url ?? '';
  if (!target.startsWith('/') || target.length > 2048) return undefined;
  const [path, query] = splitOnce(target, '?');
  const parameters = new URLSearchParams(query);
  const connection = parameters.get('connection') ?? '';
  return {
    path,
    token: parameters.get('token') ?? undefined,
    connection: /^[0-9a-f]{32}$/.test(connection) ? connection : undefined,
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { files, access, port, connections, openStream }: Site,
): void {
  const connect = `ws://127.0.0.1:${port()} ws://localhost:${port()}`;
  response.setHeaders(new Headers(pageHeaders({ connect, images: 'blob:' })));
  response.setHeader('Cache-Control', 'no-store');
  const refuse = (status: number): void => {
    const text = Buffer.from(refusalText(status, port()));
    const type = text.length === 0 ? {} : { 'Content-Type': 'text/plain; charset=utf-8' };
    // An unread body must not keep the connection open.
    response.writeHead(status, { ...type, 'Content-Length': text.length, Connection: 'close' });
    response.end(request.method === 'HEAD' ? undefined : text);
  };
  const target = readTarget(request);
  if (target === undefined) {
    refuse(400);
    return;
  }
  const isEntry = target.path === ENTRY_PATH;
  const verdict = access().judge(request, target.token, isEntry);
  if (verdict.verdict === 'refused') {
    refuse(verdict.status);
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuse(405);
    return;
  }
  if (verdict.verdict === 'exchange') {
    connections.trust(request.socket);
    response.writeHead(303, { 'Set-Cookie': verdict.cookie, Location: verdict.to, 'Content-Length': 0 });
    response.end();
    return;
  }
  if (isEntry) {
    response.writeHead(200, { Refresh: '0; url=/', 'Content-Type': 'text/html; charset=utf-8' });
    response.end(request.method === 'HEAD' ? undefined : ENTRY_PAGE);
    return;
  }
  connections.trust(request.socket);
  const file = files.get(target.path);
  if (file === undefined) {
    const refusal = request.method === 'GET' ? openStream(target, response) : 404;
    if (refusal !== undefined) refuse(refusal);
    return;
  }
  if (target.path.startsWith(HASHED_FILES)) response.setHeader('Cache-Control', KEPT);
  response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': file.bytes.length });
  response.end(request.method === 'HEAD' ? undefined : file.bytes);
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Path of the files that the host has made for a page; the id follows. */
export const DOWNLOAD_PATH = '/download/';

/** Sends a file once, and removes it. Returns a status to refuse with, or undefined. */
export function sendDownload(
  downloads: Downloads | undefined,
  path: string,
  response: ServerResponse,
): number | undefined {
  const file = downloads?.take(path.slice(DOWNLOAD_PATH.length));
  if (file === undefined) return 404;
  let size;
  try {
    ({ size } = statSync(file.path));
  } catch {
    // Somebody has removed it, as programs that clean /tmp do.
    file.remove();
    return 404;
  }
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': size,
    'Content-Disposition': `attachment; filename="${file.name}"`,
  });
  const stream = createReadStream(file.path);
  stream.on('error', () => response.destroy());
  response.on('close', () => {
    stream.destroy();
    file.remove();
  });
  stream.pipe(response);
  return undefined;
}

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
