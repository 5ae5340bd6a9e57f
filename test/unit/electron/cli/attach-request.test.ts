import { expect, test } from 'vitest';
import { attachRequest } from '../../../../electron/cli/attach-request.ts';
import { samplingOf } from '../../../../electron/cli/sampling-options.ts';
import { parseArguments } from '../../../../electron/cli/arguments.ts';
import { ATTACH_OPTIONS } from '../../../../electron/cli/serve-command.ts';
import { runCli } from '../../../support/run-cli.ts';
import { FakeControlPort, listenAsAgent } from '../../../support/fake-control-port.ts';
import { javaInRoot, NO_OTHER_ROOT } from '../../../support/other-root.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { NO_JVM, startJvm } from '../../../support/test-jvm.ts';
import { testUnless } from '../../../support/test-unless.ts';

const sampling = (...argv: string[]): ReturnType<typeof samplingOf> =>
  samplingOf(parseArguments(argv, ATTACH_OPTIONS));

test('what is sampled: threads by name, pool and expression, depth, interval, share, states', () => {
  expect(sampling()).toEqual({
    intervalMs: 20,
    mostShare: 0.01,
    depth: undefined,
    wants: undefined,
    chosen: undefined,
  });
  const { wants, ...rest } = sampling(
    ...['--thread', 'main', '--thread', 'http-*', '--thread', '/^x.z$/', '--depth', '64'],
    ...['--interval', '1s', '--share', '5', '--states', 'BLOCKED,RUNNABLE'],
  );
  expect(rest).toEqual({
    intervalMs: 1000,
    mostShare: 0.05,
    depth: 64,
    chosen: { state: 'RUNNABLE,BLOCKED' },
  });
  const names = ['main', 'main2', 'http-1', 'http-12', 'http-x', 'xyz', 'xyzz'];
  expect(names.filter((name) => wants?.(name) === true)).toEqual(['main', 'http-1', 'http-12', 'xyz']);
  expect(() => sampling('--states', 'runnable')).toThrow("--states cannot be 'runnable'");
  expect(() => sampling('--thread', '/(/')).toThrow('--thread is no regular expression');
  expect(() => sampling('--share', '0')).toThrow('--share cannot be');
});

testUnless(NO_JVM)('an agent that is not there is said', async () => {
  const { pid } = await startJvm();
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
    const silent = (): void => undefined;
    const io = { stdin: () => process.stdin, stdout: silent, stderr: silent, showsProgress: false };
    const opened = async (): Promise<unknown> =>
      attachRequest(String(pid), parseArguments(['--with', 'agent'], ATTACH_OPTIONS), io);
    agent.logPath = '/second.hpl';
    expect(await opened()).toMatchObject({ agentLog: inRoot('/second.hpl') });
    agent.answer = () => '';
    expect(await opened()).toMatchObject({ agentLog: inRoot('/first.hpl') });
    const other = await javaInRoot(root, ['-agentpath:/opt/liblagent.so']);
    const { status, stderr } = await runCli(['attach', String(other), '--with', 'agent', '--no-open']);
    expect([status, stderr]).toEqual([
      1,
      `JVM ${other} (Main): its agent has no log open; it may not have started to sample\n`,
    ]);
  },
);
