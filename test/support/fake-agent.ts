import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { waitFor } from './wait-for.ts';

export interface FakeAgent {
  /** What the client has sent so far. */
  readonly heard: () => string;
  send(bytes: Uint8Array): Promise<void>;
  /** Ends the connection normally. */
  end(): Promise<void>;
  /** Resets the connection, as when the process is killed. */
  cut(): void;
}

/** How long an agent that knows both forms waits for the question of a client that never asks, before it writes XML. */
const PATIENCE_MS = 150;

/**
 * The side of the agent (specs: tptp, section 4), as the document describes it: one that knows the binary form answers
 * and writes it when it is asked to; an older one does not understand the question and writes XML.
 */
export async function startAgent(
  port: number,
  knowsBinary: boolean,
  trace: { readonly binary: Uint8Array; readonly xml: Uint8Array },
  /** An older client never asks; one that does is waited for, because either may be slow. */
  asks = true,
): Promise<FakeAgent & { readonly form: 'binary' | 'xml' }> {
  const agent = await connectTo(port);
  let form: 'binary' | 'xml' = 'xml';
  if (knowsBinary) {
    const asked = (): string | undefined =>
      /<setOutputFormat><format>(\w+)<\/format><\/setOutputFormat>/.exec(agent.heard())?.[1];
    if (asks) await waitFor(() => asked() !== undefined, 'the question');
    else await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    if (asked() === 'binary') {
      form = 'binary';
      const answer = '<enabledOutputFormat><format>binary</format></enabledOutputFormat>';
      await agent.send(new TextEncoder().encode(answer));
    }
  }
  await agent.send(trace[form]);
  return { ...agent, form };
}

/** A connection to a port of this machine. */
export async function connectTo(port: number): Promise<FakeAgent> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  let heard = '';
  socket.on('data', (bytes: Buffer) => (heard += bytes.toString()));
  await once(socket, 'connect');
  return {
    heard: () => heard,
    send: (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve())),
    end: () => new Promise((resolve) => socket.end(() => resolve())),
    cut: () => socket.resetAndDestroy(),
  };
}
