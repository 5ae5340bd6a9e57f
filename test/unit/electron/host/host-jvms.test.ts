import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HostJvmsOptions } from '../../../../electron/host/host-jvms.ts';
import { validateClientMessage } from '../../../../electron/host/validate.ts';
import { AttachedJvm } from '../../../../electron/jvm/attach.ts';
import { FlightRecorder } from '../../../../electron/jvm/flight-recorder.ts';
import type { Jvm } from '../../../../electron/jvm/jvm.ts';
import { JvmList } from '../../../../electron/jvm/jvm-list.ts';
import type { SamplingChoice } from '../../../../shared/facts/sampling-choice.ts';
import type {
  AgentAnswer,
  AgentCommand,
  AttachProgress,
  JvmId,
  SamplingState,
} from '../../../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';
import { FakeControlPort, listenAsAgent } from '../../../support/fake-control-port.ts';
import { listenAsJvm } from '../../../support/fake-attach-socket.ts';
import { jvmOf } from '../../../support/fake-jvm.ts';
import { useLogWorker } from '../../../support/built-worker.ts';
import {
  attachedBy,
  type ConnectedClient,
  connectToJvms,
  entryOf,
  listOf,
  PROFILE,
  progressOf,
  samplesOf,
  waitFor,
} from '../../../support/jvm-client.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { TestClient } from '../../../support/test-client.ts';
import { JDKS, NO_JVM, QUICK_START, startJvm } from '../../../support/test-jvm.ts';
import { testSeed } from '../../../support/test-seed.ts';
import { testUnless } from '../../../support/test-unless.ts';
import { transportPair } from '../../../support/transport-pair.ts';

const workerUrl = useLogWorker();
const SAMPLING: SamplingChoice = { intervalMs: 10, sharePercent: 100, threads: [], states: [] };

const connect = (
  jvms: HostJvmsOptions = { isAllowed: true },
  thread = workerUrl(),
): Promise<ConnectedClient> => connectToJvms(thread, jvms);

const attached = (client: TestClient, jvm: JvmId, always = false): Promise<LogId> =>
  attachedBy(client, { type: 'attachJvm', jvm, always, ...PROFILE });

async function recorderOf(pid: number): Promise<FlightRecorder> {
  const jvm = new JvmList().read().find((each) => each.pid === pid);
  if (jvm === undefined) throw new Error(`${pid} is not listed`);
  return new FlightRecorder(await AttachedJvm.open(jvm));
}

for (const { major, home } of JDKS.filter((jdk) => jdk.major >= 17))
  testUnless(NO_JVM)(`JDK ${major}: attached by its id, followed, closed and left as found`, async () => {
    const { pid } = await startJvm({ home, program: ['an argument'] });
    const { client, host } = await connect();
    const jvm = await entryOf(client, pid);
    expect([jvm.main, jvm.isOpen, jvm.obstacle]).toEqual(['Busy', false, undefined]);
    expect(jvm.version?.startsWith(String(major))).toBe(true);
    const words = jvm.commandLine.split(' ').toSpliced(1, 1);
    expect(words).toEqual(['-cp', ...QUICK_START, 'Busy', 'an', 'argument']);
    const log = await attached(client, jvm.id);
    const copy = client.subscribe(log);
    await waitFor(() => samplesOf(client, log) > 0, 'the first flush');
    const before = samplesOf(client, log);
    await waitFor(() => samplesOf(client, log) > before, 'the next flush');
    expect(copy.profile.selfValues.length).toBeGreaterThan(0);
    expect(host.logs()).toMatchObject([{ name: `Busy (${pid})`, isRecording: true }]);
    expect(host.paths()).toEqual([]);

    // Once more is the same log.
    expect(await attached(client, jvm.id)).toBe(log);
    expect(client.heard.filter((text) => text.startsWith('opened'))).toHaveLength(2);
    const recorder = await recorderOf(pid);
    expect((await recorder.list()).map(({ name }) => name)).toEqual([
      expect.stringMatching(`^leanscope-${process.pid}-`),
    ]);
    const repository = await recorder.repository();
    client.send({ type: 'close', log });
    await waitFor(() => client.heard.includes(`closed ${log}`), 'the log to be closed');
    await host.stop();
    expect(await recorder.list()).toEqual([]);
    expect(existsSync(`/tmp/.attach_pid${pid}`)).toBe(false);
    expect(existsSync(repository)).toBe(true);
  });

