import { spawn } from 'node:child_process';

/**
 * Removes a file or folder when this process ends before it calls the returned function, whatever ends it. Writing is synchronous,
 * so a signal handler of this process would run too late, and none runs on SIGKILL. Instead a shell in a session of its
 * own, which a Ctrl+C of the terminal does not reach, waits until its standard input is closed.
 */
export function removeWhenKilled(path: string): () => void {
  if (process.platform === 'win32') return () => undefined;
  // `read` fails at the end of its input; a line means that there is nothing to remove.
  const shell = spawn('/bin/sh', ['-c', 'read -r line || rm -rf -- "$0"', path], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell the file stays behind, as after any program that is killed.
  shell.once('error', () => undefined);
  shell.stdin.once('error', () => undefined);
  shell.unref();
  return () => void shell.stdin.end('\n');
}
