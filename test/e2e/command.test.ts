import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startAgent } from '../support/fake-agent.ts';
import { noWindowReason } from '../support/no-window.ts';
import { goldenLog, goldenPath } from '../support/read-log.ts';
import { leanscope } from '../support/served.ts';
import { otlpProfile } from '../support/small-otlp.ts';
import { useWindows } from '../support/opened-window.ts';
import { LogWindow } from '../support/window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { testUnless } from '../support/test-unless.ts';

const { browser } = useWindows();

const COMMAND = fileURLToPath(new URL('../../dist/electron/cli.cjs', import.meta.url));
const BIG = goldenPath('server-20mb');

function start(...args: readonly string[]) {
  return startWith({}, ...args);
}

function startWith(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const command = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // The test must not change the user's list of recent files.
    env: { ...process.env, XDG_CONFIG_HOME: temporaryFolder(), ...env },
  });
  onTestFinished(() => void command.kill('SIGKILL'));
  let stderr = '';
  command.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = once(command, 'exit').then(([code, signal]) => ({
    code: code as unknown,
    signal: signal as unknown,
    stderr,
  }));
  return { command, ended };
}

test('a reader that closes early ends the command quietly', async () => {
  const { command, ended } = start('export', BIG, '--format', 'tree');
  await once(command.stdout, 'data');
  command.stdout.destroy();
  expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
});

test('a slow reader gets all of it, and holds the writer up meanwhile', async () => {
  const { command, ended } = start('export', BIG, '--format', 'collapsed');
  let bytes = 0;
  let isEnded = false;
  void ended.then(() => (isEnded = true));
  await once(command.stdout, 'readable');
  // Nothing was read yet: what a pipe does not hold is not written yet.
  expect(isEnded).toBe(false);
  for await (const chunk of command.stdout) bytes += (chunk as Buffer).length;
  expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(bytes).toBe(57_106_643);
});

test('standard input, and a damaged log through a pipe', async () => {
  const whole = start('summary', '-', '--json');
  whole.command.stdin.end(readFileSync(BIG));
  const [text] = (await once(whole.command.stdout, 'data')) as [Buffer];
  expect(JSON.parse(text.toString())).toMatchObject({ file: '-', samples: 15_675, frames: 1_503_270 });
  expect((await whole.ended).code).toBe(0);

  const cut = start('summary', '-');
  cut.command.stdin.end(Buffer.concat([goldenLog('hello'), Buffer.from('oops')]));
  expect(await cut.ended).toEqual({
    code: 3,
    signal: null,
    stderr:
      'standard input: record type at byte 25905 (record 727): type 111 (0x6f), expected 1, 2, 3, 4, 11, 21 or 31; read 99.9 % of the file\n',
  });
});

test('D16: a file name that looks like an option, or like an attack on the terminal', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '--json'), goldenLog('hello'));
  const { command, ended } = start('summary', '--json', '--', join(folder, '--json'));
  command.stdout.resume();
  expect((await ended).code).toBe(0);
  const missing = await leanscope('summary', join(folder, 'a\u001b]0;title\u0007\n.hpl'));
  expect(missing.code).toBe(1);
  expect(missing.stderr).toBe(
    `${join(folder, 'a\\x1b]0;title\\x07\\x0a.hpl')}: does not exist; check the path\n`,
  );
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'serve says one line with its address, and stops cleanly on %s',
  async (signal) => {
    const { command, ended } = start('serve', '--no-open', goldenPath('hello'));
    const [text] = (await once(command.stdout, 'data')) as [Buffer];
    expect(text.toString()).toMatch(/^Leanscope: http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n$/);
    command.kill(signal);
    expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
  },
);

