import { type ChildProcess, spawn } from 'node:child_process';
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
  /** The exit status of the command, once it has ended. */
  readonly ended: Promise<number | null>;
}

/**
 * Ports of servers that were stopped. The next ones get them again, so that the browser knows the addresses of the
 * scripts and has them compiled.
 */
const usedPorts: string[] = [];

/** `leanscope serve` as its own process, until the test is over. Resolves when it has printed its address. */
export async function serve(...args: readonly string[]): Promise<Served> {
  const port = args.includes('--port') ? undefined : usedPorts.pop();
  const served = await serveBy('serve', ...(port === undefined ? [] : ['--port', port]), ...args).catch(
    (error: unknown) => {
      if (port === undefined) throw error;
      // Another program may have the port now.
      return serveBy('serve', ...args);
    },
  );
  const { port: used } = new URL(served.url);
  onTestFinished(() => {
    if (!usedPorts.includes(used)) usedPorts.push(used);
  });
  return served;
}

/** Another command that serves the window, such as `leanscope attach`. */
export async function serveBy(command: string, ...args: readonly string[]): Promise<Served> {
  // A settings folder of its own, so that its recent files are separate.
  const server = new ServerProcess(temporaryFolder(), [command, ...args]);
  onTestFinished(() => server.stop());
  return server.started;
}

class ServerProcess {
  readonly started: Promise<Served>;
  readonly #process: ChildProcess;
  readonly #ended: Promise<number | null>;

  constructor(settings: string, args: readonly string[]) {
    const server = spawn(process.execPath, [COMMAND, ...args, '--no-open'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, XDG_CONFIG_HOME: settings },
    });
    this.#process = server;
    const ended = new Promise<number | null>((resolve) => server.once('exit', resolve));
    this.#ended = ended;
    let stdout = '';
    let stderr = '';
    server.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    this.started = new Promise((resolve, reject) => {
      server.stdout.on('data', (text: Buffer) => {
        stdout += text.toString();
        const url = /http:\/\/\S+/.exec(stdout)?.[0];
        if (url !== undefined && stdout.includes('\n'))
          resolve({ url, pid: server.pid ?? 0, stderr: () => stderr, ended });
      });
      server.once('exit', (code) =>
        reject(new Error(`serve ended with ${code} before it gave an address: ${stderr}`)),
      );
    });
  }

  async stop(): Promise<void> {
    this.#process.kill();
    await this.#ended;
  }
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
