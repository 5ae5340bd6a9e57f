import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentAnswer, JvmId } from '../../../../shared/protocol/jvm-messages.ts';
import type { AgentCommand } from '../../../../shared/protocol/client-messages.ts';
import { FakeControlPort, listenAsAgent } from '../../../support/fake-control-port.ts';
import { jvmOf } from '../../../support/fake-jvm.ts';
import { useLogWorker } from '../../../support/built-worker.ts';
import { connectToJvms, entryOf, waitFor } from '../../../support/jvm-client.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const workerUrl = useLogWorker();

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
  const { client, host } = await connectToJvms(workerUrl(), {
    isAllowed: true,
    list: { read: () => [withAgent] },
  });
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
  const stopped = { state: 'known', agent: { isSampling: false, logPath: agent.logPath } };
  expect(await told('status')).toEqual(stopped);
  expect(await told('start')).toMatchObject({ agent: { isSampling: true } });
  expect(await told('stop')).toEqual(stopped);
  agent.isBroken = true;
  expect(await told('start')).toEqual({
    state: 'failed',
    text: expect.stringMatching(/was told to start, and has not/) as string,
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
  const { client, host } = await connectToJvms(workerUrl(), {
    isAllowed: true,
    list: { read: () => [inContainer] },
  });
  const { id } = await entryOf(client, inContainer.pid);
  client.send({ type: 'controlAgent', jvm: id, command: 'start' });
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
  const { client } = await connectToJvms(workerUrl(), {
    isAllowed: true,
    list: { read: () => [{ ...jvmOf(), agent }] },
  });
  const { id } = await entryOf(client, process.pid);
  client.send({ type: 'openAgentLog', jvm: id });
  client.send({ type: 'openAgentLog', jvm: 'gone' as JvmId });
  client.send({ type: 'controlAgent', jvm: id, command: 'start' });
  client.send({ type: 'controlAgent', jvm: 'gone' as JvmId, command: 'start' });
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
  const { client } = await connectToJvms(workerUrl(), {
    isAllowed: true,
    list: { read: () => [{ ...jvmOf(), agent }] },
  });
  const { id } = await entryOf(client, process.pid);
  client.send({ type: 'controlAgent', jvm: id, command: 'status' });
  const failures = (): readonly string[] =>
    client.messages.flatMap((message) => {
      if (message.type === 'agent' && message.answer.state === 'failed')
        return [`agent: ${message.answer.text}`];
      return message.type === 'problem' ? [`problem: ${message.text}`] : [];
    });
  await waitFor(() => failures().length > 0, 'the failure of the agent');
  expect(failures()).toEqual([expect.stringMatching(/^agent: The request was not carried out: .*70000/)]);
});
