import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a temporary file, waits until the disk has it, and renames it, so that the end of the program or of the machine
 * leaves either the old content or the new one. The folder is created if there is none. Only this user can read the file.
 * Returns false if it cannot be written: the old content is still there.
 */
export function replaceFile(file: string, text: string): boolean {
  const next = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    const descriptor = openSync(next, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(next, file);
    return true;
  } catch {
    removeQuietly(next);
    return false;
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder cannot be changed, so the temporary file was probably not written.
  }
}
