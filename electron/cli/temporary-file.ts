import { chmodSync, closeSync, openSync, renameSync, rmSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { temporaryPath } from '../jvm/recording-name.ts';
import { systemPath } from '../source/system-path.ts';

/**
 * A file that is written under a temporary name in the folder of its path. If this process is killed, it stays until
 * another file is written there.
 */
export interface TemporaryFile {
  readonly descriptor: number;
  /** Closes the file and renames it to its path. */
  finish(): void;
  /** Closes and removes the file. Call it after any error, including an error of `finish`. */
  abandon(): void;
}

/** `present`: the file at `path`, whose permissions are kept. Throws the system error. */
export function openTemporaryFile(path: string, present: Stats | undefined): TemporaryFile {
  const temporary = systemPath(temporaryPath(dirname(path), '.', '.tmp'));
  const descriptor = openSync(temporary, 'wx');
  let isOpen = true;
  return {
    descriptor,
    finish: () => {
      isOpen = false;
      closeSync(descriptor);
      if (present !== undefined) chmodSync(temporary, present.mode);
      renameSync(temporary, systemPath(path));
    },
    abandon: () => {
      if (isOpen) closeQuietly(descriptor);
      rmSync(temporary, { force: true });
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
