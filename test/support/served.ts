import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const COMMAND = fileURLToPath(new URL('../../dist/electron/cli.cjs', import.meta.url));

export interface Served {
  /** The address that the command printed, token included. */
  readonly url: string;
  readonly pid: number;
  /** Everything on standard error so far. */
  stderr(): string;
}

/** `leanscope serve` as its own process, until the test is over. Resolves when it has printed its address. */
export async function serve(...args: readonly string[]): Promise<Served> {
  const server = spawn(process.execPath, [COMMAND, 'serve', '--no-open', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A settings folder of its own, so that its recent files are separate.
    env: { ...process.env, XDG_CONFIG_HOME: temporaryFolder() },
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  let stdout = '';
  let stderr = '';
  server.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (text: Buffer) => {
      stdout += text.toString();
      const address = /http:\/\/\S+/.exec(stdout)?.[0];
      if (address !== undefined && stdout.includes('\n')) resolve(address);
    });
    server.once('exit', (code) =>
      reject(new Error(`serve ended with ${code} before it gave an address: ${stderr}`)),
    );
  });
  return { url, pid: server.pid ?? 0, stderr: () => stderr };
}

/** Runs a command of `leanscope` to its end. */
export function leanscope(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const command = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  command.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
  command.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
  return new Promise((resolve, reject) => {
    command.once('error', reject);
    command.once('close', (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
  });
}
