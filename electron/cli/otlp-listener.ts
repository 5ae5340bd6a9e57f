import { createHash, timingSafeEqual } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { memoryAllowed } from '../../shared/aggregate/memory-budget.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { byService } from '../../shared/formats/otlp/by-service.ts';
import { OtlpReader } from '../../shared/formats/otlp/reader.ts';
import { LENGTH_BYTES, MOST_MESSAGE_BYTES } from '../../shared/formats/otlp/format.ts';

/** Where profiles are sent to; generations of the protocol have other paths. */
export const OTLP_PATH = '/v1development/profiles';
const PATHS = /^\/v1(?:development|experimental)?\/profiles\/?$/;
const LOCAL_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;
/** More services have no file. */
const MOST_SERVICES = 50;
/** More bytes of all services together are not kept. */
const MOST_BYTES = 2 ** 31;
/** A sender that stalls for so long is cut off. */
const STALL_MS = 30_000;

interface OtlpListenerOptions {
  /** 0: any free one. */
  readonly port: number;
  /** The secret that senders must know; undefined: every program of this machine may send. */
  readonly token: string | undefined;
  /** Where the profiles of each service are collected. */
  readonly folder: string;
  /** The first profiles of a service are in this file. */
  readonly onService: (path: string) => void;
}

export interface OtlpListener {
  readonly port: number;
  close: () => Promise<void>;
}

/** An answer to a sender that is not to send the request again. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Takes profiles of OpenTelemetry over HTTP, from this machine only, and collects them in a file for each service, message
 * after message. A message that cannot be read as a whole is refused. Rejects with errors of the system.
 */
export async function listenForOtlp(options: OtlpListenerOptions): Promise<OtlpListener> {
  const files = new ServiceFiles(options);
  const server = createServer((request, response) => {
    void answer(request, options.token, files).then(
      (body) => reply(response, 200, 'application/x-protobuf', body),
      (error: unknown) => {
        const isRefused = error instanceof Refused;
        reply(
          response,
          isRefused ? error.status : 500,
          'text/plain',
          Buffer.from(isRefused ? error.message : 'internal error'),
        );
        // The rest of what is sent is not wanted.
        request.destroy();
      },
    );
  });
  server.requestTimeout = STALL_MS;
  server.maxConnections = 100;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reply(response: ServerResponse, status: number, type: string, body: Uint8Array): void {
  if (response.destroyed) return;
  const headers = { 'content-type': type, 'content-length': body.length };
  response.writeHead(status, status === 401 ? { ...headers, 'www-authenticate': 'Bearer' } : headers);
  response.end(body);
}

/** The answer to a request whose profiles were taken. Rejects with Refused. */
async function answer(
  request: IncomingMessage,
  token: string | undefined,
  files: ServiceFiles,
): Promise<Uint8Array> {
  const { host = '', origin, authorization = '' } = request.headers;
  // A page of a browser may send to this machine, too.
  if (!LOCAL_HOST.test(host) || origin !== undefined)
    throw new Refused(403, 'only programs of this machine may send profiles');
  if (!PATHS.test((request.url ?? '').replace(/\?.*$/s, '')))
    throw new Refused(404, `profiles are taken at ${OTLP_PATH}`);
  if (request.method !== 'POST') throw new Refused(405, 'profiles are sent with POST');
  if (token !== undefined && !isEqual(authorization, `Bearer ${token}`))
    throw new Refused(401, 'the header Authorization lacks the token that leanscope serve has printed');
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!/^application\/(?:x-protobuf|protobuf|octet-stream)\b/i.test(type))
    throw new Refused(415, 'profiles are taken as application/x-protobuf');
  if (!/^(?:gzip|identity)$/i.test(encoding)) throw new Refused(415, 'profiles are taken plain or as gzip');
  const sent = await bodyOf(request);
  const message = /^gzip$/i.test(encoding) ? await unpacked(sent) : sent;
  const problem = problemOf(message);
  if (problem !== undefined) throw new Refused(400, problem);
  const rejected = files.add(byService(message));
  return rejected === undefined ? new Uint8Array(0) : partialSuccess(rejected);
}

function isEqual(given: string, wanted: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > MOST_MESSAGE_BYTES)
        throw new Refused(413, `a message has at most ${MOST_MESSAGE_BYTES} bytes`);
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(400, 'the request broke off');
  }
  return Buffer.concat(pieces);
}

async function unpacked(sent: Uint8Array): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(sent, { maxOutputLength: MOST_MESSAGE_BYTES });
  } catch (error) {
    const isTooLong = (error as { readonly code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLong
      ? new Refused(413, `a message has at most ${MOST_MESSAGE_BYTES} bytes unpacked`)
      : new Refused(400, 'invalid gzip data');
  }
}

/** Why a message cannot be read; undefined if it can. It is read twice, so that nothing invalid is kept. */
function problemOf(message: Uint8Array): string | undefined {
  const aggregator = new ProfileAggregator();
  aggregator.memory.most = memoryAllowed(message.length);
  const { damage } = new OtlpReader(aggregator, {}, false).read(message);
  if (aggregator.isFull) return 'the message needs more memory than its size allows';
  return (
    damage && `${damage.what} at byte ${damage.byteOffset}: ${damage.found}, expected ${damage.expected}`
  );
}

interface Rejected {
  readonly services: number;
  readonly why: string;
}

/** ExportProfilesServiceResponse with ExportProfilesPartialSuccess. */
function partialSuccess({ services, why }: Rejected): Uint8Array {
  const text = Buffer.from(why);
  const inner = Buffer.concat([Buffer.of(0x08, services, 0x12, text.length), text]);
  return Buffer.concat([Buffer.of(0x0a, inner.length), inner]);
}

/** The files of services, which grow with each message. */
class ServiceFiles {
  readonly #options: OtlpListenerOptions;
  readonly #paths = new Map<string, string>();
  readonly #names = new Set<string>();
  #bytes = 0;

  constructor(options: OtlpListenerOptions) {
    this.#options = options;
  }

  /** Appends the message of each service. Returns what was not taken. */
  add(messages: ReadonlyMap<string, Uint8Array>): Rejected | undefined {
    let services = 0;
    let why = '';
    for (const [service, message] of messages) {
      const isFull = this.#bytes + message.length > MOST_BYTES;
      if (isFull || (!this.#paths.has(service) && this.#paths.size === MOST_SERVICES)) {
        services++;
        why = isFull ? 'no more is kept: start leanscope serve again' : `more than ${MOST_SERVICES} services`;
        continue;
      }
      this.#bytes += LENGTH_BYTES + message.length;
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(message.length);
      const known = this.#paths.get(service);
      const path = known ?? this.#newPath(service);
      appendFileSync(path, Buffer.concat([length, message]), { mode: 0o600 });
      if (known === undefined) this.#options.onService(path);
    }
    return services === 0 ? undefined : { services: Math.min(services, 100), why };
  }

  /** A path with the name of a service, as far as files can have it. */
  #newPath(service: string): string {
    const plain = service
      .replaceAll(/[^\w.-]/g, '_')
      .replace(/^\.+/, '_')
      .slice(0, 80);
    let name = plain;
    for (let at = 2; this.#names.has(name.toLowerCase()); at++) name = `${plain}-${at}`;
    this.#names.add(name.toLowerCase());
    const path = join(this.#options.folder, `${name}.otlp`);
    this.#paths.set(service, path);
    return path;
  }
}
