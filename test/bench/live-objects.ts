import type { CDPSession, Page } from 'playwright-core';
import WebSocket from 'ws';

/**
 * Bytes of objects and array buffers that are in use, of all threads together, after a collection of garbage. Unlike the
 * memory of the process they do not depend on when V8 collects, and how much it keeps for later.
 */
export interface LiveObjects {
  readonly bytes: () => Promise<number>;
  /** Ends the asking. A Node process waits for it when it should end. */
  readonly close: () => Promise<void>;
}

/** Asks V8 of one thread. */
type Ask = (method: string) => Promise<object>;

/** What V8 answers to `Runtime.getHeapUsage`; Node 20 leaves out the memory of array buffers. */
interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize?: number;
}

async function liveBytesOf(ask: Ask): Promise<number> {
  // What a first collection finalizes, a second one frees.
  await ask('HeapProfiler.collectGarbage');
  await ask('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = (await ask('Runtime.getHeapUsage')) as HeapUsage;
  return usedSize + backingStorageSize;
}

async function sumOf(threads: Iterable<Ask>): Promise<number> {
  let sum = 0;
  for (const ask of threads) sum += await liveBytesOf(ask);
  return sum;
}

/** Of a page and its workers, those of later, too. "CDP Target.setAutoAttach" */
export async function liveObjectsOfPage(page: Page): Promise<LiveObjects> {
  const session = await page.context().newCDPSession(page);
  const workers = new AskedWorkers((sessionId, message) =>
    session.send('Target.sendMessageToTarget', { sessionId, message }),
  );
  session.on('Target.attachedToTarget', ({ sessionId }) => workers.add(sessionId));
  session.on('Target.detachedFromTarget', ({ sessionId }) => workers.delete(sessionId));
  session.on('Target.receivedMessageFromTarget', ({ message }) => workers.receive(message));
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false });
  const ofPage: Ask = (method) => session.send(method as Parameters<CDPSession['send']>[0]);
  return { bytes: () => sumOf([ofPage, ...workers.asks()]), close: () => session.detach() };
}

/** Of a Node process that was started with `--inspect`, and its threads. "Node.js inspector, NodeWorker" */
export async function liveObjectsOfNode(debuggerUrl: string): Promise<LiveObjects> {
  const socket = new WebSocket(debuggerUrl);
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
  const main = new Answers((message) => socket.send(message));
  const workers = new AskedWorkers((sessionId, message) =>
    main.ask('NodeWorker.sendMessageToWorker', { sessionId, message }),
  );
  socket.on('message', (data: Buffer) => {
    const { method, params } = main.receive(data.toString()) ?? {};
    if (params === undefined) return;
    if (method === 'NodeWorker.attachedToWorker') workers.add(params.sessionId);
    if (method === 'NodeWorker.detachedFromWorker') workers.delete(params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker') workers.receive(params.message);
  });
  await main.ask('NodeWorker.enable', { waitForDebuggerOnStart: false });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    bytes: () => sumOf([(method) => main.ask(method), ...workers.asks()]),
    close: () => {
      socket.close();
      return closed;
    },
  };
}

interface Notification {
  readonly method: string;
  readonly params: { readonly sessionId: string; readonly message: string };
}

type Answer = { readonly id: number; readonly result: object } | ({ readonly id?: undefined } & Notification);

/** Numbers of questions and their answers. They are unique in this process: threads may share a way back. */
let questions = 0;

class Answers {
  readonly #send: (message: string) => unknown;
  readonly #waiting = new Map<number, (result: object) => void>();

  constructor(send: (message: string) => unknown) {
    this.#send = send;
  }

  ask(method: string, params: object = {}): Promise<object> {
    const id = ++questions;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send(JSON.stringify({ id, method, params }));
    });
  }

  /** An answer to its question; returns what is none. */
  receive(message: string): Notification | undefined {
    const answer = JSON.parse(message) as Answer;
    if (answer.id === undefined) return answer;
    this.#waiting.get(answer.id)?.(answer.result);
    this.#waiting.delete(answer.id);
    return undefined;
  }
}

/** The threads beside the main one, by the session in which each is asked. */
class AskedWorkers {
  readonly #send: (sessionId: string, message: string) => unknown;
  readonly #workers = new Map<string, Answers>();

  constructor(send: (sessionId: string, message: string) => unknown) {
    this.#send = send;
  }

  add(sessionId: string): void {
    this.#workers.set(sessionId, new Answers((message) => this.#send(sessionId, message)));
  }

  delete(sessionId: string): void {
    this.#workers.delete(sessionId);
  }

  receive(message: string): void {
    for (const worker of this.#workers.values()) worker.receive(message);
  }

  asks(): readonly Ask[] {
    return Array.from(this.#workers.values(), (worker) => (method) => worker.ask(method));
  }
}
