import { spawn } from 'node:child_process';
import { systemPath } from './system-path.ts';

/**
 * `read` fails at the end of its input; a line means that there is nothing to remove. The letter behind the path keeps
 * line breaks at its end.
 */
const REMOVER = 'read -r line || { path=$(printf "%bx" "$0"); rm -rf -- "${path%x}"; }';

/**
 * Removes a file or folder when this process ends before it calls the returned function, whatever ends it. Writing is synchronous,
 * so a signal handler of this process would run too late, and none runs on SIGKILL. Instead a shell in a session of its
 * own, which a Ctrl+C of the terminal does not reach, waits until its standard input is closed.
 */
export function removeWhenKilled(path: string): () => void {
  if (process.platform === 'win32') return () => undefined;
  const shell = spawn('/bin/sh', ['-c', REMOVER, escapedForShell(path)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell the file stays behind, as after any program that is killed.
  shell.once('error', () => undefined);
  shell.stdin.once('error', () => undefined);
  shell.unref();
  return () => void shell.stdin.end('\n');
}

/** An argument of a process is a string: bytes that need not be UTF-8 are escapes of the shell's `printf`. */
function escapedForShell(path: string): string {
  const bytes = Buffer.from(systemPath(path)).toString('latin1');
  return bytes.replaceAll(/[^\w/.-]/g, (byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
