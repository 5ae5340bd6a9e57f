import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { isOpenHeader, RECORDING_HEADER_BYTES } from '../source/recording-header.ts';
import { chunkPaths, isChunkName } from '../source/recording-folder.ts';
import { errnoOf } from '../source/source-error.ts';
import { AttachError, jvmName } from './attach.ts';
import type { Jvm } from './jvm.ts';
import { findVisiblePath } from './process-places.ts';

/** A recording that cannot be read must not go on for longer. */
const WITHIN_MS = 5_000;

type NamedJvm = Pick<Jvm, 'pid' | 'main'>;

/**
 * The repository of a JVM as this process sees it. Rejects with the error of the system if it cannot be looked at, and with
 * AttachError if its file system, perhaps a network drive that is gone, does not answer.
 */
export async function repositoryFolder(
  jvm: NamedJvm,
  folder: string,
  find = findVisiblePath,
): Promise<string> {
  const found = find(jvm.pid, folder).then(async (path) => {
    await stat(path).catch(ifThere);
    return path;
  });
  return inTime(jvm, folder, found);
}

/** The chunk files in a repository; none if it is not there. Rejects as `repositoryFolder` does. */
export async function chunksIn(jvm: NamedJvm, folder: string): Promise<readonly string[]> {
  const names = await inTime(jvm, folder, readdir(folder).catch(ifThere));
  return chunkPaths(folder, names ?? []);
}

/**
 * Whether a JVM is writing a chunk in its repository. It is not as long as all of its recordings are kept in memory
 * (`disk=false`). Rejects as `repositoryFolder` does.
 */
export async function isWritingChunk(jvm: NamedJvm, folder: string): Promise<boolean> {
  // The newest is the last one.
  for (const path of (await chunksIn(jvm, folder)).toReversed())
    if ((await inTime(jvm, folder, isOpenChunk(path).catch(ifThere))) === true) return true;
  return false;
}

/**
 * Removes the chunk files in the repository of a JVM that has ended, but those of `kept`, and the folder if it is empty
 * then. Never throws: what cannot be removed stays.
 */
export function removeChunks({ userId }: Pick<Jvm, 'userId'>, folder: string, kept: readonly string[]): void {
  try {
    // Root must not follow a link of that user to another folder.
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== userId) return;
    const paths = chunkPaths(folder, readdirSync(folder));
    for (const path of paths) if (isChunkName(path) && !kept.includes(path)) rmSync(path);
    rmdirSync(folder);
  } catch {
    // It is gone, or there is something else in it.
  }
}

async function isOpenChunk(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const header = new Uint8Array(RECORDING_HEADER_BYTES);
    const { bytesRead } = await file.read(header, 0, header.length, 0);
    // A file without a header has just been created.
    return bytesRead < header.length || isOpenHeader(header);
  } finally {
    await file.close();
  }
}

/** Undefined for what is not there; otherwise throws the error. */
function ifThere(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error;
  return undefined;
}

async function inTime<T>(jvm: NamedJvm, folder: string, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new AttachError(
      `${jvmName(jvm)}: the folder of its recordings, ${folder}, was not found in time: a file system does not answer`,
    );
    timer = setTimeout(() => reject(error), WITHIN_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
