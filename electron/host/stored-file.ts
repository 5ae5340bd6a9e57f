import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { printable } from '../../shared/text/printable.ts';

/** Writes a file of settings: see `replaceFile`. */
export type WriteSettings = (file: string, text: string) => void;

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

/** Tells the first failure, and no other one, because the next ones probably have the same cause. */
export function tellingWriter(tell: (sentence: string) => void): WriteSettings {
  let isTold = false;
  return (file, text) => {
    if (replaceFile(file, text) || isTold) return;
    isTold = true;
    tell(
      printable(`${file} cannot be written: settings, recent files and open logs are forgotten at the end.`),
    );
  };
}

/**
 * Writes a temporary file, waits until the disk has it, and renames it, so that the end of the program or of the machine
 * leaves either the old content or the new one. The folder is created if there is none. Only this user can read the file.
 * Returns false if it cannot be written: the old content is still there.
 */
export function replaceFile(file: string, text: string): boolean {
  const next = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    const descriptor = openSync(next, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(next, file);
    return true;
  } catch {
    removeQuietly(next);
    return false;
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder cannot be changed, so the temporary file was probably not written.
  }
}
