import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** Enough for a hundred of the longest paths. A larger file is treated as one that cannot be read. */
const MAX_BYTES = 4 << 20;

/**
 * A value that is stored in a JSON file. One that cannot be read, or is not of the schema, is renamed to `….broken`, and
 * there is none then. If the folder cannot be written, the value is lost when the program ends.
 */
export class StoredFile<Schema extends z.ZodType> {
  readonly #file: string;
  readonly #schema: Schema;

  constructor(file: string, schema: Schema) {
    this.#file = file;
    this.#schema = schema;
  }

  load(): z.infer<Schema> | undefined {
    let text: string;
    try {
      const stat = statSync(this.#file);
      // Reading a pipe or a device may never end.
      if (!stat.isFile() || stat.size > MAX_BYTES) throw new RangeError('not a file of settings');
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof RangeError) this.#renameBroken();
      return undefined;
    }
    const stored = this.#schema.safeParse(parseJson(text));
    if (stored.success) return stored.data;
    this.#renameBroken();
    return undefined;
  }

  /**
   * Writes a temporary file and renames it, so that a crash leaves either the old value or the new one. The folder is
   * created if there is none.
   */
  save(value: z.infer<Schema>): void {
    const next = `${this.#file}.${randomUUID()}`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(next, JSON.stringify(value), { mode: 0o600 });
      renameSync(next, this.#file);
    } catch {
      removeQuietly(next);
    }
  }

  #renameBroken(): void {
    try {
      renameSync(this.#file, `${this.#file}.broken`);
    } catch {
      // The file cannot be renamed: the next value that is saved overwrites it.
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
