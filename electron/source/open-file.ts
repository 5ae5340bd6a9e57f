import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { errnoOf } from './source-error.ts';
import { systemPath } from './system-path.ts';

/** O_NONBLOCK, because opening a pipe would otherwise wait for a writer. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** Opens a path for reading. `flags`: further ones of the system. Throws errors of the system. */
export function openToRead(path: string, flags = 0): number {
  return openSync(systemPath(path), READ | flags);
}

/** Undefined if there is no such file. Throws other errors of the system. */
export function openIfThere(path: string): number | undefined {
  try {
    return openToRead(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

interface SmallFile {
  /** Flags of the system besides those for reading. */
  readonly flags?: number;
  /** Whether a regular file is to be read. */
  readonly isWanted?: (found: Stats) => boolean;
}

/**
 * At most so many first bytes of a regular file; undefined if there is none that can be read. A pipe is not waited for,
 * nor a device read, as `readFile` would.
 */
export function readSmallFile(
  path: string,
  mostBytes: number,
  { flags = 0, isWanted = () => true }: SmallFile = {},
): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openToRead(path, flags);
    const found = fstatSync(file);
    if (!found.isFile() || !isWanted(found)) return undefined;
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
  const file = await open(systemPath(path), READ);
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(mostBytes), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
