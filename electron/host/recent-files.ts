import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { FileEntry, FileId } from '../../shared/protocol/messages.ts';
import { printable } from '../../shared/text/printable.ts';
import { systemPath } from '../source/open-file.ts';
import { StoredFile, type WriteSettings } from './stored-file.ts';

const MAX_FILES = 12;

const storedList = z.strictObject({ version: z.literal(1), paths: z.array(z.string().max(4096)) });

/** The most recently opened files, latest first, stored in a file: see `StoredFile`. */
export class RecentFiles {
  readonly #stored: StoredFile<typeof storedList>;
  readonly #onChange: (added?: string) => void;
  #paths: readonly string[];

  /** `folder` is created when the list is first saved. `onChange`: the list is another one; with the path that was added. */
  constructor(folder: string, write?: WriteSettings, onChange: (added?: string) => void = () => undefined) {
    this.#onChange = onChange;
    this.#stored = new StoredFile(join(folder, 'recent-files.json'), storedList, write);
    const paths = this.#stored.load()?.paths ?? [];
    this.#paths = paths.filter((path) => isAbsolute(path)).slice(0, MAX_FILES);
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
    this.#replace([path, ...this.#paths.filter((known) => known !== path)].slice(0, MAX_FILES), path);
  }

  /** These files are not there any more. False if none of them was in the list. */
  remove(paths: readonly string[]): boolean {
    if (!this.#paths.some((path) => paths.includes(path))) return false;
    this.#replace(this.#paths.filter((path) => !paths.includes(path)));
    return true;
  }

  forget(): void {
    this.#replace([]);
  }

  #replace(paths: readonly string[], added?: string): void {
    this.#paths = paths;
    this.#stored.save({ version: 1, paths: [...paths] });
    this.#onChange(added);
  }
}

/** An id that does not reveal the path and is the same in every run. */
function idOf(path: string): FileId {
  return createHash('sha256').update(systemPath(path)).digest('hex').slice(0, 32) as FileId;
}
