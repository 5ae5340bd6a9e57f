import { stat } from 'node:fs/promises';
import { errnoOf } from '../source/source-error.ts';
import { AttachError, jvmName } from './attach.ts';
import type { Jvm } from './jvm.ts';
import { findVisiblePath } from './process-places.ts';

/** A recording that cannot be read must not go on for longer. */
const WITHIN_MS = 5_000;

/**
 * The repository of a JVM as this process sees it. Rejects with the error of the system if it cannot be looked at, and with
 * AttachError if its file system, perhaps a network drive that is gone, does not answer.
 */
export async function repositoryFolder(
  jvm: Pick<Jvm, 'pid' | 'main'>,
  folder: string,
  find = findVisiblePath,
): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new AttachError(
      `${jvmName(jvm)}: the folder of its recordings, ${folder}, was not found in time: a file system does not answer`,
    );
    timer = setTimeout(() => reject(error), WITHIN_MS);
  });
  const found = find(jvm.pid, folder).then(async (path) => {
    await stat(path).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
    });
    return path;
  });
  return Promise.race([found, late]).finally(() => clearTimeout(timer));
}
