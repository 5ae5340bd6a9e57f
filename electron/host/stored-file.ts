import { readFileSync, renameSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { replaceFile } from './replace-file.ts';
import type { WriteSettings } from './settings-writer.ts';

/** Enough for a hundred of the longest paths. A larger file is treated as one that cannot be read. */
const MAX_BYTES = 4 << 20;

/**
 * A value that is stored in a JSON file. One that cannot be read, or is not of the schema, is renamed to `….broken`, and
 * there is none then. If the folder cannot be written, the value is lost when the program ends.
 */
export class StoredFile<Schema extends z.ZodType> {
  readonly #file: string;
  readonly #schema: Schema;
  readonly #write: WriteSettings;

  constructor(file: string, schema: Schema, write: WriteSettings = replaceFile) {
    this.#file = file;
    this.#schema = schema;
    this.#write = write;
  }

  load(): z.infer<Schema> | undefined {
    let text: string;
    try {
      const stat = statSync(this.#file);
      // Reading a pipe or a device may never end.
      if (!stat.isFile() || stat.size > MAX_BYTES) throw new RangeError('not a file of settings');
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof RangeError) moveDamaged(this.#file);
      return undefined;
    }
    const stored = this.#schema.safeParse(parseJson(text));
    if (stored.success) return stored.data;
    moveDamaged(this.#file);
    return undefined;
  }

  save(value: z.infer<Schema>): void {
    this.#write(this.#file, JSON.stringify(value));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Renames a damaged file of settings to `….broken`, because the next one that is written would replace it. */
function moveDamaged(file: string): void {
  try {
    renameSync(file, `${file}.broken`);
  } catch {
    // The folder cannot be changed, so probably nothing is written either.
  }
}
