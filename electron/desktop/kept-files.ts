/** The logs that were open when the program ended, and are opened again at its next start. */
import { z } from 'zod';
import { MERGED_THREADS } from '../../shared/facts/choice.ts';
import type { Host } from '../host/host.ts';
import type { MergedFiles } from '../host/merged-log.ts';
import type { WriteSettings } from '../host/settings-writer.ts';
import { StoredFile } from '../host/stored-file.ts';
import { isFilePath } from './opened-files.ts';

/** A longer list was not stored by Leanscope: nobody opens so many files. */
const MOST_FILES = 100;
const MOST_MERGES = 100;

/** The valid elements of an array; none of anything else. */
const validOf = <Element extends z.ZodType>(element: Element, most: number) =>
  z
    .array(element.optional().catch(undefined))
    .transform((found): readonly z.infer<Element>[] =>
      found.filter((each): each is NonNullable<typeof each> => each !== undefined).slice(0, most),
    )
    .catch([]);

const filePath = z.custom<string>(isFilePath);
const mergedFiles = z.object({
  name: z.string(),
  threads: z.enum(MERGED_THREADS),
  files: z.array(filePath).min(2).readonly(),
  isAgain: z.boolean().optional().catch(undefined),
});
const keptFiles = z.object({ files: validOf(filePath, MOST_FILES) });
const keptMerges = z.object({ merges: validOf(mergedFiles, MOST_MERGES) });

/** Absolute paths in the order in which they were opened, each as often as it had tabs. */
export const readKeptFiles = (file: string): readonly string[] =>
  new StoredFile(file, keptFiles).load()?.files ?? [];

export const writeKeptFiles = (file: string, files: readonly string[], write?: WriteSettings): void =>
  new StoredFile(file, keptFiles, write).save({ files });

/** Merged logs; invalid ones are left out. */
export const readKeptMerges = (file: string): readonly MergedFiles[] =>
  new StoredFile(file, keptMerges).load()?.merges ?? [];

export const writeKeptMerges = (file: string, merges: readonly MergedFiles[], write?: WriteSettings): void =>
  new StoredFile(file, keptMerges, write).save({ merges });

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

/** Merges these files again. Those that have no tab of their own are opened for it. Never rejects. */
export async function restoreMerges(
  merges: readonly MergedFiles[],
  host: Pick<Host, 'open' | 'merge' | 'close' | 'logs'>,
): Promise<void> {
  const tabs = new Set(host.logs().map(({ id }) => id));
  for (const { files, name, threads, isAgain: again = false } of merges) {
    const options = { show: false, remember: false, again };
    const opened = await Promise.all(files.map((path) => host.open(path, options).catch(() => undefined)));
    const parts = opened.flatMap((id) => id ?? []);
    host.merge(parts, { show: false, name, threads });
    for (const id of parts) if (!tabs.has(id)) host.close(id);
  }
}
