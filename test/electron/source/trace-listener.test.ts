import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createServer } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Host } from '../../../electron/host/host.ts';
import { RecentFiles } from '../../../electron/host/recent-files.ts';
import {
  listenForTraces,
  type TraceListener,
  type TraceListenerOptions,
} from '../../../electron/source/trace-listener.ts';
import type { TraceForm } from '../../../shared/formats/tptp/negotiation.ts';
import type { LogId } from '../../../shared/protocol/messages.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import { connectTo, startAgent } from '../../support/fake-agent.ts';
import { leanOf } from '../../support/profile-tables.ts';
import { readInput } from '../../support/read-input.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { connectedTo, type TestClient } from '../../support/test-client.ts';
import { testSize } from '../../support/test-size.ts';
import { waitFor } from '../../support/wait-for.ts';

const workerUrl = useLogWorker();
const golden = (name: string): Uint8Array => new Uint8Array(readFileSync(`test/golden/tptp/${name}`));
const TRACE = { binary: golden('demo-full-le.trcbin'), xml: golden('demo-full.trcxml') };

interface Listening extends TraceListener {
  readonly paths: string[];
  readonly ended: string[];
  readonly problems: string[];
  readonly discards: (() => void)[];
}

async function listen(
  wanted: TraceForm,
  host?: Host,
  limits: Pick<TraceListenerOptions, 'negotiationMs' | 'mostKeptBytes'> = {},
): Promise<Listening> {
  const paths: string[] = [];
  const ended: string[] = [];
  const problems: string[] = [];
  const discards: (() => void)[] = [];
  const listener = await listenForTraces({
    port: 0,
    wanted,
    onTrace: async (path, discard) => {
      paths.push(path);
      discards.push(discard);
      const log = await host?.open(path, { show: true, onUnused: discard });
      return () => {
        ended.push(path);
        if (log !== undefined) host?.finish(log);
      };
    },
    onProblem: (problem) => problems.push(problem),
    ...limits,
  });
  onTestFinished(() => listener.close());
  return { ...listener, paths, ended, problems, discards };
}

const sizeOf = (path: string | undefined): number =>
  path !== undefined && existsSync(path) ? readFileSync(path).length : -1;

test.each([
  ['both know the binary form: it is binary', 'binary', true, 'binary'],
  ['an older agent: it is XML', 'binary', false, 'xml'],
  ['an older client, who never asks: it is XML', 'xml', true, 'xml'],
] as const)('%s', async (_, wanted, knowsBinary, form) => {
  const listener = await listen(wanted);
  const agent = await startAgent(listener.port, knowsBinary, TRACE, wanted === 'binary');
  expect(agent.form).toBe(form);
  await waitFor(() => sizeOf(listener.paths[0]) === TRACE[form].length, 'the trace to be kept');
  expect(listener.paths[0]).toMatch(form === 'binary' ? /\.trcbin$/ : /\.trcxml$/);
  expect(agent.heard() !== '').toBe(wanted === 'binary');
  const kept = readFileSync(listener.paths[0]);
  expect(kept.equals(TRACE[form])).toBe(true);
  const read = readInput(kept);
  expect([read.format, read.aggregator.sampleCount]).toEqual([form === 'binary' ? 'tptp' : 'tptp-xml', 97]);
});

/** A host with a client that follows every log that is opened. */
async function startHost(): Promise<{ readonly host: Host; readonly client: TestClient }> {
  const host = new Host({
    version: '1.2.3',
    capabilities: { openDialog: false, openDropped: false },
    workerUrl: workerUrl(),
    sampleFolder: undefined,
    recentFiles: new RecentFiles(join(temporaryFolder(), 'settings')),
  });
  onTestFinished(() => host.stop());
  const client = await connectedTo(host);
  return { host, client };
}

