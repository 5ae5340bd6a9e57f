import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HostJvmsOptions } from '../../../../electron/host/jvms/host-jvms.ts';
import { validateClientMessage } from '../../../../shared/protocol/client-messages.ts';
import type { AttachProgress, JvmId, SamplingState } from '../../../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';
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
import { recorderOf } from '../../../support/listed-jvm.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { connectedTo, type TestClient } from '../../../support/test-client.ts';
import { NO_JVM, QUICK_START, RECORDED_JDKS, startJvm } from '../../../support/test-jvm.ts';
import { testSeed } from '../../../support/test-seed.ts';
import { onLinux, testUnless } from '../../../support/test-unless.ts';

const workerUrl = useLogWorker();

const connect = (
  jvms: HostJvmsOptions = { isAllowed: true },
  thread = workerUrl(),
): Promise<ConnectedClient> => connectToJvms(thread, jvms);

const attached = (client: TestClient, jvm: JvmId, always = false): Promise<LogId> =>
  attachedBy(client, { type: 'attachJvm', jvm, always, ...PROFILE });

for (const { major, home } of RECORDED_JDKS)
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
    leftOut: [],
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

onLinux('a JVM that names a folder which cannot be looked at: attaching fails, with the reason', async () => {
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
});

onLinux('a Java runtime without the flight recorder: that is said, with what can be done', async () => {
  listenAsJvm(() => 'Module jdk.jfr not found.\nFlight Recorder can not be enabled.\n');
  const { client } = await connect({ isAllowed: true, list: { read: () => [jvmOf()] } });
  const { id } = await entryOf(client, process.pid);
  for (const always of [false, true]) {
    const before = progressOf(client).length;
    client.send({ type: 'attachJvm', jvm: id, always, ...PROFILE });
    await waitFor(() => progressOf(client).length === before + 2, 'the refusal');
    expect(progressOf(client).at(-1)).toEqual({
      state: 'failed',
      text: `JVM ${process.pid} (Busy): its Java runtime has no flight recorder (module jdk.jfr); choose Sample by thread dumps below the list.`,
    });
  }
});

onLinux('two windows attach to the same JVM: both get the answer, once', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'begun.jfr'), '');
  listenAsJvm((_, command) =>
    command === 'JFR.check' ? 'Recording 7: name=theirs (running)\n' : `Repository path: ${folder}\n`,
  );
  const { host, client } = await connect({ isAllowed: true, list: { read: () => [jvmOf()] } });
  const second = await connectedTo(host);
  const { id } = await entryOf(client, process.pid);
  const request = { type: 'attachJvm', jvm: id, always: false, ...PROFILE } as const;
  for (const each of [client, second, client, second]) each.send(request);
  const states = (of: TestClient): string =>
    progressOf(of)
      .map(({ state }) => state)
      .join();
  for (const each of [client, second])
    await waitFor(() => states(each) === 'attaching,recorded', 'the recordings');
});

onLinux(
  'who wants thread dumps of a JVM is not told of the flight recording that another window waits for',
  async () => {
    listenAsJvm((_, command) => (command === 'JFR.check' ? undefined : 'Full thread dump\n'));
    const { host, client } = await connect({ isAllowed: true, list: { read: () => [jvmOf()] } });
    const { id } = await entryOf(client, process.pid);
    client.send({ type: 'attachJvm', jvm: id, always: false, ...PROFILE });
    client.send({ type: 'sampleJvm', jvm: id });
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

onLinux('threads are sampled by thread dumps, for a while, and on in the same log', async () => {
  listenAsJvm((command) => (command === 'threaddump' ? DUMP : ''));
  const { client, host } = await connect({ isAllowed: true, list: { read: () => [jvmOf()] } });
  const { id } = await entryOf(client, process.pid);
  const samplings = (): readonly SamplingState[] =>
    client.messages.flatMap((message) => (message.type === 'sampling' ? [message.state] : []));

  client.send({ type: 'sampleJvm', jvm: id });
  await waitFor(() => progressOf(client).at(-1)?.state === 'attached', 'the log');
  const log = 0 as LogId;
  const copy = client.subscribe(log);
  await waitFor(() => samplesOf(client, log) > 2, 'samples');
  expect(listOf(client)[0]).toMatchObject({ hasRecorder: true });
  client.send({ type: 'controlSampling', log, run: false });
  await waitFor(() => samplings().at(-1) === 'stopped', 'the end of the run');
  expect(host.jvms?.recordings.known.get(log)?.sampling).toBe('stopped');

  // A window that connects then knows it, too.
  const late = await connectedTo(host);
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
  expect(copy.profile.threads.name).toEqual(['main', 'other']);
  client.send({ type: 'close', log });
  await waitFor(() => client.heard.includes(`closed ${log}`), 'the log to be closed');
  client.send({ type: 'controlSampling', log, run: true });
  expect([...(host.jvms?.recordings.known ?? [])]).toEqual([]);
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
    { type: 'sampleJvm', jvm: id, intervalMs: 0 },
    { type: 'controlAgent', jvm: id, command: 'quit' },
    { type: 'openAgentLog', jvm: id, path: '/etc/passwd' },
  ];
  for (const message of refused)
    expect(validateClientMessage(JSON.stringify(message)), JSON.stringify(message)).toHaveProperty('refusal');
});