testUnless(NO_JVM)('a recording of somebody else is offered, followed, and never stopped', async () => {
  const { pid } = await startJvm();
  const recorder = await recorderOf(pid);
  await recorder.start('theirs', { settings: 'profile', flushes: true, maxMegabytes: 50 });
  const { client } = await connect();
  const { id } = await entryOf(client, pid);
  client.send({ type: 'attachJvm', jvm: id, always: false, ...PROFILE });
  await waitFor(() => progressOf(client).at(-1)?.state === 'recorded', 'the recordings');
  const [theirs] = await recorder.list();
  expect(progressOf(client)).toEqual([
    { state: 'attaching' },
    { state: 'recorded', recordings: [{ id: theirs.id, name: 'theirs' }] },
  ]);
  client.send({ type: 'followRecording', jvm: id, recording: theirs.id + 1 });
  await waitFor(() => progressOf(client).at(-1)?.state === 'failed', 'the refusal');
  client.send({ type: 'followRecording', jvm: id, recording: theirs.id });
  await waitFor(() => progressOf(client).at(-1)?.state === 'attached', 'the recording');
  const log = 0 as LogId;
  client.subscribe(log);
  await waitFor(() => samplesOf(client, log) > 0, 'its samples');
  expect((await recorder.list()).map(({ name }) => name)).toEqual(['theirs']);
  client.send({ type: 'close', log });
  await waitFor(() => client.heard.includes(`closed ${log}`), 'the log to be closed');
  expect((await recorder.list()).map(({ name }) => name)).toEqual(['theirs']);

  // One of our own besides, and the other one is stopped by somebody.
  const own = await attached(client, id, true);
  client.subscribe(own);
  await waitFor(() => samplesOf(client, own) > 0, 'samples of our own');
  const names = (await recorder.list()).map(({ name }) => name);
  expect(names).toEqual(['theirs', expect.stringMatching(/^leanscope-/)]);
  await recorder.stop(names[1]);
  await waitFor(() => client.statuses.get(own)?.state === 'ended', 'the end of the recording');
  expect(client.statuses.get(own)?.detail).toBe(
    'The recording was stopped in the JVM by another program. What was read stays.',
  );
  expect((await recorder.list()).map(({ name }) => name)).toEqual(['theirs']);
});

testUnless(NO_JVM)('a JVM that is killed: what was read stays, and can be read by another type', async () => {
  const jvm = await startJvm();
  const { client } = await connect();
  const { id } = await entryOf(client, jvm.pid);
  const log = await attached(client, id);
  client.subscribe(log);
  await waitFor(() => samplesOf(client, log) > 0, 'the first flush');
  jvm.process.kill('SIGKILL');
  await waitFor(() => client.statuses.get(log)?.state === 'ended', 'the end of the JVM');
  expect(client.statuses.get(log)?.detail).toBe('The JVM has ended. What was read stays.');
  client.send({ type: 'choose', log, chosen: { 'sample-type': 'alloc' } });
  await waitFor(() => client.statuses.get(log)?.epoch === 1, 'the other type');
  await waitFor(() => client.statuses.get(log)?.state === 'ended', 'its end');
  expect(samplesOf(client, log)).toBeGreaterThan(0);
  client.send({ type: 'attachJvm', jvm: id, always: false, ...PROFILE });
  await waitFor(() => progressOf(client).at(-1)?.state === 'failed', 'the refusal');
});

test('a host that does not allow it lists and attaches nothing', async () => {
  let reads = 0;
  const list = {
    read: () => {
      reads++;
      return [];
    },
  };
  const { client } = await connect({ isAllowed: false, list });
  client.send({ type: 'watchJvms', watch: true });
  client.send({ type: 'attachJvm', jvm: '1' as JvmId, always: true, ...PROFILE });
  client.send({ type: 'followRecording', jvm: '1' as JvmId, recording: 1 });
  const problem = 'problem: JVMs are not listed here: the program was started without --attach.';
  await waitFor(() => client.heard.length === 4, 'three answers');
  expect(client.heard).toEqual(['hello', problem, problem, problem]);
  expect(reads).toBe(0);
});

