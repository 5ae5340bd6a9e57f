import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { noWindowReason } from '../../support/no-window.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();

/** As npm runs a script: in the checkout, knowing where the user is. */
const asNpm = (userFolder: string, env: Readonly<Record<string, string>> = {}) => ({
  cwd: inCheckout(),
  encoding: 'utf8' as const,
  env: { ...process.env, INIT_CWD: userFolder, ...env },
});

test('the command of a checkout finds files where the user is, and writes nothing but its output', () => {
  const folder = temporaryFolder();
  copyFileSync(inCheckout('assets/shop.hpl.gz'), join(folder, 'my log.hpl'));
  const run = (file: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [inCheckout(file), ...args], asNpm(folder));
  const args = ['export', 'my log.hpl', '--format', 'flat'];
  const direct = spawnSync(process.execPath, [inCheckout('dist/electron/cli.cjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  const { status, stdout, stderr } = run('electron/setup/cli.mjs', ...args);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: direct.stdout, stderr: '' });
  expect(stdout.split('\n').length).toBeGreaterThan(100);
  expect(run('electron/setup/cli.mjs', 'summary', 'nowhere.hpl').status).toBe(1);
  expect(run('electron/setup/cli.mjs', 'export').status).toBe(2);
});

test('without a runtime the start says so in one line, serves, and ends when told to', async () => {
  const folder = temporaryFolder();
  copyFileSync(inCheckout('assets/shop.hpl.gz'), join(folder, 'a.hpl'));
  const started = spawn(process.execPath, [inCheckout('electron/setup/start.mjs'), '--no-open', 'a.hpl'], {
    ...asNpm(folder, { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'nothing') }),
  });
  onTestFinished(() => void started.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  started.stdout.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
  started.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
  await waitFor(() => stdout.includes('\n'), 'the address');
  expect(stdout).toMatch(/^Leanscope: http:\/\/127\.0\.0\.1:\d+\/\?token=\S+\n$/);
  expect(stderr).toBe(
    `leanscope: the window cannot be opened: ${noWindowReason(process.env)}; serving it to the browser instead\n`,
  );
  let ended = false;
  started.once('exit', () => (ended = true));
  started.kill('SIGTERM');
  await waitFor(() => ended, 'its end');
});

/** Runs `count` processes that want the lock at once; each notes when it has it and when it leaves it. */
async function contend(lock: string, notes: string, count: number): Promise<void> {
  const script = `
    import { appendFileSync } from 'node:fs';
    import { exclusively } from ${JSON.stringify(`file://${inCheckout('electron/setup/lock.mjs')}`)};
    await exclusively(${JSON.stringify(lock)}, async () => {
      appendFileSync(${JSON.stringify(notes)}, 'in ');
      await new Promise((done) => setImmediate(done));
      appendFileSync(${JSON.stringify(notes)}, 'out ');
    });`;
  const processes = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }),
  );
  await Promise.all(processes.map((child) => new Promise((done) => child.once('exit', done))));
}

test('builds that are wanted at once wait for one another', async () => {
  const folder = temporaryFolder();
  const notes = join(folder, 'notes');
  await contend(join(folder, 'lock'), notes, 4);
  expect(readFileSync(notes, 'utf8')).toBe('in out '.repeat(4));
  expect(existsSync(join(folder, 'lock'))).toBe(false);
});

test('a lock whose process died is taken over', async () => {
  const folder = temporaryFolder();
  const dead = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(join(folder, 'lock'), String(dead.pid));
  await contend(join(folder, 'lock'), join(folder, 'notes'), 2);
  expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('in out in out ');
});
