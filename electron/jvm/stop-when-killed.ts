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
const [socket, name] = process.argv.slice(-2);
process.stdin.on('data', () => process.exit());
process.stdin.on('end', () => {
  const connection = require('node:net').createConnection(socket);
  connection.on('error', () => process.exit());
  connection.write('1\\0jcmd\\0JFR.stop name=' + name + '\\0\\0\\0');
  connection.resume();
});
`;

/**
 * Stops a recording when this process ends before it calls the returned function, whatever ends it, even SIGKILL. A
 * process of its own waits for that, in a session that a Ctrl+C of the terminal does not reach. Under Electron, which
 * cannot run as Node in a package, it is a shell with the JVM's own `jcmd`; without one the next Leanscope that attaches
 * stops the recording.
 */
export function stopWhenKilled(jvm: Pick<Jvm, 'pid'>, socket: string, name: string): () => void {
  const command = stopperFor(jvm.pid, socket, name);
  if (command === undefined) return () => undefined;
  const [program, ...args] = command;
  const stopper = spawn(program, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  stopper.once('error', () => undefined);
  stopper.stdin.once('error', () => undefined);
  stopper.unref();
  return () => void stopper.stdin.end('\n');
}

function stopperFor(pid: number, socket: string, name: string): readonly [string, ...string[]] | undefined {
  if (!('electron' in process.versions)) return [process.execPath, '-e', STOPPER, socket, name];
  const java = processLink(pid, 'exe');
  const jcmd = java === undefined ? undefined : join(dirname(java), 'jcmd');
  if (jcmd === undefined || !existsSync(jcmd)) return undefined;
  return ['/bin/sh', '-c', 'read -r line || exec "$0" "$1" JFR.stop "name=$2"', jcmd, String(pid), name];
}
