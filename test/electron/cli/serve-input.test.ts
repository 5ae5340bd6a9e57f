import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();

/** `leanscope serve -`, started by a POSIX shell after these commands, whose standard input stays open. */
async function serveInput(before: string) {
  const temporary = temporaryFolder();
  const server = spawn(
    'sh',
    ['-c', `${before} exec "$0" "$@"`, process.execPath, inCheckout('dist/electron/cli.cjs'), 'serve', '-'],
    { env: { ...process.env, TMPDIR: temporary, XDG_CONFIG_HOME: temporaryFolder() } },
  );
  const exit = new Promise<number | null>((resolve) => server.once('exit', resolve));
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await exit;
  });
  const said = { stdout: '', stderr: '' };
  server.stdout.on('data', (text: Buffer) => (said.stdout += text.toString()));
  server.stderr.on('data', (text: Buffer) => (said.stderr += text.toString()));
  await waitFor(() => said.stdout.includes('\n'), 'the address');
  return { server, exit, said, kept: () => readdirSync(temporary) };
}

test('a terminal is no input', () => {
  const terminal = 'data:text/javascript,process.stdin.isTTY=true';
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', terminal, inCheckout('dist/electron/cli.cjs'), 'serve', '-'],
    { encoding: 'utf8', timeout: 120_000, env: { ...process.env, XDG_CONFIG_HOME: temporaryFolder() } },
  );
  expect([status, stdout, stderr]).toEqual([1, '', 'standard input: is the terminal; pipe a log into it\n']);
});

test('a signal ends it while its input goes on, and nothing of that is left', async () => {
  const { server, exit, said, kept } = await serveInput('');
  server.stdin.write('a;b 1\n');
  expect(kept()).toHaveLength(1);
  server.kill('SIGTERM');
  expect([await exit, said.stderr, kept()]).toEqual([0, '', []]);
});

test('input that cannot be kept is told, and it goes on serving', async () => {
  const { server, said } = await serveInput('ulimit -f 16;');
  server.stdin.on('error', () => undefined);
  server.stdin.write('a;b 1\n'.repeat(100_000));
  await waitFor(() => said.stderr.includes('\n'), 'what went wrong');
  expect(said.stderr).toBe(
    'standard input: cannot be saved any further (EFBIG); what came before is shown\n',
  );
  // The token is exchanged for a cookie, which fetch() does not keep.
  const { status } = await fetch(/http:\S+/.exec(said.stdout)![0], { redirect: 'manual' });
  expect(status).toBe(303);
});
