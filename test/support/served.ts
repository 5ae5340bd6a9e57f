import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

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
  const { started, stop } = startServer(...args);
  onTestFinished(stop);
  return started;
}

export interface StartedServer {
  /** Resolves when the command has printed its address. */
  readonly started: Promise<Served>;
  /** Ends the process. */
  readonly stop: () => Promise<void>;
}

/** The same, until it is stopped. */
export function startServer(...args: readonly string[]): StartedServer {
  // A settings folder of its own, so that its recent files are separate.
  const settings = mkdtempSync(join(tmpdir(), 'leanscope-'));
  const server = spawn(process.execPath, [COMMAND, 'serve', '--no-open', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_CONFIG_HOME: settings },
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  let stdout = '';
  let stderr = '';
  server.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const url = new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (text: Buffer) => {
      stdout += text.toString();
      const address = /http:\/\/\S+/.exec(stdout)?.[0];
      if (address !== undefined && stdout.includes('\n')) resolve(address);
    });
    server.once('exit', (code) =>
      reject(new Error(`serve ended with ${code} before it gave an address: ${stderr}`)),
    );
  });
  return {
    started: url.then((address) => ({ url: address, pid: server.pid ?? 0, stderr: () => stderr })),
    stop: async () => {
      server.kill();
      await ended;
      rmSync(settings, { recursive: true, force: true });
    },
  };
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
