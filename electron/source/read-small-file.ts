import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { systemPath } from './system-path.ts';

/**
 * At most so many first bytes of a regular file; undefined if there is none that can be read. A pipe is not waited for,
 * nor a device read, as `readFile` would.
 */
export function readSmallFile(path: string, mostBytes: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(systemPath(path), constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(file);
    if (!found.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(found.size, mostBytes));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
