import { createWriteStream, mkdtempSync, rmSync, type WriteStream } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { errnoOf } from './source-error.ts';
import { TraceNegotiation, type TraceForm } from '../../shared/formats/tptp/negotiation.ts';

/** Number of agents that may be connected at the same time. */
const MOST_CONNECTIONS = 16;

export interface TraceListenerOptions {
  /** A port of 127.0.0.1; 0: any free one. */
  readonly port: number;
  /** The form of trace to request from agents. */
  readonly wanted: TraceForm;
  /** Called when a trace begins. It will be written to this file, which does not exist yet. */
  readonly onTrace: (path: string) => Promise<unknown>;
  /** Called when a connection brings no trace or an incomplete one, with a clause: 'has ended before a trace began'. */
  readonly onProblem: (problem: string) => void;
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
  let traces = 0;
  const server = createServer((socket) => {
    const nextPath = (form: TraceForm): string =>
      join(folder, `trace-${++traces}.${form === 'binary' ? 'trcbin' : 'trcxml'}`);
    open.set(
      socket,
      receive(socket, options, nextPath).finally(() => open.delete(socket)),
    );
  });
  server.maxConnections = MOST_CONNECTIONS;
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

/** Receives one trace. Never rejects: if the connection is lost, what was received stays in the file. */
async function receive(
  socket: Socket,
  { wanted, onTrace, onProblem }: TraceListenerOptions,
  nextPath: (form: TraceForm) => string,
): Promise<void> {
  // Errors are handled below, where the stream is read. Without a listener the event would end the process.
  socket.on('error', () => undefined);
  const negotiation = new TraceNegotiation(wanted);
  if (negotiation.request !== undefined) socket.write(negotiation.request);
  let file: WriteStream | undefined;
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      if (file !== undefined) {
        await write(file, chunk);
        continue;
      }
      const agreement = negotiation.receive(chunk);
      if (agreement === undefined) continue;
      if (agreement.form === undefined) {
        onProblem(`begins with ${agreement.found}, which is not a trace`);
        return;
      }
      const path = nextPath(agreement.form);
      // The log is opened first and waits for its file.
      await onTrace(path);
      file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      file.on('error', () => undefined);
      await write(file, agreement.trace);
    }
    if (file === undefined) onProblem('has ended before a trace began');
  } catch (error) {
    // The agent has disconnected, or the disk is full; the file stays.
    if (file?.errored !== undefined && file.errored !== null)
      onProblem(`could not be saved completely (${errnoOf(error) ?? 'unknown error'})`);
  } finally {
    socket.destroy();
    file?.end();
    if (file !== undefined) await finished(file).catch(() => undefined);
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
