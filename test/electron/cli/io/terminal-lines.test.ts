import { spawn } from 'node:child_process';
import { mkdirSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../../../../electron/cli/open-browser.ts';
import { forwardCommand } from '../../../../electron/cli/io/terminal-lines.ts';
import { inCheckout, useBuiltProgram } from '../../../support/built-program.ts';
import { goldenLog } from '../../../support/read-log.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { waitFor } from '../../../support/wait-for.ts';

useBuiltProgram();

test('over ssh, the command that forwards the port is exact', () => {
  const command = (connection: string | undefined): string | undefined =>
    forwardCommand(18_123, { SSH_CONNECTION: connection }, 'ann');
  expect(command('192.0.2.7 50022 198.51.100.4 22')).toBe('ssh -C -L 18123:127.0.0.1:18123 ann@198.51.100.4');
  expect(command('192.0.2.7 50022 198.51.100.4 2222')).toBe(
    'ssh -C -p 2222 -L 18123:127.0.0.1:18123 ann@198.51.100.4',
  );
  expect(command('2001:db8::1 50022 2001:db8::2 22')).toBe('ssh -C -L 18123:127.0.0.1:18123 ann@2001:db8::2');
  expect([command(undefined), command(''), command('UNKNOWN')]).toEqual([undefined, undefined, undefined]);
});

/** What `serve` has said so far, and the address. */
function served(folder: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const command = spawn(
    process.execPath,
    [inCheckout('dist/electron/cli.cjs'), 'serve', '--no-open', ...args],
    {
      cwd: folder,
      env: { ...process.env, SSH_CONNECTION: '', XDG_CONFIG_HOME: join(folder, 'config'), ...env },
    },
  );
  onTestFinished(() => void command.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  command.stdout.on('data', (bytes: Buffer) => (said.stdout += bytes.toString()));
  command.stderr.on('data', (bytes: Buffer) => (said.stderr += bytes.toString()));
  return said;
}

test('serve says in the terminal what it cannot read, what it waits for, and what is not there', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.hpl'), goldenLog('hello'));
  writeFileSync(join(folder, 'plain.hpl'), 'root:x:0:0:root:/root:/bin/bash\n'.repeat(20));
  const options = ['--source', join(folder, 'nope'), '--editor', 'nosuch-editor {file}'];
  const said = served(folder, {}, 'a.hpl', 'no.hpl', 'plain.hpl', ...options);
  await waitFor(() => /^no\.hpl: /m.test(said.stderr) && /^plain\.hpl: /m.test(said.stderr), 'the messages');
  expect(said.stderr).toMatch(/^no\.hpl: Waiting for .*no\.hpl\. It opens when the file appears\.$/m);
  expect(said.stderr).toMatch(/^plain\.hpl: .*[Nn]ot a supported profile/m);
  expect(said.stderr).toContain(`--source ${join(folder, 'nope')}: does not exist\n`);
  expect(said.stderr).toContain('--editor: there is no program nosuch-editor; name it with its path\n');
  expect(said.stderr).not.toMatch(/^a\.hpl: /m);
});

test('serve tells who came by ssh how to open the address, and its refusals what to do', async () => {
  const said = served(temporaryFolder(), { SSH_CONNECTION: '192.0.2.7 50022 198.51.100.4 22' });
  await waitFor(() => said.stdout.includes('\n') && said.stderr.includes('\n'), 'the address');
  const { port, origin } = new URL(said.stdout.slice('Leanscope: '.length).trim());
  expect(said.stderr).toContain(`: ssh -C -L ${port}:127.0.0.1:${port} `);
  const bare = await fetch(origin);
  expect([bare.status, await bare.text()]).toEqual([
    403,
    'This page needs the token. Open the address that Leanscope printed in its terminal; after a restart it is a new one.\n',
  ]);
  expect(bare.headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

test('the file of a command that was killed, which has a token, is removed by the next one', () => {
  const folder = join(temporaryFolder(), 'Leanscope');
  mkdirSync(folder);
  // No process has this number: it is above the largest that Linux gives.
  const [left, others] = [join(folder, 'open-2147483646.html'), join(folder, `open-${process.ppid}.html`)];
  for (const file of [left, others]) writeFileSync(file, '');
  const remove = openBrowserQuietly(folder);
  expect([existsSync(left), existsSync(others)]).toEqual([false, true]);
  remove();
});

/** Without a display no browser is started. */
function openBrowserQuietly(folder: string): () => void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  delete process.env.DISPLAY;
  delete process.env.WAYLAND_DISPLAY;
  try {
    return openBrowser('http://127.0.0.1:1/', folder);
  } finally {
    if (DISPLAY !== undefined) process.env.DISPLAY = DISPLAY;
    if (WAYLAND_DISPLAY !== undefined) process.env.WAYLAND_DISPLAY = WAYLAND_DISPLAY;
  }
}
