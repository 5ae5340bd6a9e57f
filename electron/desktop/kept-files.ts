/** The logs that were open when the program ended, and are opened again at its next start. */
import { z } from 'zod';
import { StoredFile, type WriteSettings } from '../host/stored-file.ts';
import { isOpened } from './opened-files.ts';
import { isAbsolute } from 'node:path';
import { type ThemeChoice, THEMES } from '../../shared/protocol/desktop-bridge.ts';

/** A longer list was not stored by Leanscope: nobody opens so many files. */
const MOST_FILES = 100;

/** Paths that are invalid are left out. */
const files = z
  .array(z.unknown())
  .transform((found): readonly string[] => found.filter(isOpened).slice(0, MOST_FILES))
  .catch([]);
const keptFiles = z.object({ files });

/** Absolute paths in the order in which they were opened, each as often as it had tabs. */
export const readKeptFiles = (file: string): readonly string[] =>
  new StoredFile(file, keptFiles).load()?.files ?? [];

export const writeKeptFiles = (file: string, files: readonly string[], write?: WriteSettings): void =>
  new StoredFile(file, keptFiles, write).save({ files });

/** Keeps the list of open files for the next start. */
export class KeptFiles {
  readonly #file: string;
  readonly #write: WriteSettings | undefined;
  #isRestoring = false;
  /** The list that is stored as soon as all files are restored. */
  #next: readonly string[] | undefined;

  constructor(file: string, write?: WriteSettings) {
    this.#file = file;
    this.#write = write;
  }

  /**
   * Opens the files of the last run; `again`: one that it has opened before. Until all are open, the stored list stays as
   * it is: a program that ends meanwhile restores them all at its next start. Never rejects.
   */
  async restore(open: (path: string, again: boolean) => Promise<unknown>): Promise<void> {
    this.#isRestoring = true;
    const opened = new Set<string>();
    for (const path of readKeptFiles(this.#file)) {
      await open(path, opened.has(path)).catch(() => undefined);
      opened.add(path);
    }
    this.#isRestoring = false;
    if (this.#next !== undefined) this.keep(this.#next);
  }

  keep(files: readonly string[]): void {
    this.#next = files;
    if (!this.#isRestoring) writeKeptFiles(this.#file, files, this.#write);
  }

  /** Adds files to those that are kept, unless they are among them. */
  add(files: readonly string[]): void {
    const kept = this.#next ?? readKeptFiles(this.#file);
    this.keep([...kept, ...new Set(files.filter((each) => !kept.includes(each)))]);
  }
}

const folder = z.string().refine(isAbsolute).optional().catch(undefined);

/** Settings of the desktop beside the bounds of the window and the recent files. A value that is invalid is left out. */
const desktopSettings = z.object({
  /** Folder of the file that was saved last. */
  saveFolder: folder,
  /** Folder of the sources that were added last. */
  sourceFolder: folder,
  /** The window's theme: the next start needs it before the page is loaded. */
  theme: z.enum(THEMES).optional().catch(undefined),
  /** Notify when a log restarts or ends while no window has the focus. */
  notifies: z.boolean().optional().catch(undefined),
});
export type DesktopSettings = Readonly<z.infer<typeof desktopSettings>>;

export const isTheme = (value: unknown): value is ThemeChoice => THEMES.some((theme) => theme === value);

export const settingsFile = (file: string, write?: WriteSettings) =>
  new StoredFile(file, desktopSettings, write);
