import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
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

/**
 * `readSmallFile` for a file that may be on a drive that does not answer; undefined if it is no regular file. Rejects with errors
 * of the system.
 */
export async function readBeginning(path: string, mostBytes: number): Promise<Buffer | undefined> {
  const file = await open(systemPath(path), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(mostBytes), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