test('traces in either form, one after the other, are shown while they come', async () => {
  const { host, client } = await startHost();
  const listener = await listen('binary', host);
  for (const [at, form] of (['binary', 'xml'] as const).entries()) {
    const whole = TRACE[form];
    const half = whole.subarray(0, whole.length >> 1);
    const agent = await startAgent(listener.port, form === 'binary', { ...TRACE, [form]: half });
    const id = at as LogId;
    await waitFor(
      () =>
        client.heard.includes(
          `opened ${at} trace-${at + 1}.trc${form === 'binary' ? 'bin' : 'xml'} to be shown`,
        ),
      'the trace to be opened',
    );
    const copy = client.subscribe(id);
    // Calls that have ended are on screen while the agent is connected and the rest has not come.
    await waitFor(() => (client.statuses.get(id)?.samples ?? 0) > 20, 'the first half');
    await agent.send(whole.subarray(half.length));
    const lean = leanOf(readInput(whole).profile);
    await waitFor(() => copy.lean === lean, 'the second half');
    await agent.end();
  }
  expect(listener.problems).toEqual([]);
  // What will be gone is nothing to open again.
  expect(client.heard.filter((text) => text.startsWith('recent'))).toEqual([]);
});

test('a trace that pauses shows its open calls as if they had ended, and goes on', async () => {
  const { host, client } = await startHost();
  const listener = await listen('binary', host);
  const whole = TRACE.binary;
  const half = whole.subarray(0, 9_000);
  const agent = await startAgent(listener.port, true, { ...TRACE, binary: half });
  await waitFor(() => client.heard.some((text) => text.startsWith('opened')), 'the trace to be opened');
  const copy = client.subscribe(0 as LogId);
  const paused = leanOf(readInput(half).profile);
  await waitFor(() => copy.lean === paused, 'the log to be idle');
  // Deltas and statuses are sent by themselves, the status later.
  await waitFor(
    () => client.statuses.get(0 as LogId)?.notes.some((note) => note.includes('unfinished')) === true,
    'the note about open calls',
  );
  await agent.send(whole.subarray(half.length));
  const lean = leanOf(readInput(whole).profile);
  await waitFor(() => copy.lean === lean, 'the rest');
});

test('an agent that is killed in the middle of a message leaves what came before', async () => {
  const listener = await listen('binary');
  const cut = TRACE.binary.subarray(0, 12_007);
  const agent = await startAgent(listener.port, true, { ...TRACE, binary: cut });
  await waitFor(() => sizeOf(listener.paths[0]) === cut.length, 'the trace to be kept');
  agent.cut();
  const read = readInput(readFileSync(listener.paths[0]));
  expect(read.decoder.damage).toBeUndefined();
  expect(read.decoder.bytes.pending).toBeGreaterThan(0);
  expect(read.aggregator.sampleCount).toBeGreaterThan(30);
  // The next one is served.
  await startAgent(listener.port, false, TRACE);
  await waitFor(() => sizeOf(listener.paths[1]) === TRACE.xml.length, 'the next trace');
});

test('a client that sends no trace is disconnected, and reported', async () => {
  const listener = await listen('binary');
  const browser = await connectTo(listener.port);
  await browser.send(new TextEncoder().encode('GET / HTTP/1.1\r\n\r\n'));
  await waitFor(() => listener.problems.length === 1, 'the first problem');
  const silent = await connectTo(listener.port);
  await silent.end();
  await waitFor(() => listener.problems.length === 2, 'the second problem');
  expect(listener.problems).toEqual([
    'begins with "GET / HTTP/1.1\\r\\n", which is not a trace',
    'has ended before a trace began',
  ]);
  expect(listener.paths).toEqual([]);
});

/** More than negotiate at a time. */
const SILENT = 280;

test('an agent is not closed because a hundred others connect while it negotiates', async () => {
  const listener = await listen('binary');
  const agent = await connectTo(listener.port);
  for (let at = 0; at < 100; at++) await connectTo(listener.port);
  await agent.send(TRACE.xml);
  await waitFor(() => sizeOf(listener.paths[0]) === TRACE.xml.length, 'its trace');
  expect(listener.problems).toEqual([]);
});

