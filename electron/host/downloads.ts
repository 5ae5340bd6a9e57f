import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../jvm/recording-name.ts';

/** A file that nobody has fetched by then is removed. */
const FETCH_WITHIN_MS = 60_000;

export interface Download {
  readonly path: string;
  /** As which the browser saves it. */
  readonly name: string;
  /** Removes the file; to be called when it was sent, or could not be. */
  readonly remove: () => void;
}

/**
 * Files that are made for a browser to fetch, each once, by a random id. They are in private folders until then.
 */
export class Downloads {
  readonly #waiting = new Map<string, Download>();

  /** Has a file written, to a path that does not exist yet, and resolves to its id. Rejects as `write` does. */
  async offer(name: string, write: (path: string) => Promise<void>): Promise<string> {
    const folder = makeTemporaryFolder(tmpdir());
    const path = join(folder, 'recording');
    await write(path).catch(async (error: unknown) => {
      await rm(folder, { recursive: true, force: true });
      throw error;
    });
    const id = randomBytes(16).toString('hex');
    const timer = setTimeout(() => this.take(id)?.remove(), FETCH_WITHIN_MS).unref();
    const remove = (): void => {
      clearTimeout(timer);
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch {
        // It stays until this process ends.
      }
    };
    this.#waiting.set(id, { path, name, remove });
    return id;
  }

  /** The file of an id, the first time. */
  take(id: string): Download | undefined {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    return found;
  }

  close(): void {
    for (const { remove } of this.#waiting.values()) remove();
    this.#waiting.clear();
  }
}
