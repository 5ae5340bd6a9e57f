import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Jvm } from './jvm.ts';
import { processLink } from './process-files.ts';

/**
 * The program of a process that waits until its standard input is closed, and then stops a recording. A line means that
 * there is nothing to stop.
 */
const STOPPER = `
const [socket, name, ...folders] = process.argv.slice(1);
process.stdin.on('data', () => process.exit());
process.stdin.on('end', () => {
  for (const folder of folders) require('node:fs').rmSync(folder, { recursive: true, force: true });
  const connection = require('node:net').createConnection(socket);
  connection.on('error', () => process.exit());
  connection.write('1\\0jcmd\\0JFR.stop name=' + name + '\\0\\0\\0');
  connection.resume();
});
`;

/** The same for a shell, with `jcmd`, pid, name and folders. */
const SHELL_STOPPER =
  'read -r line && exit; jcmd="$0"; pid="$1"; name="$2"; shift 2; rm -rf -- "$@"; exec "$jcmd" "$pid" JFR.stop "name=$name"';

/**
 * Stops a recording and removes `folders` when this process ends before it calls the returned function, whatever ends it,
 * even SIGKILL. A process of its own waits for that, in a session that a Ctrl+C of the terminal does not reach. Under
 * Electron, which cannot run as Node in a package, it is a shell with the JVM's own `jcmd`; without one the next Leanscope
 * that attaches stops the recording.
 */
export function stopWhenKilled(
  jvm: Pick<Jvm, 'pid'>,
  socket: string,
  name: string,
  folders: readonly string[] = [],
): () => void {
  const command = stopperFor(jvm.pid, socket, name, folders);
  if (command === undefined) return () => undefined;
  const [program, ...args] = command;
  const stopper = spawn(program, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  stopper.once('error', () => undefined);
  stopper.stdin.once('error', () => undefined);
  stopper.unref();
  return () => void stopper.stdin.end('\n');
}

function stopperFor(
  pid: number,
  socket: string,
  name: string,
  folders: readonly string[],
): readonly [string, ...string[]] | undefined {
  if (!('electron' in process.versions)) return [process.execPath, '-e', STOPPER, socket, name, ...folders];
  const java = processLink(pid, 'exe');
  const jcmd = java === undefined ? undefined : join(dirname(java), 'jcmd');
  if (jcmd === undefined || !existsSync(jcmd)) return undefined;
  return ['/bin/sh', '-c', SHELL_STOPPER, jcmd, String(pid), name, ...folders];
}