test('traces are kept up to a limit on their bytes: the one above it is cut off, and further ones are refused', async () => {
  const size = TRACE.binary.length;
  const mostKeptBytes = 4 * size;
  const listener = await listen('binary', undefined, { mostKeptBytes });
  const first = await startAgent(listener.port, true, TRACE);
  await waitFor(() => sizeOf(listener.paths[0]) === size, 'the first trace');
  await first.send(TRACE.binary);
  await waitFor(() => sizeOf(listener.paths[0]) === 2 * size, 'as much as is kept');
  await first.send(TRACE.binary);
  await waitFor(() => listener.ended.length === 1, 'its end');
  expect(sizeOf(listener.paths[0])).toBe(2 * size);
  for (const number of [1, 2]) {
    await startAgent(listener.port, true, TRACE);
    await waitFor(() => sizeOf(listener.paths[number]) === size, 'another trace');
  }
  await startAgent(listener.port, true, TRACE);
  await waitFor(() => listener.problems.length === 2, 'the refusals');
  const refusal = `is cut off: at most ${mostKeptBytes} bytes of traces are kept, until their logs are closed`;
  expect([listener.problems, listener.paths.length]).toEqual([[refusal, refusal], 3]);
  // Its log is closed.
  listener.discards[0]();
  await waitFor(() => sizeOf(listener.paths[0]) === -1, 'its file to be removed');
  await startAgent(listener.port, true, TRACE);
  await waitFor(() => sizeOf(listener.paths[3]) === size, 'the next trace');
  expect(listener.problems).toHaveLength(2);
});

test('a trace that is too large is cut off, and the others go on and begin', async () => {
  const size = TRACE.binary.length;
  const listener = await listen('binary', undefined, { mostKeptBytes: 64 * size });
  const small = await startAgent(listener.port, true, TRACE);
  await waitFor(() => sizeOf(listener.paths[0]) === size, 'the small trace');
  const large = await startAgent(listener.port, true, TRACE);
  await waitFor(() => sizeOf(listener.paths[1]) === size, 'the large trace');
  // What is sent last, nobody receives.
  await large.send(new Uint8Array(40 * size)).catch(() => undefined);
  await waitFor(() => listener.ended.length === 1, 'its end');
  expect(listener.ended).toEqual([listener.paths[1]]);
  // It may have half of all. Of the 64 KiB that came last, nothing is kept.
  const kept = sizeOf(listener.paths[1]);
  expect([kept > 32 * size - 65_536, kept <= 32 * size]).toEqual([true, true]);
  await small.send(TRACE.binary);
  await waitFor(() => sizeOf(listener.paths[0]) === 2 * size, 'more of the small trace');
  await startAgent(listener.port, true, TRACE);
  await waitFor(() => sizeOf(listener.paths[2]) === size, 'another trace');
  expect(listener.problems).toHaveLength(1);
});

test('a trace whose log is closed is received no further, and its file is removed', async () => {
  const { host, client } = await startHost();
  const listener = await listen('binary', host);
  await startAgent(listener.port, true, TRACE);
  await waitFor(() => sizeOf(listener.paths[0]) === TRACE.binary.length, 'the trace');
  // Two tabs of it.
  client.send({ type: 'openAgain', log: 0 as LogId, chosen: {} });
  await waitFor(() => host.logs().length === 2, 'the second tab');
  host.close(0 as LogId);
  await waitFor(() => client.heard.includes('closed 0'), 'one of them to be closed');
  expect([sizeOf(listener.paths[0]), listener.problems]).toEqual([TRACE.binary.length, []]);
  host.close(1 as LogId);
  await waitFor(() => sizeOf(listener.paths[0]) === -1, 'the file to be removed');
  expect(listener.problems).toEqual(['is cut off: its log was closed']);
});

