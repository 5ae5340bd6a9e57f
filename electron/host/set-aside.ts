import { renameSync } from 'node:fs';

/** Renames a damaged file of settings to `….broken`, because the next one that is written would replace it. */
export function setAside(file: string): void {
  try {
    renameSync(file, `${file}.broken`);
  } catch {
    // The folder cannot be changed, so probably nothing is written either.
  }
}
