import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { useBuiltProgram } from '../support/built-program.ts';
import { goldenLog, goldenPath } from '../support/read-log.ts';
import { leanscope } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testUnless } from '../support/test-unless.ts';
import { waitFor } from '../support/wait-for.ts';

useBuiltProgram();

const COMMAND = fileURLToPath(new URL('../../dist/electron/cli.cjs', import.meta.url));
const noDevices =
  process.platform === 'win32' ? 'Windows has neither links nor devices like these' : undefined;

/** Runs a command with descriptors of files. */
async function run(
  args: readonly string[],
  { stdin, stdout }: { readonly stdin?: string; readonly stdout?: string },
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const input = stdin === undefined ? 'ignore' : openSync(stdin, 'r');
  const output = stdout === undefined ? 'ignore' : openSync(stdout, 'w');
  const command = spawn(process.execPath, [COMMAND, ...args], { stdio: [input, output, 'pipe'] });
  for (const descriptor of [input, output]) if (typeof descriptor === 'number') closeSync(descriptor);
  let stderr = '';
  command.stderr?.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code] = (await once(command, 'close')) as [number | null];
  return { code, stderr };
}

testUnless(noDevices)('an output that is standard input is refused, and the input stays', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'in.hpl');
  writeFileSync(log, goldenLog('hello'));
  symlinkSync(log, join(folder, 'link.hpl'));
  for (const out of [log, join(folder, 'link.hpl')]) {
    for (const command of [
      ['export', '-', '--format', 'lean'],
      ['convert-trace', '-'],
    ]) {
      expect(await run([...command, '-o', out], { stdin: log })).toEqual({
        code: 1,
        stderr: `${out}: is the input file; name another file with -o\n`,
      });
    }
  }
  expect(readFileSync(log).equals(goldenLog('hello'))).toBe(true);
  expect(await run(['export', '-', '--format', 'lean', '-o', join(folder, 'out')], { stdin: log })).toEqual({
    code: 0,
    stderr: '',
  });
});

testUnless(noDevices)('a link to a file that does not exist is followed, and stays a link', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real/deep'), { recursive: true });
  mkdirSync(join(folder, 'links'));
  // The folder of the second link is a link itself, so that `..` is not what the text of the path says.
  symlinkSync(join(folder, 'real/deep'), join(folder, 'links/folder'));
  symlinkSync('folder/second', join(folder, 'links/first'));
  symlinkSync('../out.txt', join(folder, 'real/deep/second'));
  const first = join(folder, 'links/first');
  const { stdout } = await leanscope('export', '--format', 'lean', goldenPath('hello'));
  expect(await leanscope('export', '--format', 'lean', goldenPath('hello'), '-o', first)).toMatchObject({
    code: 0,
  });
  expect(readlinkSync(first)).toBe('folder/second');
  expect(readFileSync(join(folder, 'real/out.txt'), 'utf8')).toBe(stdout);

  symlinkSync('loop', join(folder, 'loop'));
  const loop = join(folder, 'loop');
  expect(await leanscope('export', '--format', 'lean', goldenPath('hello'), '-o', loop)).toEqual({
    code: 1,
    stdout: '',
    stderr: `${loop}: is a loop of symbolic links (ELOOP); name another file with -o\n`,
  });
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
  testUnless(noDevices)(
    `after ${signal} nothing of an output is left, and the command ends with it`,
    async () => {
      const folder = temporaryFolder();
      // Standard input stays open, so the command is in the middle of its output.
      const command = spawn(process.execPath, [COMMAND, 'convert-trace', '-', '-o', join(folder, 'out')], {
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      onTestFinished(() => void command.kill('SIGKILL'));
      const ended = once(command, 'exit');
      await waitFor(() => readdirSync(folder).some((name) => name.endsWith('.tmp')), 'the temporary file');
      command.kill(signal);
      expect(await ended).toEqual([null, signal]);
      await waitFor(() => readdirSync(folder).length === 0, 'the temporary file to be removed');
    },
  );
}

for (const args of [
  ['summary', goldenPath('hello')],
  ['summary', goldenPath('hello'), '--json'],
  ['export', goldenPath('hello'), '--format', 'lean'],
  ['--help'],
]) {
  testUnless(noDevices)(`D12: standard output without space: ${args.join(' ')}`, async () => {
    expect(await run(args, { stdout: '/dev/full' })).toEqual({
      code: 1,
      stderr:
        'standard output: there is no space left on its disk (ENOSPC); free some, or name a file elsewhere with -o\n',
    });
  });
}
