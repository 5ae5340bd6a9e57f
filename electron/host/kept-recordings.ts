import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MOST_FILES = 5;
const MOST_BYTES = 500_000_000;

/**
 * A folder with the last recordings that were closed without having been saved. The oldest ones are removed when there are
 * more than five files, or more than 500 MB. The newest one always stays.
 */
export class KeptRecordings {
  readonly #folder: string;
  readonly #now: () => Date;
  readonly #mostBytes: number;

  /** `folder` is created when the first recording is kept. */
  constructor(folder: string, now: () => Date = () => new Date(), mostBytes = MOST_BYTES) {
    this.#folder = folder;
    this.#now = now;
    this.#mostBytes = mostBytes;
  }

  /**
   * Has a recording written to a new file of the folder. Resolves to its path, and to those of the files that were removed
   * for it. Rejects with the reason of `write`, and with errors of the system.
   */
  async keep(
    name: string,
    extension: RecordingExtension,
    write: (path: string) => Promise<unknown>,
  ): Promise<{ readonly path: string; readonly removed: readonly string[] }> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#newPath(name, extension);
    try {
      await write(path);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    }
    return { path, removed: this.#removeOldest(path) };
  }

  /** `Shop-1234-20261128-015233.jfr`: the time of the machine tells recordings of one JVM apart. */
  #newPath(name: string, extension: RecordingExtension): string {
    const now = this.#now();
    const digits = (...parts: readonly number[]): string =>
      parts.map((part) => String(part).padStart(2, '0')).join('');
    const day = digits(now.getFullYear(), now.getMonth() + 1, now.getDate());
    const time = digits(now.getHours(), now.getMinutes(), now.getSeconds());
    const used = new Set(readdirSync(this.#folder));
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : ` ${number}`;
      const file = recordingFileName(`${name} ${day}-${time}${suffix}`, extension);
      if (!used.has(file)) return join(this.#folder, file);
    }
  }

  #removeOldest(newest: string): readonly string[] {
    const files = readdirSync(this.#folder)
      .map((name) => join(this.#folder, name))
      .filter((path) => path !== newest)
      .map((path) => ({ path, stats: statSync(path, { throwIfNoEntry: false }) }))
      .flatMap(({ path, stats }) => (stats?.isFile() === true ? [{ path, stats }] : []))
      .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs);
    const removed: string[] = [];
    let bytes = statSync(newest).size;
    for (const [at, { path, stats }] of files.entries()) {
      bytes += stats.size;
      if (at + 1 < MOST_FILES && bytes <= this.#mostBytes) continue;
      rmSync(path, { force: true });
      removed.push(path);
    }
    return removed;
  }
}

type RecordingExtension = 'jfr' | 'tdump';

/** A series of thread dumps is a file; a flight recording is read where the JVM writes it. */
export function recordingExtension({ path }: { readonly path: string | undefined }): RecordingExtension {
  return path?.endsWith('.tdump') === true ? 'tdump' : 'jfr';
}

/** `com.acme.Shop (1234)` is saved as `com.acme.Shop-1234.jfr`. */
export function recordingFileName(logName: string, extension: RecordingExtension = 'jfr'): string {
  const stem = logName
    .replaceAll(/[^\w.$-]+/g, '-')
    .replaceAll(/^[.-]+|-+$/g, '')
    .slice(0, 100);
  return `${stem === '' ? 'recording' : stem}.${extension}`;
}
