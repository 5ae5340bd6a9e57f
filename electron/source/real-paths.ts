import { realpath, stat } from 'node:fs/promises';
import { pathOfBytes, systemPath, TimeLimit } from './open-file.ts';

/** The path without links, in the form of `systemPath`. Rejects if there is no such file. */
type ResolvePath = (path: string) => Promise<string>;

export const resolveInSystem: ResolvePath = async (path) => {
  // The link `root` of a process in a container reads as `/`: resolved, its file would be one of this system.
  if (/^\/proc\/\d+\/root\//.test(path)) {
    await stat(systemPath(path));
    return path;
  }
  return pathOfBytes(await realpath(systemPath(path), 'buffer'));
};

const WITHIN_MS = 1_000;
const MOST_OVERDUE = 2;

/**
 * Resolves links, but does not wait for a file system that does not answer: one file there would hold up all others. A path
 * that is not resolved in time is used as it is.
 */
export class RealPaths {
  readonly #resolve: ResolvePath;
  readonly #limit: TimeLimit;

  constructor(resolve: ResolvePath = resolveInSystem, withinMs = WITHIN_MS) {
    this.#resolve = resolve;
    this.#limit = new TimeLimit(withinMs, MOST_OVERDUE);
  }

  /** Undefined if there is no such file, or if its file system does not answer. Never rejects. */
  of(path: string): Promise<string | undefined> {
    return this.within(() => this.#resolve(path));
  }

  /** The answer to another question about a file; undefined if there is none in time. Never rejects. */
  within<T>(ask: () => Promise<T>): Promise<T | undefined> {
    return this.#limit.answer(ask, () => undefined).catch(() => undefined);
  }
}
