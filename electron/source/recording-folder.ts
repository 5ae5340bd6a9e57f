import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { systemPath } from './system-path.ts';

/** The chunk files in the repository of a JVM, in the order of their names, which are dates and times. */
export function recordingsIn(folder: string): readonly string[] {
  return chunkPaths(folder, readdirSync(systemPath(folder)));
}

/** The paths of those names in a folder that are recordings, in order. */
export function chunkPaths(folder: string, names: readonly string[]): readonly string[] {
  return names
    .filter((name) => name.endsWith('.jfr'))
    .sort()
    .map((name) => join(folder, name));
}

/** `2026_11_23_03_00_00.jfr`, and with a number if there are two of one second. */
const CHUNK_NAME = /^\d{4}(?:_\d\d){5}(?:_\d+)?\.jfr$/;

/** Whether a JVM has given the file this name, in its repository. */
export function isChunkName(path: string): boolean {
  return CHUNK_NAME.test(basename(path));
}
