import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { StoredFile, type WriteSettings } from './stored-file.ts';

const MAX_ROOTS = 100;

const storedSettings = z.strictObject({
  version: z.literal(1),
  roots: z.array(z.string().max(4096)).max(MAX_ROOTS),
  /** Id of an editor, or `custom`. */
  editor: z.string().max(40).optional(),
  /** The user's own command. */
  command: z.string().max(1000).optional(),
});

/** Where sources are looked for, and with what they are opened. */
export interface StoredSources {
  /** Absolute paths of folders and archives, in the order in which they are looked in. */
  readonly roots: readonly string[];
  readonly editor: string | undefined;
  readonly command: string | undefined;
}

/** These settings in a file: see `StoredFile`. */
export class SourceSettingsFile {
  readonly #stored: StoredFile<typeof storedSettings>;

  /** `folder` is created when the settings are first saved. */
  constructor(folder: string, write?: WriteSettings) {
    this.#stored = new StoredFile(join(folder, 'sources.json'), storedSettings, write);
  }

  load(): StoredSources {
    const stored = this.#stored.load();
    const roots = (stored?.roots ?? []).filter((path) => isAbsolute(path));
    return { roots, editor: stored?.editor, command: stored?.command };
  }

  save({ roots, editor, command }: StoredSources): void {
    this.#stored.save({ version: 1, roots: roots.slice(0, MAX_ROOTS), editor, command });
  }
}
