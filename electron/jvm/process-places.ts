import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { processFile } from './process-files.ts';

/** The folder that a process sees as /tmp, also in a container. */
export function temporaryFolderOf(pid: number): string {
  const folder = join(`/proc/${pid}`, 'root', 'tmp');
  return namesIn(folder) === undefined ? '/tmp' : folder;
}

/** Whether a process has loaded a JVM, of any kind. False without permission to look. */
export function hasJvmLibrary(pid: number): boolean {
  return /\/libjvm\.so$/m.test(mapsOf(pid));
}

/** Whether that JVM is HotSpot. OpenJ9 has a libjvm.so too, besides its own libraries. */
export function hasHotSpotLibrary(pid: number): boolean {
  const maps = mapsOf(pid);
  return /\/(?:server|client|minimal|zero)\/libjvm\.so$/m.test(maps) && !/\/libj9\w*\.so$/m.test(maps);
}

/** The numbers among the names in a folder; empty if it cannot be read. */
export function numbersIn(folder: string): number[] {
  return (namesIn(folder) ?? []).filter((name) => /^\d+$/.test(name)).map(Number);
}

export function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

/** The files that a process has mapped, one per line. */
function mapsOf(pid: number): string {
  return processFile(pid, 'maps')?.toString('latin1') ?? '';
}
