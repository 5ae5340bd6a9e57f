import { createWriteStream, mkdtempSync, rmSync, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { errnoOf } from './source-error.ts';
import { type TraceForm, TraceNegotiation } from '../../shared/formats/tptp/negotiation.ts';

/** Number of traces that are received at the same time. */
const MOST_TRACES = 16;
/**
 * Connections of which no trace has come yet. Of more, the oldest is closed, so that silent ones keep no agent out. An
 * agent sends its trace within 0.15 s: it is closed only if others connect more than 1 700 times a second.
 */
const MOST_NEGOTIATIONS = 256;
/**
 * Size of all traces that are kept; one has half of it at most, so that one that is too large cuts off no other. Their
 * files stay as long as their logs are open, which may be read again.
 */
const MOST_KEPT_BYTES = 16 * 2 ** 30;
/** An agent sends the beginning of its trace when it is connected, 0.15 s after the request at the latest. */
const NEGOTIATION_MS = 10_000;

export interface TraceListenerOptions {
  /** A port of 127.0.0.1; 0: any free one. */
  readonly port: number;
  /** The form of trace to request from agents. */
  readonly wanted: TraceForm;
  /**
   * Called when a trace begins. It will be written to this file, which does not exist yet. The function that it returns
   * is called when the file is complete, or its connection is lost. `discard` is to be called when nobody needs the file
   * any more: it is removed, and its connection closed.
   */
  readonly onTrace: (path: string, discard: () => void) => Promise<() => void>;
  /** Called when a connection brings no trace or an incomplete one, with a clause: 'has ended before a trace began'. */
  readonly onProblem: (problem: string) => void;
  /** The time that a connection may take until its trace begins; NEGOTIATION_MS when not given. */
  readonly negotiationMs?: number;
  /** Bytes of all traces that are kept; MOST_KEPT_BYTES when not given. */
  readonly mostKeptBytes?: number;
}

export interface TraceListener {
  readonly port: number;
  /** Closes all connections and removes their files. */
  close(): Promise<void>;
}

/**
 * Accepts traces from agents on this machine, one per connection, several at the same time. Each trace is written to a
 * file of its own, which can be followed and read again like any other log.
 */
export async function listenForTraces(options: TraceListenerOptions): Promise<TraceListener> {
  const folder = mkdtempSync(join(tmpdir(), 'leanscope-trace-'));
  const open = new Map<Socket, Promise<void>>();
  const limits = new ConnectionLimits(
    options.negotiationMs ?? NEGOTIATION_MS,
    options.mostKeptBytes ?? MOST_KEPT_BYTES,
  );
  let traces = 0;
  const server = createServer((socket) => {
    const nextPath = (form: TraceForm): string =>
      join(folder, `trace-${++traces}.${form === 'binary' ? 'trcbin' : 'trcxml'}`);
    limits.add(socket);
    open.set(
      socket,
      receive(socket, { options, limits, nextPath }).finally(() => open.delete(socket)),
    );
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, '127.0.0.1', resolve);
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open.keys()) socket.destroy();
      await Promise.all([closed, ...open.values()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A connection is closed for this reason, a clause for `onProblem`. */
class Refusal extends Error {}

/** Limits the connections of which no trace has come, in number and in time, the traces that are received, and their bytes. */
class ConnectionLimits {
  readonly #negotiationMs: number;
  readonly #mostKeptBytes: number;
  #keptBytes = 0;
  /** Socket -> its time limit, in the order in which they were opened. */
  readonly #negotiating = new Map<Socket, NodeJS.Timeout>();
  #traces = 0;

  constructor(negotiationMs: number, mostKeptBytes: number) {
    this.#negotiationMs = negotiationMs;
    this.#mostKeptBytes = mostKeptBytes;
  }

  add(socket: Socket): void {
    const refuse = (reason: string, which: Socket): unknown => which.destroy(new Refusal(reason));
    const seconds = this.#negotiationMs / 1_000;
    const limit = setTimeout(
      () => refuse(`has sent no trace within ${seconds} s`, socket),
      this.#negotiationMs,
    );
    this.#negotiating.set(socket, limit.unref());
    socket.once('close', () => this.#endNegotiation(socket));
    const [oldest] = this.#negotiating.keys();
    if (this.#negotiating.size > MOST_NEGOTIATIONS) refuse('has sent no trace, and others came', oldest);
  }

  /** A trace begins, with so many bytes. Throws Refusal. */
  begin(socket: Socket, bytes: number): KeptBytes {
    this.#endNegotiation(socket);
    if (this.#traces === MOST_TRACES) throw new Refusal(`came while ${MOST_TRACES} traces were received`);
    const kept = { bytes: 0 };
    this.keep(kept, bytes);
    this.#traces++;
    socket.once('close', () => this.#traces--);
    return kept;
  }

  /** More bytes of a trace are about to be kept. Throws Refusal if they are too many. */
  keep(kept: KeptBytes, bytes: number): void {
    const most = this.#mostKeptBytes;
    if (this.#keptBytes + bytes > most || kept.bytes + bytes > most / 2)
      throw new Refusal(`is cut off: at most ${most} bytes of traces are kept, until their logs are closed`);
    kept.bytes += bytes;
    this.#keptBytes += bytes;
  }

  /** The bytes of a trace are removed. */
  giveBack(kept: KeptBytes): void {
    this.#keptBytes -= kept.bytes;
    kept.bytes = 0;
  }

  #endNegotiation(socket: Socket): void {
    clearTimeout(this.#negotiating.get(socket));
    this.#negotiating.delete(socket);
  }
}

/** The limits of the bytes that are kept of a trace. */
interface KeptBytes {
  bytes: number;
}

interface Receiving {
  readonly options: TraceListenerOptions;
  readonly limits: ConnectionLimits;
  readonly nextPath: (form: TraceForm) => string;
}

/** Receives one trace. Never rejects: if the connection is lost, what was received stays in the file. */
async function receive(
  socket: Socket,
  { options: { wanted, onTrace, onProblem }, limits, nextPath }: Receiving,
): Promise<void> {
  // Errors are handled below, where the stream is read. Without a listener the event would end the process.
  socket.on('error', () => undefined);
  const negotiation = new TraceNegotiation(wanted);
  if (negotiation.request !== undefined) socket.write(negotiation.request);
  let trace: TraceFile | undefined;
  let kept: KeptBytes = { bytes: 0 };
  let end: (() => void) | undefined;
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      if (trace !== undefined) {
        limits.keep(kept, chunk.length);
        await trace.write(chunk);
        continue;
      }
      const agreement = negotiation.receive(chunk);
      if (agreement === undefined) continue;
      if (agreement.form === undefined) {
        throw new Refusal(`begins with ${agreement.found}, which is not a trace`);
      }
      kept = limits.begin(socket, agreement.trace.length);
      const begun = new TraceFile(nextPath(agreement.form), () => limits.giveBack(kept));
      trace = begun;
      // The log is opened first and waits for its file.
      end = await onTrace(begun.path, () => {
        socket.destroy(new Refusal('is cut off: its log was closed'));
        void begun.discard();
      });
      await begun.write(agreement.trace);
    }
    if (trace === undefined) onProblem('has ended before a trace began');
  } catch (error) {
    if (error instanceof Refusal) onProblem(error.message);
    // Otherwise the agent has disconnected, or the disk is full; the file stays.
    else if (trace?.hasFailed === true)
      onProblem(`could not be saved completely (${errnoOf(error) ?? 'unknown error'})`);
  } finally {
    socket.destroy();
    await trace?.end();
    end?.();
  }
}

/** The file of a trace, from its first bytes until nobody needs it any more. */
class TraceFile {
  readonly path: string;
  readonly #onRemoved: () => void;
  #file: WriteStream | undefined;
  #isComplete = false;
  #isDiscarded = false;

  constructor(path: string, onRemoved: () => void) {
    this.path = path;
    this.#onRemoved = onRemoved;
  }

  get hasFailed(): boolean {
    return this.#file !== undefined && this.#file.errored !== null;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#file ??= createWriteStream(this.path, { flags: 'wx', mode: 0o600 }).on('error', () => undefined);
    await write(this.#file, bytes);
  }

  async end(): Promise<void> {
    this.#file?.end();
    if (this.#file !== undefined) await finished(this.#file).catch(() => undefined);
    this.#isComplete = true;
    if (this.#isDiscarded) await this.#remove();
  }

  /** Removes it as soon as it is complete. */
  async discard(): Promise<void> {
    this.#isDiscarded = true;
    if (this.#isComplete) await this.#remove();
  }

  /** If that fails, its bytes stay counted. */
  async #remove(): Promise<void> {
    await rm(this.path, { force: true }).then(this.#onRemoved, () => undefined);
  }
}

async function write(file: WriteStream, bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    file.write(bytes, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