test('a log whose thread cannot run: its recording is stopped', async () => {
  const { host, client } = await connect({ isAllowed: true }, new URL('file:///nowhere.mjs'));
  let stops = 0;
  const recording = {
    folder: temporaryFolder(),
    since: 0n,
    isThere: () => Promise.resolve(true),
    stop: () => {
      stops++;
      return Promise.resolve();
    },
    discard: () => undefined,
  };
  await host.jvms?.recordings.open(jvmOf(), recording);
  await waitFor(() => client.statuses.get(0 as LogId)?.state === 'failed', 'the failure');
  expect(stops).toBe(1);
});

testUnless(process.platform === 'linux' ? undefined : 'there is no /proc')(
  'a JVM that names a folder which cannot be looked at: attaching fails, with the reason',
  async () => {
    listenAsJvm((_, command) => {
      if (command === 'JFR.configure') return `Repository path: /${'a'.repeat(5_000)}\n`;
      return command === 'JFR.check' ? 'Recording 7: name=theirs (running)\n' : 'Started recording 8.\n';
    });
    const { client } = await connect({ isAllowed: true, list: { read: () => [jvmOf()] } });
    const { id } = await entryOf(client, process.pid);
    client.send({ type: 'attachJvm', jvm: id, always: true, ...PROFILE });
    const last = (): AttachProgress | undefined => progressOf(client).at(-1);
    await waitFor(() => last()?.state === 'failed', 'the reason');
    client.send({ type: 'followRecording', jvm: id, recording: 7 });
    await waitFor(() => progressOf(client).length === 4, 'the reason again');
    expect(last()).toEqual({ state: 'failed', text: 'The JVM cannot be recorded (ENAMETOOLONG).' });
  },
);

testUnless(process.platform === 'linux' ? undefined : 'there is no /proc')(
  'two windows attach to the same JVM: both get the answer, once',
  async () => {
    listenAsJvm(() => 'Recording 7: name=theirs (running)\n');
    const { host, client } = await connect({ isAllowed: true, list: { read: () => [jvmOf()] } });
    const [hostEnd, clientEnd] = transportPair();
    const second = new TestClient(clientEnd);
    host.connectClient(hostEnd);
    await waitFor(() => second.messages.length > 0, 'the greeting');
    const { id } = await entryOf(client, process.pid);
    const request = { type: 'attachJvm', jvm: id, always: false, ...PROFILE } as const;
    for (const each of [client, second, client, second]) each.send(request);
    const states = (of: TestClient): string =>
      progressOf(of)
        .map(({ state }) => state)
        .join();
    for (const each of [client, second])
      await waitFor(() => states(each) === 'attaching,recorded', 'the recordings');
  },
);

testUnless(process.platform === 'linux' ? undefined : 'there is no /proc')(
  'who wants thread dumps of a JVM is not told of the flight recording that another window waits for',
  async () => {
    listenAsJvm((_, command) => (command === 'JFR.check' ? undefined : 'Full thread dump\n'));
    const { host, client } = await connect({ isAllowed: true, list: { read: () => [jvmOf()] } });
    const { id } = await entryOf(client, process.pid);
    client.send({ type: 'attachJvm', jvm: id, always: false, ...PROFILE });
    client.send({
      ...{ type: 'sampleJvm', jvm: id, intervalMs: 50, sharePercent: 1 },
      ...{ threads: [], states: [] },
    });
    await waitFor(() => progressOf(client).length === 3, 'the dumps');
    expect(progressOf(client).map(({ state }) => state)).toEqual(['attaching', 'attaching', 'attached']);
    await waitFor(() => host.logs().length === 1, 'the log');
  },
);

const DUMP = `Full thread dump OpenJDK 64-Bit Server VM (17.0.12+7 mixed mode):

"main" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=5.61s tid=0x00007f93 nid=0xbb0 runnable [0x00007f93]
   java.lang.Thread.State: RUNNABLE
\tat Shop.run(Shop.java:47)

"other" #2 prio=5 os_prio=0 cpu=1.00ms elapsed=5.61s tid=0x00007f94 nid=0xbb1 waiting [0x00007f94]
   java.lang.Thread.State: WAITING (parking)
\tat Shop.rest(Shop.java:50)

`;
const NO_PROC = process.platform === 'linux' ? undefined : 'there is no /proc';

