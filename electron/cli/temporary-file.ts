import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, openSync, renameSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeWhenKilled } from '../source/remove-when-killed.ts';
import { systemPath } from '../source/system-path.ts';

/** A file that is written under a temporary name in the folder of its path. */
export interface TemporaryFile {
  readonly descriptor: number;
  /** Closes the file and renames it to its path. */
  finish(): void;
  /** Closes and removes the file. Call it after any error, including an error of `finish`. */
  abandon(): void;
}

/** `present`: the file at `path`, whose permissions are kept. Throws the system error. */
export function openTemporaryFile(path: string, present: Stats | undefined): TemporaryFile {
  const name = join(dirname(path), `.leanscope-${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  const temporary = systemPath(name);
  const release = removeWhenKilled(name);
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
      renameSync(temporary, systemPath(path));
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
