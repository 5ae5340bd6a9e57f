import { realpath, stat } from 'node:fs/promises';
import { pathOfBytes, systemPath } from '../source/system-path.ts';

/** The path without links, in the form of `systemPath`. Rejects if there is no such file. */
export type ResolvePath = (path: string) => Promise<string>;

export const resolveInSystem: ResolvePath = async (path) => {
  // The link `root` of a process in a container reads as `/`: resolved, its file would be one of this system.
  if (/^\/proc\/\d+\/root\//.test(path)) {
    await stat(systemPath(path));
    return path;
  }
  return pathOfBytes(await realpath(systemPath(path), 'buffer'));
};

const WITHIN_MS = 1_000;
/** Each that is overdue holds one of the four threads that Node has for files. */
const MOST_OVERDUE = 2;

/**
 * Resolves links, but does not wait for a file system that does not answer, as a network drive that is gone: one file there
 * would hold up all others. A path that is not resolved in time is used as it is.
 */
export class RealPaths {
  readonly #resolve: ResolvePath;
  readonly #withinMs: number;
  #overdue = 0;

  constructor(resolve: ResolvePath = resolveInSystem, withinMs = WITHIN_MS) {
    this.#resolve = resolve;
    this.#withinMs = withinMs;
  }

  /** Undefined if there is no such file, or if its file system does not answer. Never rejects. */
  of(path: string): Promise<string | undefined> {
    return this.within(() => this.#resolve(path));
  }

  /** The answer to another question about a file; undefined if there is none in time. Never rejects. */
  within<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.#overdue >= MOST_OVERDUE) return Promise.resolve(undefined);
    return new Promise((done) => {
      let isOverdue = false;
      const timer = setTimeout(() => {
        isOverdue = true;
        this.#overdue++;
        done(undefined);
      }, this.#withinMs);
      void ask()
        .then(done, () => done(undefined))
        .finally(() => {
          clearTimeout(timer);
          if (isOverdue) this.#overdue--;
        });
    });
  }
}