testUnless(NO_PROC)('threads are sampled by thread dumps, for a while, and on in the same log', async () => {
  listenAsJvm((command) => (command === 'threaddump' ? DUMP : ''));
  const { client, host } = await connect({ isAllowed: true, list: { read: () => [jvmOf()] } });
  const { id } = await entryOf(client, process.pid);
  const samplings = (): readonly SamplingState[] =>
    client.messages.flatMap((message) => (message.type === 'sampling' ? [message.state] : []));

  client.send({ type: 'sampleJvm', jvm: id, ...SAMPLING, threads: ['/(/'] });
  await waitFor(() => progressOf(client).at(-1)?.state === 'failed', 'the refusal');
  expect(progressOf(client).at(-1)).toMatchObject({
    text: expect.stringContaining('no regular expression') as string,
  });

  client.send({ type: 'sampleJvm', jvm: id, ...SAMPLING, threads: ['main', 'worker-*'] });
  await waitFor(() => progressOf(client).at(-1)?.state === 'attached', 'the log');
  const log = 0 as LogId;
  const copy = client.subscribe(log);
  await waitFor(() => samplesOf(client, log) > 2, 'samples');
  expect(listOf(client)[0]).toMatchObject({ hasRecorder: true });
  client.send({ type: 'controlSampling', log, run: false });
  await waitFor(() => samplings().at(-1) === 'stopped', 'the end of the run');
  const sampler = host.jvms?.recordings.samplings;
  expect([...(sampler ?? [])]).toEqual([[log, 'stopped']]);

  // A window that connects then knows it, too.
  const [hostEnd, clientEnd] = transportPair();
  const late = new TestClient(clientEnd);
  host.connectClient(hostEnd);
  await waitFor(() => late.messages.some(({ type }) => type === 'sampling'), 'the state');

  const status = (): string =>
    client.statuses
      .get(log)
      ?.tables.find(({ title }) => title === 'Sampling')
      ?.rows.length.toFixed() ?? '';
  expect(status()).toBe('1');
  client.send({ type: 'controlSampling', log, run: true });
  await waitFor(() => status() === '2', 'a second run in the same log');
  expect(samplings()).toEqual(['running', 'stopped', 'running']);
  expect(copy.profile.threads.name).toEqual(['main']);
  client.send({ type: 'close', log });
  await waitFor(() => client.heard.includes(`closed ${log}`), 'the log to be closed');
  client.send({ type: 'controlSampling', log, run: true });
  expect([...(host.jvms?.recordings.samplings ?? [])]).toEqual([]);
});

test('the agent of a JVM: its log is opened, its port is asked and told', async () => {
  const agent = new FakeControlPort();
  const folder = temporaryFolder();
  agent.logPath = join(folder, 'second.hpl');
  const control = await listenAsAgent(agent);
  const log = join(folder, 'first.hpl');
  const withAgent = {
    ...jvmOf(),
    agent: { library: 'liblagent.so', log, control },
    obstacle: 'other user' as const,
  };
  const { client, host } = await connect({ isAllowed: true, list: { read: () => [withAgent] } });
  const { id, agent: shown } = await entryOf(client, process.pid);
  expect(shown).toEqual({ log, hasControl: true });
  const answers = (): readonly AgentAnswer[] =>
    client.messages.flatMap((message) => (message.type === 'agent' ? [message.answer] : []));
  const told = async (command: AgentCommand): Promise<AgentAnswer | undefined> => {
    const before = answers().length;
    client.send({ type: 'controlAgent', jvm: id, command });
    await waitFor(() => answers().length > before, 'the answer');
    return answers().at(-1);
  };
  expect(await told({ do: 'status' })).toEqual({
    state: 'known',
    agent: { isSampling: false, logPath: agent.logPath, intervalMin: 1, intervalMax: 1, maxFrames: 128 },
  });
  await told({
    do: 'set',
    changes: { intervalMin: 2, intervalMax: 7, maxFrames: 128, logPath: agent.logPath },
  });
  // What stays is not sent again.
  expect(agent.commands.filter((command) => command.startsWith('set'))).toEqual(['set interval 2 7']);
  expect(await told({ do: 'start' })).toMatchObject({ agent: { isSampling: true } });
  expect(await told({ do: 'set', changes: { maxFrames: 5 } })).toEqual({
    state: 'failed',
    text: `Agent at 127.0.0.1:${control.port}: is sampling, and would ignore new settings; stop it first.`,
  });
  client.send({ type: 'openAgentLog', jvm: id });
  await waitFor(() => host.logs().length > 0, 'the log');
  expect(host.logs()).toMatchObject([{ name: 'second.hpl', folder }]);
  expect(host.paths()).toHaveLength(1);

  // An agent that does not answer: the log of its options.
  agent.answer = () => '';
  client.send({ type: 'openAgentLog', jvm: id });
  await waitFor(() => host.logs().length > 1, 'the other log');
  expect(host.logs()[1].name).toBe('first.hpl');
});

