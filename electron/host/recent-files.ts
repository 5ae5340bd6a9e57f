import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { FileEntry, FileId } from '../../shared/protocol/messages.ts';
import { printable } from '../../shared/text/printable.ts';

const MAX_FILES = 12;
/** Enough for twelve long paths. A larger file is treated as one that cannot be read. */
const MAX_BYTES = 64 * 1024;

const storedList = z.strictObject({ version: z.literal(1), paths: z.array(z.string().max(4096)) });

/**
 * The most recently opened files, latest first, stored in a JSON file. A list that cannot be read is renamed to
 * `recent-files.json.broken`, and a new one is started. If the folder cannot be written, the list is lost when the
 * program ends.
 */
export class RecentFiles {
  readonly #file: string;
  #paths: readonly string[];

  /** `folder` is created when the list is first saved. */
  constructor(folder: string) {
    this.#file = join(folder, 'recent-files.json');
    this.#paths = this.#load();
  }

  list(): readonly FileEntry[] {
    return this.#paths.map((path) => ({
      id: idOf(path),
      name: printable(basename(path)),
      folder: printable(dirname(path)),
    }));
  }

  pathOf(id: FileId): string | undefined {
    return this.#paths.find((path) => idOf(path) === id);
  }

  add(path: string): void {
    this.#paths = [path, ...this.#paths.filter((known) => known !== path)].slice(0, MAX_FILES);
    this.#save();
  }

  forget(): void {
    this.#paths = [];
    this.#save();
  }

  #load(): readonly string[] {
    let text: string;
    try {
      const stat = statSync(this.#file);
      // Reading a pipe or a device may never end.
      if (!stat.isFile() || stat.size > MAX_BYTES) throw new RangeError('not a list of recent files');
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof RangeError) this.#renameBroken();
      return [];
    }
    const stored = storedList.safeParse(parseJson(text));
    if (stored.success) return stored.data.paths.filter((path) => isAbsolute(path)).slice(0, MAX_FILES);
    this.#renameBroken();
    return [];
  }

  #renameBroken(): void {
    try {
      renameSync(this.#file, `${this.#file}.broken`);
    } catch {
      // The file cannot be renamed: the next list that is saved overwrites it.
    }
  }

  /** Writes a temporary file and renames it, so that a crash leaves either the old list or the new one. */
  #save(): void {
    const next = `${this.#file}.${randomUUID()}`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(next, JSON.stringify({ version: 1, paths: this.#paths }), { mode: 0o600 });
      renameSync(next, this.#file);
    } catch {
      removeQuietly(next);
    }
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder cannot be changed, so the temporary file was probably not written.
  }
}

/** An id that does not reveal the path and is the same in every run. */
function idOf(path: string): FileId {
  return createHash('sha256').update(path).digest('hex').slice(0, 32) as FileId;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