test('serve takes traces, says where, keeps them while it runs, and removes them when it stops', async () => {
  const folder = temporaryFolder();
  const { command, ended } = startWith({ TMPDIR: folder }, 'serve', '--no-open', '--listen-trace', '0');
  let stdout = '';
  command.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  await waitFor(() => /traces to .*\n/.test(stdout), 'the lines');
  const port = Number(/^Leanscope: http.*\nLeanscope: traces to 127\.0\.0\.1:(\d+)\n$/.exec(stdout)?.[1]);
  const xml = readFileSync('test/golden/tptp/demo-full.trcxml');
  await startAgent(port, true, { binary: readFileSync('test/golden/tptp/demo-full-le.trcbin'), xml });
  const kept = (): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('trace-1.trcbin'),
    );
  await waitFor(() => kept().length === 1, 'the trace to be kept');
  const second = await leanscope('serve', '--no-open', '--listen-trace', String(port));
  expect(second).toEqual({
    code: 1,
    stdout: '',
    stderr: `port ${port}: is in use by another program, perhaps a Leanscope that still runs; choose another one, or any free one with --listen-trace 0\n`,
  });
  command.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(readdirSync(folder)).toEqual([]);
});

test('serve takes profiles of OpenTelemetry, says where and with which token, and removes them when it stops', async () => {
  const folder = temporaryFolder();
  const { command, ended } = startWith({ TMPDIR: folder }, 'serve', '--no-open', '--listen-otlp', '0');
  let stdout = '';
  command.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  await waitFor(() => /Bearer .*\n/.test(stdout), 'the lines');
  const [, url, token] =
    /\nLeanscope: profiles to (\S+)\nLeanscope: with the header Authorization: Bearer (\w{32})\n$/.exec(
      stdout,
    )!;
  const send = async (authorization: string): Promise<number> => {
    const headers = { 'content-type': 'application/x-protobuf', authorization };
    return (await fetch(url, { method: 'POST', headers, body: new Uint8Array(otlpProfile('links')) })).status;
  };
  expect([await send('Bearer x'), await send(`Bearer ${token}`)]).toEqual([401, 200]);
  const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(kept.filter((path) => path.endsWith('unknown_service.otlp')).length).toBe(1);
  const page = await LogWindow.open(browser(), /^Leanscope: (\S+)/.exec(stdout)![1]);
  await page.samplesShown(5);
  expect(await send(`Bearer ${token}`)).toBe(200);
  await page.samplesShown(10);
  command.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a port that is taken is one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { readonly port: number };
  const { code, stdout, stderr } = await leanscope('serve', '--no-open', '--port', String(port));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `port ${port}: is in use by another program, perhaps a Leanscope that still runs; choose another one, or any free one with --port 0\n`,
  );
});

testUnless(process.platform === 'linux' ? undefined : 'a browser is started by other programs here')(
  'without a window to open, the browser gets it, and the token stays private',
  async () => {
    const folder = temporaryFolder();
    const seen = join(folder, 'seen');
    writeFileSync(
      join(folder, 'xdg-open'),
      `#!/bin/sh\n{ echo "$@"; stat -c %a "$1"; cat "$1"; } > ${seen}.part; mv ${seen}.part ${seen}\n`,
      { mode: 0o755 },
    );
    const env = {
      PATH: `${folder}:${process.env.PATH ?? ''}`,
      ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'nowhere'),
      DISPLAY: ':0',
    };
    const { command, ended } = startWith(env, goldenPath('hello'));
    const [text] = (await once(command.stdout, 'data')) as [Buffer];
    const url = text.toString().slice('Leanscope: '.length).trim();
    await waitFor(() => existsSync(seen), 'the browser');
    const [opened, mode, page] = readFileSync(seen, 'utf8').split('\n');
    expect(opened).toMatch(/\/Leanscope\/open-\d+\.html$/);
    expect(mode).toBe('600');
    // An address of its own, whose token is valid once.
    const address = /content="0;url=(http:[^"]+)"/.exec(page)?.[1] ?? '';
    expect([new URL(address).origin, address === url]).toEqual([new URL(url).origin, false]);
    const statusOf = async (): Promise<number> => (await fetch(address, { redirect: 'manual' })).status;
    expect([await statusOf(), await statusOf()]).toEqual([303, 403]);
    command.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([
      0,
      `leanscope: the window cannot be opened: ${noWindowReason({ ...process.env, ...env })}; serving it to the browser instead\n`,
    ]);
    expect(existsSync(opened)).toBe(false);
  },
);