test('the port of an agent in a container is not asked: it may be the one of another agent here', async () => {
  const other = new FakeControlPort();
  const control = await listenAsAgent(other);
  const log = join(temporaryFolder(), 'container.hpl');
  // A process that cannot be looked at, and has another number in its container.
  const inContainer = {
    ...jvmOf(),
    pid: 2 ** 30,
    ownPid: 7,
    agent: { library: 'liblagent.so', log, control },
  };
  const { client, host } = await connect({ isAllowed: true, list: { read: () => [inContainer] } });
  const { id } = await entryOf(client, inContainer.pid);
  client.send({ type: 'controlAgent', jvm: id, command: { do: 'start' } });
  client.send({ type: 'openAgentLog', jvm: id });
  const answer = (): AgentAnswer | undefined =>
    client.messages.flatMap((message) => (message.type === 'agent' ? [message.answer] : [])).at(0);
  await waitFor(() => answer() !== undefined && host.logs().length > 0, 'the answer and the log');
  expect(answer()).toEqual({
    state: 'failed',
    text: 'Its control port is in the network of its container, in which Leanscope is not.',
  });
  expect(host.logs()[0].name).toBe('container.hpl');
  expect(other.commands).toEqual([]);
});

test('an agent without a log or a port, and a JVM that has ended', async () => {
  const agent = { library: 'liblagent.so', log: undefined, control: undefined };
  const { client } = await connect({ isAllowed: true, list: { read: () => [{ ...jvmOf(), agent }] } });
  const { id } = await entryOf(client, process.pid);
  client.send({ type: 'openAgentLog', jvm: id });
  client.send({ type: 'openAgentLog', jvm: 'gone' as JvmId });
  client.send({ type: 'controlAgent', jvm: id, command: { do: 'start' } });
  client.send({ type: 'controlAgent', jvm: 'gone' as JvmId, command: { do: 'start' } });
  const texts = (): readonly string[] =>
    client.messages.flatMap((message) => {
      if (message.type === 'attach' && message.progress.state === 'failed') return [message.progress.text];
      return message.type === 'agent' && message.answer.state === 'failed' ? [message.answer.text] : [];
    });
  await waitFor(() => texts().length === 4, 'four answers');
  expect(new Set(texts())).toEqual(
    new Set([
      `JVM ${process.pid} (Busy): its agent has no log open; it may not have started to sample.`,
      'This JVM has ended.',
      'Its agent has no control port, which only its options host and port at the start can open.',
    ]),
  );
});

test('a request that fails unexpectedly is answered: no panel waits for ever, and no file is blamed', async () => {
  // No process can listen there.
  const agent = { library: 'liblagent.so', log: undefined, control: { host: '127.0.0.1', port: 70_000 } };
  const { client } = await connect({ isAllowed: true, list: { read: () => [{ ...jvmOf(), agent }] } });
  const { id } = await entryOf(client, process.pid);
  client.send({ type: 'controlAgent', jvm: id, command: { do: 'status' } });
  const failures = (): readonly string[] =>
    client.messages.flatMap((message) => {
      if (message.type === 'agent' && message.answer.state === 'failed')
        return [`agent: ${message.answer.text}`];
      return message.type === 'problem' ? [`problem: ${message.text}`] : [];
    });
  await waitFor(() => failures().length > 0, 'the failure of the agent');
  expect(failures()).toEqual([expect.stringMatching(/^agent: The request was not carried out: .*70000/)]);
});

test('a list that fails while it is shown is left out, and the next one is sent', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let reads = 0;
  const read = (): readonly Jvm[] => {
    if (++reads === 2) throw new Error('EMFILE');
    return [{ ...jvmOf(), main: `list ${reads}` }];
  };
  const { client } = await connect({ isAllowed: true, list: { read } });
  await entryOf(client, process.pid);
  vi.advanceTimersByTime(2_000);
  expect(reads).toBe(2);
  vi.advanceTimersByTime(2_000);
  await waitFor(() => listOf(client)[0].main === 'list 3', 'the next list');
});

