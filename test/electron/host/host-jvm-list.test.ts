import { expect, onTestFinished, test, vi } from 'vitest';
import type { Jvm } from '../../../electron/jvm/jvm.ts';
import type { JvmId } from '../../../shared/protocol/jvm-messages.ts';
import { jvmOf } from '../../support/fake-jvm.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import { connectToJvms, entryOf, listOf, PROFILE, progressOf, waitFor } from '../../support/jvm-client.ts';
import { connectedTo, type TestClient } from '../../support/test-client.ts';

const workerUrl = useLogWorker();

test('a list that fails while it is shown is left out, and the next one is sent', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let reads = 0;
  const read = (): readonly Jvm[] => {
    if (++reads === 2) throw new Error('EMFILE');
    return [{ ...jvmOf(), main: `list ${reads}` }];
  };
  const { client } = await connectToJvms(workerUrl(), { isAllowed: true, list: { read } });
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
  const { client, host } = await connectToJvms(workerUrl(), { isAllowed: true, list: { read } });
  const second = await connectedTo(host);
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
  const { client } = await connectToJvms(workerUrl(), { isAllowed: true, list: { read: () => jvms } });
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
  const { client } = await connectToJvms(workerUrl(), { isAllowed: true, list });
  client.send({ type: 'watchJvms', watch: true });
  await waitFor(() => reads === 1, 'the first list');
  expect(client.messages.filter(({ type }) => type === 'jvms')).toEqual([]);
  vi.advanceTimersByTime(2_000);
  await waitFor(() => client.messages.some(({ type }) => type === 'jvms'), 'the next list');
  expect(listOf(client).map(({ main }) => main)).toEqual(['Busy']);
});
