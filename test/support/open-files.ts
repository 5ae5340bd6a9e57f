import { readdirSync, readlinkSync } from 'node:fs';

/** For `testUnless`: why open files cannot be counted. */
export const NO_OPEN_FILES = process.platform === 'linux' ? undefined : 'open files are counted in /proc';

/**
 * Files below a folder, removed or not, that this process has open. Its other files are none of a test's business: a thread
 * of an earlier test may be closing some.
 */
export function openFilesBelow(folder: string): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(`${folder}/`);
    } catch {
      // Closed meanwhile.
      return false;
    }
  }).length;
}