test('a list is sent to all who watch, again and again, and no list is made once nobody does', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let reads = 0;
  const jvms = [jvmOf()];
  const read = (): readonly Jvm[] => {
    reads++;
    return jvms;
  };
  const { client, host } = await connect({ isAllowed: true, list: { read } });
  const [hostEnd, clientEnd] = transportPair();
  const second = new TestClient(clientEnd);
  host.connectClient(hostEnd);
  await waitFor(() => second.messages.length > 0, 'the greeting');
  const { id } = await entryOf(client, process.pid);
  second.send({ type: 'watchJvms', watch: true });
  await waitFor(() => listOf(second).length > 0, 'the list of the second');
  expect(reads).toBe(2);

  // The first keeps its id, whatever is new.
  jvms.push({ ...jvmOf(), pid: 2 ** 30, main: 'Later' });
  vi.advanceTimersByTime(2_000);
  expect(reads).toBe(3);
  for (const each of [client, second]) {
    await waitFor(() => listOf(each).length === 2, 'the new JVM');
    expect(listOf(each).find(({ pid }) => pid === process.pid)?.id).toBe(id);
    expect(new Set(listOf(each).map(({ main }) => main))).toEqual(new Set(['Busy', 'Later']));
  }
  const listsOf = ({ messages }: TestClient): number => messages.filter(({ type }) => type === 'jvms').length;
  client.send({ type: 'watchJvms', watch: false });
  // Messages of a client are handled in their order.
  client.send({ type: 'attachJvm', jvm: 'gone' as JvmId, always: false, ...PROFILE });
  await waitFor(() => progressOf(client).length === 1, 'the answer');
  const before = [listsOf(client), listsOf(second)];
  vi.advanceTimersByTime(2_000);
  await waitFor(() => listsOf(second) > before[1], 'the next list of the second');
  expect([reads, listsOf(client)]).toEqual([4, before[0]]);
  second.send({ type: 'watchJvms', watch: false });
  second.send({ type: 'attachJvm', jvm: 'gone' as JvmId, always: false, ...PROFILE });
  await waitFor(() => progressOf(second).length === 1, 'the answer');
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(20_000);
  expect(reads).toBe(4);
});

const { seed, randomFor } = testSeed('host jvms');

test('2,000 hostile ids: no process is attached to, and what is no id is refused', async () => {
  // A process that is no JVM at all: any attempt would fail with another answer.
  const { pid } = process;
  const { client, host } = await connect({ isAllowed: true, list: { read: () => [jvmOf()] } });
  const { id } = await entryOf(client, pid);
  const parts = [
    String(pid),
    id.slice(0, 8),
    id.slice(8),
    '/proc/',
    '..',
    '\0',
    '-',
    '_',
    '',
    'JFR',
    ' ',
    '$',
  ];
  let asked = 0;
  for (let scenario = 0; scenario < 2_000; scenario++) {
    const random = randomFor(scenario);
    const jvm = Array.from({ length: 1 + random.below(4) }, () => random.pick(parts)).join('') as JvmId;
    const message = { type: 'attachJvm', jvm, always: true, ...PROFILE } as const;
    if (jvm === id || 'refusal' in validateClientMessage(JSON.stringify(message))) continue;
    asked++;
    client.send(message);
  }
  await waitFor(() => progressOf(client).length === asked, `${asked} answers, SEED=${seed}`);
  expect(asked).toBeGreaterThan(100);
  const answers = new Set(progressOf(client).map((progress) => JSON.stringify(progress)));
  expect([...answers]).toEqual([JSON.stringify({ state: 'failed', text: 'This JVM has ended.' })]);
  expect(host.logs()).toEqual([]);
  client.send({ type: 'attachJvm', jvm: id, always: true, ...PROFILE });
  await waitFor(() => progressOf(client).length === asked + 2, 'the refusal of what is no JVM');
  expect(JSON.stringify(progressOf(client).at(-1))).toContain('it is not a HotSpot JVM');

  const refused = [
    { type: 'attachJvm', jvm: id, always: true, settings: '/tmp/evil.jfc', types: ['cpu'] },
    { type: 'attachJvm', jvm: id, always: true, settings: 'profile', types: [] },
    { type: 'attachJvm', jvm: id, always: true, settings: 'profile', types: ['jdk.X#enabled=true'] },
    { type: 'attachJvm', jvm: id, always: true, ...PROFILE, pid },
    { type: 'attachJvm', jvm: pid, always: true, ...PROFILE },
    { type: 'followRecording', jvm: id, recording: '1 filename=/etc/passwd' },
    { type: 'watchJvms', watch: 1 },
    { type: 'sampleJvm', jvm: id, ...SAMPLING, sharePercent: 101 },
    { type: 'sampleJvm', jvm: id, ...SAMPLING, intervalMs: 0 },
    { type: 'sampleJvm', jvm: id, ...SAMPLING, states: ['NEW'] },
    { type: 'sampleJvm', jvm: id, ...SAMPLING, threads: Array.from({ length: 21 }, () => 'a') },
    { type: 'controlAgent', jvm: id, command: { do: 'set', changes: { maxFrames: 2048 } } },
    { type: 'controlAgent', jvm: id, command: { do: 'set', changes: { host: 'x' } } },
    { type: 'controlAgent', jvm: id, command: { do: 'quit' } },
    { type: 'openAgentLog', jvm: id, path: '/etc/passwd' },
  ];
  for (const message of refused)
    expect(validateClientMessage(JSON.stringify(message)), JSON.stringify(message)).toHaveProperty('refusal');
});

