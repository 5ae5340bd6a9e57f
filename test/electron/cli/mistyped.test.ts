import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([
  [['summry', 'a.hpl'], "there is no command and no file 'summry'; did you mean 'summary'?", ''],
  [
    ['exprot', 'a.hpl', '--format', 'flat'],
    "there is no command and no file 'exprot'; did you mean 'export'?",
    '',
  ],
  [['sevre'], "there is no command and no file 'sevre'; did you mean 'serve'", ''],
  [['jmvs'], "there is no command and no file 'jmvs'; did you mean 'jvms'?", ''],
  [['Summary', 'a.hpl'], "there is no command and no file 'Summary'; did you mean 'summary'?", ''],
  [['qqqq'], "there is no command and no file 'qqqq'", ''],
  [['help', 'exprot'], "there is no command 'exprot'; did you mean 'export'?", 'help '],
  [['help', 'export', 'serve'], 'help takes one command, not 2', 'help '],
  [['version', '--json'], 'version takes neither options nor files', 'version '],
  [['summary', 'a.hpl', '--jsno'], "unknown option --jsno; did you mean '--json'?", 'summary '],
  [
    ['export', 'a.hpl', '--fromat=flat'],
    "unknown option --fromat; did you mean '--from' or '--format'",
    'export ',
  ],
  [['export', 'a.hpl', '--format', 'speedscoop'], "did you mean 'speedscope'?", 'export '],
  [['export', 'a', '--format=flat', '--frames=lin'], "method-id; did you mean 'line'?", 'export '],
  [['summary', 'a', '--fold', 'lamda'], "did you mean 'lambda'?", 'summary '],
  [['attach', 'a', '--types', 'alocations'], "did you mean 'allocations'", 'attach '],
  [['record', 'a', '-o', 'b.svg', '--with=dumps', '--states=RUNABLE'], "did you mean 'RUNNABLE'", 'record '],
  [['agent', 'localhost:1', 'stauts'], "did you mean 'status'", 'agent '],
])('%j is a usage error that says what may be meant', async (argv, said, command) => {
  const { status, stdout, stderr } = await runCli(argv);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(said);
  expect(stderr).toMatch(new RegExp(`(; see|\\? See) leanscope ${command}--help\n$`));
});

test('a file that does not exist is opened only by --wait', async () => {
  for (const path of ['no.hpl', './no', '/nowhere/no', 'C:\\no'])
    expect(await runCli([path])).toEqual({
      status: 1,
      stdout: '',
      stderr: `${path}: does not exist; check the path, or wait for it with --wait\n`,
    });
  const present = join(temporaryFolder(), 'a.hpl');
  writeFileSync(present, '');
  expect(await runCli([present, '--', 'no'])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^no: does not exist/) as string,
  });
});

test('help and version are commands, too, and each command has a help', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  for (const argv of [['version'], ['--version'], ['-V'], ['-v']])
    expect(await runCli(argv)).toEqual({ status: 0, stdout: `leanscope ${version}\n`, stderr: '' });
  expect(await runCli(['help'])).toEqual(await runCli(['--help']));
  const commands = Array.from(
    (await runCli(['help'])).stdout.matchAll(/^ {2}leanscope ([a-z][a-z-]+)(?![\w.*-])/gm),
    ([, name]) => name,
  );
  expect(commands).toContain('summary');
  for (const command of commands) {
    const help = await runCli(['help', command]);
    expect(help.stdout).toContain(`leanscope ${command}`);
    expect(help).toEqual(await runCli([command, '--help']));
  }
});
