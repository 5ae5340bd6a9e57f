import { basename, dirname, join } from 'node:path';
import { readBeginning, readSmallFile } from '../source/open-file.ts';
import { errnoOf } from '../source/source-error.ts';
import { processLink, findVisiblePath, jvmLibraryOf, visiblePath } from './process-places.ts';

interface InstalledVersion {
  /** Undefined if the JDK tells none, and while it is awaited. */
  readonly version: string | undefined;
  /** The file system of the JDK has not answered so far. */
  readonly isAwaited: boolean;
}

/** The Java version of a process by the JDK that it runs. */
export type VersionOf = (pid: number) => InstalledVersion;

/** That of a JDK has some 2 kB. */
const MOST_RELEASE_BYTES = 64 << 10;
/** Processes come and go. */
const MOST_KNOWN = 1_000;
/** Errors that are an answer; after others, as that of a drive that is gone for now, the JDK is asked again. */
const NO_FILE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

const NONE: InstalledVersion = { version: undefined, isAwaited: false };
const AWAITED: InstalledVersion = { version: undefined, isAwaited: true };

/** The version in the file `release` of the JDK, for a JVM without perf data. */
export const installedVersion: VersionOf = (pid) => {
  const release = releaseOf(pid);
  // A process may call itself java, and have anything there.
  const version = release && versionIn(readSmallFile(visiblePath(pid, release), MOST_RELEASE_BYTES));
  return version === undefined ? NONE : { version, isAwaited: false };
};

/**
 * Finds versions without waiting: the file system of a JDK may be a network drive that is gone. A version is known some
 * time after it was asked for.
 */
export class InstalledVersions {
  readonly #within: <T>(ask: () => Promise<T>) => Promise<T | undefined>;
  /** Process and file -> what was found, or that it is being asked for. */
  readonly #known = new Map<string, InstalledVersion>();

  /** `within` limits how long an answer is waited for; it may also not ask at all, for now. */
  constructor(within: <T>(ask: () => Promise<T>) => Promise<T | undefined>) {
    this.#within = within;
  }

  readonly of: VersionOf = (pid) => {
    const release = releaseOf(pid);
    if (release === undefined) return NONE;
    const key = `${pid} ${release}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(key, AWAITED);
    void this.#find(pid, release, key);
    return AWAITED;
  };

  /** An answer that comes late is taken, too: asked once more meanwhile, the drive would hold another thread. */
  async #find(pid: number, release: string, key: string): Promise<void> {
    const request = { isMade: false };
    await this.#within(async () => {
      request.isMade = true;
      try {
        const path = await findVisiblePath(pid, release);
        const version = versionIn(await readBeginning(path, MOST_RELEASE_BYTES));
        this.#known.set(key, { version, isAwaited: false });
      } catch (error) {
        if (NO_FILE.has(errnoOf(error))) this.#known.set(key, NONE);
        else this.#known.delete(key);
      }
    });
    if (!request.isMade) this.#known.delete(key);
  }
}

function releaseOf(pid: number): string | undefined {
  const program = processLink(pid, 'exe');
  if (program === undefined) return undefined;
  if (basename(program) === 'java') return join(dirname(program), '../release');
  // A launcher of its own, whose JDK is elsewhere.
  const library = jvmLibraryOf(pid);
  return library && join(dirname(library), '../../release');
}

function versionIn(release: Buffer | undefined): string | undefined {
  return /^JAVA_VERSION="(.+)"$/m.exec(release?.toString() ?? '')?.[1];
}