test('hostile and long texts of JVMs are shown in printable characters, and attachable JVMs come first', async () => {
  const long = `\u202e${'a.'.repeat(5_000)}`;
  const jvms = [
    { ...jvmOf(), pid: 1, startTicks: 5, obstacle: 'other user' as const },
    { ...jvmOf(), pid: 2, startTicks: 3, main: long, mainArguments: '\x1b[31m', version: undefined },
    { ...jvmOf(), pid: 3, startTicks: 4, can: ['jfr-dump' as const], version: '11.0.2' },
    { ...jvmOf(), pid: 4, startTicks: 4, version: '15.0.2' },
    { ...jvmOf(), pid: 5, startTicks: 1, can: ['dumps' as const], version: '1.8.0_202' },
    {
      ...jvmOf(),
      pid: 6,
      startTicks: 0,
      can: ['dumps' as const],
      version: undefined,
      isVersionAwaited: true,
    },
  ];
  const { client } = await connect({ isAllowed: true, list: { read: () => jvms } });
  await entryOf(client, 4);
  const list = listOf(client);
  expect(list.map(({ pid, obstacle }) => [pid, obstacle])).toEqual([
    [4, undefined],
    [3, undefined],
    [2, undefined],
    [5, undefined],
    [6, undefined],
    [1, 'it belongs to another user'],
  ]);
  expect(list[1].note).toBe(
    'Its JFR does not flush: new samples are shown every 5 seconds, and recordings of others cannot be followed. It records all sample types of its settings, but no CPU time.',
  );
  expect([list[3].hasRecorder, list[3].note]).toEqual([
    false,
    'Java 1.8.0_202 has no flight recordings: its threads are sampled by thread dumps.',
  ]);
  expect(list[4].note).toBe(
    'Its Java version is not known yet; until then its threads are sampled by thread dumps.',
  );
  client.send({ type: 'attachJvm', jvm: list[4].id, always: true, ...PROFILE });
  await waitFor(() => progressOf(client).at(-1)?.state === 'failed', 'the refusal');
  expect(progressOf(client).at(-1)).toEqual({
    state: 'failed',
    text: 'JVM 6 (Busy): its Java version is not known yet: the file system of its JDK does not answer.',
  });
  expect(list[0].note).toBe('It records all sample types of its settings, but no CPU time.');
  expect(list[2].main).toBe(`\\u202e${'a.'.repeat(99)}a…`);
  expect(list[2].commandLine.length).toBeLessThan(700);
  expect(JSON.stringify(client.messages)).not.toContain('\u202e');
});

test('a first list that fails is followed by the next one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let reads = 0;
  const list = {
    read: (): readonly Jvm[] => {
      // As when no more files may be open.
      if (++reads === 1) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
      return [jvmOf()];
    },
  };
  const { client } = await connect({ isAllowed: true, list });
  client.send({ type: 'watchJvms', watch: true });
  await waitFor(() => reads === 1, 'the first list');
  expect(client.messages.filter(({ type }) => type === 'jvms')).toEqual([]);
  vi.advanceTimersByTime(2_000);
  await waitFor(() => client.messages.some(({ type }) => type === 'jvms'), 'the next list');
  expect(listOf(client).map(({ main }) => main)).toEqual(['Busy']);
});
