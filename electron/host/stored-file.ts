import { readFileSync, renameSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { replaceFile } from './replace-file.ts';

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

  /** See `replaceFile`. */
  save(value: z.infer<Schema>): void {
    replaceFile(this.#file, JSON.stringify(value));
  }

  #renameBroken(): void {
    try {
      renameSync(this.#file, `${this.#file}.broken`);
    } catch {
      // The file cannot be renamed: the next value that is saved overwrites it.
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
