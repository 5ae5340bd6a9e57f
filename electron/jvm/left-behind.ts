import { lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemPath } from '../source/system-path.ts';
import { isAbandoned, newRecordingName } from './recording-name.ts';

/** What is around the name of the process in the names of temporary files. */
const AROUND = /^\.|\.(tmp|tdump)$/g;

/**
 * The path of a temporary file or folder of this process. What processes that were killed have left in the folder is
 * removed first.
 */
export function temporaryPath(
  folder: string,
  before: '.' | '' = '',
  behind: '.tmp' | '.tdump' | '' = '',
): string {
  removeLeftBehind(folder);
  return join(folder, `${before}${newRecordingName()}${behind}`);
}

/** Makes a temporary folder in `parent` that only this user can read. Throws errors of the system. */
export function makeTemporaryFolder(parent: string): string {
  const path = temporaryPath(parent);
  mkdirSync(path, { mode: 0o700 });
  return path;
}

/**
 * Removes the temporary files and folders of this user that are in the folder and whose process has ended. Never throws.
 * Such a folder has only files: what is deeper was put there by others, and stays.
 */
function removeLeftBehind(folder: string): void {
  for (const name of namesIn(folder)) {
    if (!isAbandoned(name.replace(AROUND, ''), process.pid)) continue;
    const path = join(folder, name);
    try {
      const state = lstatSync(systemPath(path));
      if (state.uid !== process.geteuid?.()) continue;
      if (!state.isDirectory()) {
        unlinkSync(systemPath(path));
        continue;
      }
      for (const file of namesIn(path)) unlinkSync(systemPath(join(path, file)));
      rmdirSync(systemPath(path));
    } catch {
      // Another process has removed it, or something in it is not ours.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(systemPath(folder));
  } catch {
    return [];
  }
}
