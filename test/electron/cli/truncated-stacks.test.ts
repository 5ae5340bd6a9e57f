import { expect, test } from 'vitest';
import { goldenLog, goldenPath } from '../../support/read-log.ts';
import { readModel } from '../../support/reference-model.ts';
import { runCli } from '../../support/run-cli.ts';

const LOG = goldenPath('control-b');

function samplesBelow(collapsed: string, frame: string): number {
  return collapsed
    .split('\n')
    .filter((line) => line.startsWith(`${frame};`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

test('the depth of truncated stacks is listed by summary, and taken by export', async () => {
  const { stdout } = await runCli(['summary', LOG]);
  expect(stdout).toMatch(/^choose +cut=off {2}\(Group truncated stacks: 20, off\)$/m);
  expect((await runCli(['summary', LOG, '--choose', 'cut=20'])).stdout).toContain('  cut=20  ');
  const grouped = await runCli(['export', LOG, '--format', 'collapsed', '--choose', 'cut=20']);
  const truncated = readModel(goldenLog('control-b')).samples.filter(({ stack }) => stack.length === 20);
  expect(samplesBelow(grouped.stdout, '(truncated)')).toBe(truncated.length);
  const plain = await runCli(['export', LOG, '--format', 'collapsed']);
  expect(await runCli(['export', LOG, '--format', 'collapsed', '--choose', 'cut=off'])).toEqual(plain);
  expect(plain.stdout).not.toContain('(truncated)');
});

test('a depth must be given, and a log without truncated stacks has no such choice', async () => {
  expect(await runCli(['summary', LOG, '--choose', 'cut=on'])).toEqual({
    status: 1,
    stdout: '',
    stderr: `${LOG}: cut cannot be 'on'; it is one of: 20, off\n`,
  });
  const other = goldenPath('threads');
  expect(await runCli(['summary', other, '--choose', 'cut=off'])).toMatchObject({
    status: 1,
    stderr: `${other}: has no choice 'cut', there are none; leanscope summary lists them\n`,
  });
});
