import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, openSync, renameSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file that is written under a temporary name in the folder of its path. */
export interface TemporaryFile {
  readonly descriptor: number;
  /** Closes the file and renames it to its path. */
  finish(): void;
  /** Closes and removes the file. Call it after an error, also one of `finish`. */
  abandon(): void;
}

/** `present`: the file at `path`, whose permissions are kept. Throws the system error. */
export function openTemporaryFile(path: string, present: Stats | undefined): TemporaryFile {
  const temporary = join(dirname(path), `.leanscope-${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  const release = removeWhenKilled(temporary);
  let descriptor: number;
  try {
    descriptor = openSync(temporary, 'wx');
  } catch (error) {
    release();
    throw error;
  }
  let isOpen = true;
  return {
    descriptor,
    finish: () => {
      isOpen = false;
      closeSync(descriptor);
      if (present !== undefined) chmodSync(temporary, present.mode);
      renameSync(temporary, path);
      release();
    },
    abandon: () => {
      if (isOpen) closeQuietly(descriptor);
      rmSync(temporary, { force: true });
      release();
    },
  };
}

/** Closes a file after an error and ignores errors of closing: the first error is reported. */
export function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // Already closed.
  }
}

/**
 * Removes a file when this process ends before it calls the returned function, whatever ends it. Writing is synchronous,
 * so a signal handler of this process would run too late, and none runs on SIGKILL. Instead a shell in a session of its
 * own, which a Ctrl+C of the terminal does not reach, waits until its standard input is closed.
 */
function removeWhenKilled(path: string): () => void {
  if (process.platform === 'win32') return () => undefined;
  // `read` fails at the end of its input; a line means that there is nothing to remove.
  const shell = spawn('/bin/sh', ['-c', 'read -r line || rm -f -- "$0"', path], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell the file stays behind, as after any program that is killed.
  shell.once('error', () => undefined);
  shell.stdin.once('error', () => undefined);
  shell.unref();
  return () => void shell.stdin.end('\n');
}
