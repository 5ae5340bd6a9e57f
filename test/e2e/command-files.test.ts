import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { HELD_OUTPUT } from '../support/held-output.ts';
import { goldenLog, goldenPath } from '../support/read-log.ts';
import { useChromium } from '../support/opened-window.ts';
import { leanscope } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testUnless } from '../support/test-unless.ts';
import { waitFor } from '../support/wait-for.ts';
import { LogWindow } from '../support/window.ts';

const browser = useChromium();

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

testUnless(process.platform === 'linux' ? undefined : 'only Linux has file names that are not UTF-8')(
  'D14: a file name that is not UTF-8 is opened, and shown with its bytes',
  async () => {
    const folder = temporaryFolder();
    const name = Buffer.concat([
      Buffer.from(`${folder}/h\u00e9`),
      Buffer.of(0xff, 0xc3, 0x28),
      Buffer.from('.hpl'),
    ]);
    writeFileSync(name, goldenLog('hello'));
    symlinkSync(name, join(folder, 'link.hpl'));
    // Arguments of a process that Node starts are strings: a shell makes the name.
    const shell = (command: string) =>
      spawn('/bin/sh', ['-c', `exec "$0" "$1" ${command}`, process.execPath, COMMAND], {
        cwd: folder,
        env: { ...process.env, XDG_CONFIG_HOME: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const named = `"$(printf 'h\\303\\251\\377\\303(.hpl')"`;
    const summary = shell(`summary ${named}`);
    let text = '';
    summary.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()));
    expect(await once(summary, 'close')).toEqual([0, null]);
    expect(text).toMatch(/^file +h\u00e9\\xff\\xc3\(\.hpl\n/);

    const written = shell(`export ${named} --format lean -o "$(printf 'h\\377.txt')"`);
    expect(await once(written, 'close')).toEqual([0, null]);
    const [out] = readdirSync(folder, { encoding: 'buffer' }).filter((each) => each.includes('.txt'));
    expect([...out]).toEqual([0x68, 0xff, ...Buffer.from('.txt')]);

    const missing = shell(`summary "$(printf 'no\\377')"`);
    let message = '';
    missing.stderr.on('data', (bytes: Buffer) => (message += bytes.toString()));
    expect(await once(missing, 'close')).toEqual([1, null]);
    expect(message).toBe('no\\xff: does not exist; check the path\n');

    const server = shell(`serve --no-open ${named} link.hpl`);
    onTestFinished(() => void server.kill('SIGKILL'));
    const [address] = (await once(server.stdout, 'data')) as [Buffer];
    const window = await LogWindow.open(browser(), /http\S+/.exec(address.toString())![0]);
    await window.samplesShown(37);
    expect(await window.page.title()).toContain('h\u00e9\\xff\\xc3(.hpl');
    // The link leads to the same file, which is opened once.
    expect(await window.part('tab').count()).toBeLessThan(2);
  },
);

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGKILL'] as const;

for (const args of [
  ['convert-trace', resolve('test/golden/tptp/demo-full.trcxml')],
  ['export', resolve(goldenPath('hello')), '--format', 'hprof'],
  ['compare', resolve(goldenPath('control-a')), resolve(goldenPath('control-b'))],
]) {
  testUnless(noDevices)(
    `after any signal ${args[0]} ends with it, and the next command removes what it left of its output`,
    async () => {
      await Promise.all(SIGNALS.map((signal) => endsWith(signal)));
    },
  );

  const endsWith = async (signal: NodeJS.Signals): Promise<void> => {
    const parent = temporaryFolder();
    const folder = Buffer.concat([Buffer.from(`${parent}/a b%\\n'`), Buffer.of(0xff, 0x0a, 0x2d)]);
    mkdirSync(folder);
    const command = spawn(
      '/bin/sh',
      ['-c', 'cd ./a*; exec "$0" "$@"', process.execPath, ...HELD_OUTPUT, COMMAND, ...args, '-o', 'out'],
      { cwd: parent, stdio: 'ignore' },
    );
    onTestFinished(() => void command.kill('SIGKILL'));
    const ended = once(command, 'exit');
    const isBegun = (name: Buffer): boolean =>
      name.toString().endsWith('.tmp') && statSync(Buffer.concat([folder, Buffer.from('/'), name])).size > 0;
    await waitFor(() => readdirSync(folder, { encoding: 'buffer' }).some(isBegun), 'the temporary file');
    command.kill(signal);
    expect(await ended).toEqual([null, signal]);
    const next = spawn(
      '/bin/sh',
      ['-c', 'cd ./a*; exec "$0" "$@"', process.execPath, COMMAND, ...args, '-o', 'out'],
      { cwd: parent, stdio: 'ignore' },
    );
    expect(await once(next, 'exit')).toEqual([0, null]);
    expect(readdirSync(folder)).toEqual(['out']);
  };
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
