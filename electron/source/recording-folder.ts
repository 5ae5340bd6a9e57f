import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemPath } from './system-path.ts';

/** The chunk files in the repository of a JVM, in the order of their names, which are dates and times. */
export function recordingsIn(folder: string): readonly string[] {
  return readdirSync(systemPath(folder))
    .filter((name) => name.endsWith('.jfr'))
    .sort()
    .map((name) => join(folder, name));
}
