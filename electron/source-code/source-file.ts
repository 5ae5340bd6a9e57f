import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { systemPath } from '../source/open-file.ts';

/** A longer file is not shown. The longest one of the JDK has 1.4 MB. */
export const MOST_SOURCE_BYTES = 4 << 20;

/** A source file cannot be read, or must not be: a sentence for the user. */
export class SourceRefusal extends Error {}

/** One source file, in a folder or in an archive. */
export interface SourceFile {
  /** `Shop.java` */
  readonly name: string;
  /** For the user: a path, for an entry of an archive `PATH!/com/acme/Shop.java`. */
  readonly place: string;
  /** Path of a file in a folder, without links; undefined for an entry of an archive. */
  readonly path: string | undefined;
  /** Throws SourceRefusal, and errors of the system. */
  read(): Promise<Uint8Array>;
}

/**
 * Opens a regular file without following a link in its last part. O_NONBLOCK, because opening a pipe would otherwise wait
 * for a writer.
 */
export async function openRegular(
  path: string,
): Promise<{ readonly file: FileHandle; readonly bytes: number }> {
  // Windows has neither of these flags.
  const {
    O_RDONLY,
    O_NONBLOCK = 0,
    O_NOFOLLOW = 0,
  } = constants as Partial<typeof constants> & {
    readonly O_RDONLY: number;
  };
  const file = await open(systemPath(path), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new SourceRefusal(`${path} is not a regular file.`);
    return { file, bytes: stat.size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** All bytes of a file of at most MOST_SOURCE_BYTES. */
export async function readSmallFile(path: string): Promise<Uint8Array> {
  const { file, bytes } = await openRegular(path);
  try {
    if (bytes > MOST_SOURCE_BYTES)
      throw new SourceRefusal(`${path} is larger than ${MOST_SOURCE_BYTES >> 20} MB.`);
    return await readAt(file, 0, bytes);
  } finally {
    await file.close();
  }
}

/** The bytes from `offset` on; fewer if the file ends before. */
export async function readAt(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** The text of a source file: UTF-8, otherwise Latin-1, in which every byte is a character. */
export function sourceText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
