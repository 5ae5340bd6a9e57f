import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type PerfData, readPerfData } from './perf-data.ts';
import { namesIn } from './process-places.ts';

/** A JVM writes 32 kB; -XX:PerfDataMemorySize can make it more. */
const MOST_BYTES = 4 << 20;
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

export function perfDataFolders(folder: string): readonly string[] {
  return (namesIn(folder) ?? []).filter((name) => name.startsWith('hsperfdata_'));
}

/**
 * The perf data of a JVM of `user`, below the folder that it sees as /tmp; undefined if there is none. Everybody may write
 * there, so files of other users are left out, and whatever is no small regular file: reading a pipe would never end.
 */
export function perfDataIn(
  folder: string,
  ownPid: number,
  { user, wanted }: { readonly user: number; readonly wanted: ReadonlySet<string> },
): PerfData | undefined {
  for (const name of perfDataFolders(folder)) {
    try {
      const data = readPerfData(readFileOf(user, join(folder, name, String(ownPid))), wanted);
      if (data instanceof Map) return data;
    } catch {
      // The JVM has ended, belongs to somebody else, or has no such file in this folder.
    }
  }
  return undefined;
}

/** Empty for a file that is not to be read. Throws errors of the system. */
function readFileOf(user: number, path: string): Uint8Array {
  const file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const found = fstatSync(file);
    const isTrusted = found.isFile() && (found.uid === user || found.uid === 0);
    const bytes = new Uint8Array(isTrusted && found.size <= MOST_BYTES ? found.size : 0);
    return bytes.length === 0 ? bytes : bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}
