import { expect, test } from 'vitest';
import { attachRequest } from '../../../electron/cli/attach-command.ts';
import { COMMANDS } from '../../../electron/cli/options/commands.ts';
import { samplingOf } from '../../../electron/cli/jvms-command.ts';
import { readArguments } from '../../../electron/cli/options/options.ts';
import { runCli } from '../../support/run-cli.ts';
import { FakeControlPort, listenAsAgent } from '../../support/fake-control-port.ts';
import { recorderOf } from '../../support/listed-jvm.ts';
import { javaInRoot, NO_OTHER_ROOT } from '../../support/other-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { NO_JVM, startJvm } from '../../support/test-jvm.ts';
import { testUnless } from '../../support/test-unless.ts';

const sampling = (...argv: string[]): ReturnType<typeof samplingOf> =>
  samplingOf(readArguments(argv, COMMANDS.attach.options).values);

test('what is sampled: threads by name, pool and expression, depth, interval, share, states', () => {
  expect(sampling()).toEqual({
    intervalMs: 20,
    mostShare: 0.01,
    depth: undefined,
    threads: undefined,
    chosen: undefined,
  });
  expect(
    sampling(
      ...['--thread', 'main', '--thread', 'http-*', '--thread', '/^x.z$/', '--depth', '64'],
      ...['--interval', '1s', '--share', '5', '--states', 'BLOCKED,RUNNABLE'],
    ),
  ).toEqual({
    intervalMs: 1000,
    mostShare: 0.05,
    depth: 64,
    threads: ['main', '/^http-[0-9]+$/', '/^x.z$/'],
    chosen: { state: 'RUNNABLE,BLOCKED' },
  });
  expect(() => sampling('--states', 'runnable')).toThrow("--states cannot be 'runnable'");
  expect(() => sampling('--thread', '/(/')).toThrow(
    '--thread: Invalid regular expression: Unterminated group',
  );
  expect(sampling('--share', '0.5').mostShare).toBe(0.005);
  for (const share of ['0', '0.05', '100.1', '1e1', '.5', ''])
    expect(() => sampling('--share', share), share).toThrow('--share cannot be');
});

const silent = (): void => undefined;
const IO = { stdin: () => process.stdin, stdout: silent, stderr: silent, showsProgress: false };

const requested = (wanted: string, ...argv: string[]): Promise<unknown> =>
  attachRequest(wanted, readArguments(argv, COMMANDS.attach.options), IO);

test('what is recorded: settings and sample types', async () => {
  const recorded = (...argv: string[]): object => {
    const { settings, types } = readArguments(argv, COMMANDS.attach.options).values;
    return { settings, types };
  };
  expect(recorded()).toEqual({ settings: 'profile', types: undefined });
  expect(recorded('--settings', 'default', '--types', 'locks,cpu')).toEqual({
    settings: 'default',
    types: ['cpu', 'locks'],
  });
  expect(() => recorded('--types', 'cpu,wall')).toThrow(
    "--types cannot be 'wall': it is one or more of cpu, cpu-time, allocations, locks",
  );
  await expect(requested('7', '--recording', 'a', '--with', 'dumps')).rejects.toThrow(
    '--recording is for flight recordings, not for --with dumps',
  );
  await expect(requested('7', '--recording', 'a', '--types', 'cpu')).rejects.toThrow(
    '--types and --settings are for a recording that is started, not for --recording',
  );
});

testUnless(NO_JVM)('a recording to follow is named, and an agent that is not there is said', async () => {
  const { pid } = await startJvm();
  await (await recorderOf(pid)).start('theirs', { settings: 'default', flushes: true, maxMegabytes: 10 });
  const recorded = await requested(String(pid), '--types', 'locks');
  expect(recorded).toMatchObject({ jvm: { pid }, shows: 'recording, settings profile, types locks' });
  for (const name of ['theirs', '1'])
    expect(await requested(String(pid), '--recording', name)).toMatchObject({
      jvm: { pid },
      shows: 'follows recording 1',
    });
  await expect(requested(String(pid), '--recording', 'mine')).rejects.toThrow(
    `JVM ${pid} (Busy): no recording mine can be followed; there are: 1 theirs`,
  );
  const { status, stderr } = await runCli(['attach', String(pid), '--with', 'agent', '--no-open']);
  expect([status, stderr]).toEqual([1, `JVM ${pid} (Busy): was started without Honest Profiler's agent\n`]);
});

testUnless(NO_OTHER_ROOT)(
  'the log of an agent in a container, and one that it got over its control port, is opened',
  async () => {
    const root = temporaryFolder();
    const agent = new FakeControlPort();
    const { host, port } = await listenAsAgent(agent);
    const pid = await javaInRoot(root, [
      `-agentpath:/opt/liblagent.so=host=${host},port=${port},logPath=/first.hpl`,
    ]);
    const inRoot = (path: string): string => `/proc/${pid}/root${path}`;
    const opened = (): Promise<unknown> => requested(String(pid), '--with', 'agent');
    agent.logPath = '/second.hpl';
    expect(await opened()).toMatchObject({ shows: `shows the log of its agent, ${inRoot('/second.hpl')}` });
    agent.answer = () => '';
    expect(await opened()).toMatchObject({ shows: `shows the log of its agent, ${inRoot('/first.hpl')}` });
    const other = await javaInRoot(root, ['-agentpath:/opt/liblagent.so']);
    const { status, stderr } = await runCli(['attach', String(other), '--with', 'agent', '--no-open']);
    expect([status, stderr]).toEqual([
      1,
      `JVM ${other} (Main): its agent has no log open; it may not have started to sample\n`,
    ]);
  },
);