test('silent connections keep no agent out, and each ends after a time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const listener = await listen('binary', undefined, { negotiationMs: 2_000 });
  for (let at = 0; at < SILENT; at++) await connectTo(listener.port);
  const agent = await startAgent(listener.port, true, TRACE);
  await waitFor(() => sizeOf(listener.paths[0]) === TRACE.binary.length, 'the trace to be kept');
  // All connections were taken before that of the agent.
  vi.advanceTimersByTime(2_000);
  await waitFor(() => listener.problems.length === SILENT, 'all silent ones to be closed');
  const reasons = new Set(listener.problems);
  expect([...reasons].sort()).toEqual(['has sent no trace within 2 s', 'has sent no trace, and others came']);
  expect(listener.problems.filter((problem) => problem.includes('others')).length).toBeGreaterThanOrEqual(24);
  // The limit of time is for the beginning only.
  await agent.send(TRACE.binary);
  await waitFor(() => sizeOf(listener.paths[0]) === 2 * TRACE.binary.length, 'more of the trace');
});

test('sixteen traces at a time: a further one is refused, until one ends', async () => {
  const listener = await listen('binary');
  const agents: Awaited<ReturnType<typeof startAgent>>[] = [];
  for (let at = 0; at < 16; at++) agents.push(await startAgent(listener.port, true, TRACE));
  await waitFor(() => listener.paths.length === 16, 'sixteen traces');
  await startAgent(listener.port, true, TRACE);
  await waitFor(() => listener.problems.length === 1, 'the refusal');
  expect(listener.problems).toEqual(['came while 16 traces were received']);
  await agents[0].end();
  await waitFor(() => listener.ended.length === 1, 'the first one to end');
  await startAgent(listener.port, true, TRACE);
  await waitFor(() => listener.paths.length === 17, 'the next trace');
});

/** Each is read in a thread, whose start takes 50 ms of a processor. */
const TRACES = testSize(20, 100);

test(`${TRACES} traces leave no thread behind, and each can still be opened`, async () => {
  const threads = new Set<Worker>();
  const count = (thread: Worker): void => {
    threads.add(thread);
    thread.once('exit', () => threads.delete(thread));
  };
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  const { host, client } = await startHost();
  const listener = await listen('binary', host);
  const whole = leanOf(readInput(TRACE.binary).profile);
  for (let at = 0; at < TRACES; at++) {
    const agent = await startAgent(listener.port, true, TRACE);
    await agent.end();
    await waitFor(() => listener.ended.length === at + 1, 'the trace to end');
    // Every tenth is shown meanwhile.
    if (at % 10 === 0) client.subscribe(at as LogId);
  }
  await waitFor(() => threads.size === 0, 'all threads to end');
  expect(client.statuses.size).toBe(TRACES);
  for (const status of client.statuses.values()) expect([status.state, status.samples]).toEqual(['idle', 97]);
  // A window that comes later gets what was read, from a thread that ends again.
  const copy = client.subscribe(17 as LogId);
  await waitFor(() => copy.lean === whole, 'the trace to be read again');
  expect(client.statuses.get(17 as LogId)?.state).toBe('idle');
  await waitFor(() => threads.size === 0, 'its thread to end');
});

test('it listens on this machine only, removes what it kept, and refuses a port that is taken', async () => {
  const listener = await listen('binary');
  const agent = await startAgent(listener.port, true, TRACE);
  await waitFor(() => sizeOf(listener.paths[0]) === TRACE.binary.length, 'the trace to be kept');
  const options = {
    port: listener.port,
    wanted: 'binary',
    onTrace: () => Promise.resolve(() => undefined),
    onProblem: () => undefined,
  } as const;
  await expect(listenForTraces(options)).rejects.toThrow('EADDRINUSE');
  const folder = dirname(listener.paths[0]);
  await listener.close();
  expect(existsSync(folder)).toBe(false);
  agent.cut();
  // The port is free again.
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listener.port, '127.0.0.1', resolve);
  });
  server.close();
});
