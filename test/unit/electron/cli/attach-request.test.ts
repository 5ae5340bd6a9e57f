import { expect, test } from 'vitest';
import { shownSamplingOf } from '../../../../electron/cli/sampling-options.ts';
import { parseArguments } from '../../../../electron/cli/arguments.ts';
import { ATTACH_OPTIONS } from '../../../../electron/cli/serve-command.ts';
import { runCli } from '../../../support/run-cli.ts';
import { NO_JVM, startJvm } from '../../../support/test-jvm.ts';
import { testUnless } from '../../../support/test-unless.ts';

const sampling = (...argv: string[]): ReturnType<typeof shownSamplingOf> =>
  shownSamplingOf(parseArguments(argv, ATTACH_OPTIONS));

test('what is sampled: threads by name, pool and expression, depth, interval, share, states', () => {
  expect(sampling()).toEqual({
    intervalMs: 20,
    mostShare: 0.01,
    depth: undefined,
    wants: undefined,
    chosen: undefined,
  });
  const { wants, ...rest } = sampling(
    ...['--threads', 'main', '--threads', 'http-*', '--threads', '/^x.z$/', '--depth', '64'],
    ...['--interval', '1s', '--share', '5', '--states', 'RUNNABLE,BLOCKED'],
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
  expect(() => sampling('--threads', '/(/')).toThrow('--threads is no regular expression');
  expect(() => sampling('--share', '0')).toThrow('--share cannot be');
});

testUnless(NO_JVM)('an agent that is not there is said', async () => {
  const { pid } = await startJvm();
  const { status, stderr } = await runCli(['attach', String(pid), '--with', 'agent', '--no-open']);
  expect([status, stderr]).toEqual([1, `JVM ${pid} (Busy): was started without Honest Profiler's agent\n`]);
});
