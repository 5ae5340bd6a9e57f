import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { sourceNames } from '../source-code/source-names.ts';
import { readSmallFile, systemPath } from '../source/open-file.ts';

/** A larger file is no source that people wrote. */
const MOST_BYTES = 4_000_000;

/** Folders of a project in which the folders of packages are. */
const SOURCE_FOLDERS = [
  '',
  ...['main', 'test'].flatMap((part) =>
    ['java', 'kotlin', 'scala'].map((language) => `src/${part}/${language}`),
  ),
  'src',
];

interface SourceText {
  /** With the folder that was given in front. */
  readonly path: string;
  readonly lines: readonly string[];
}

/** The texts of classes in folders of sources, as far as the names of class and file lead to them. */
export class SourceTexts {
  readonly #folders: readonly string[];
  readonly #known = new Map<string, SourceText | undefined>();

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** `file`: as the profile names it; empty if it does not. Links that lead out of a folder are not followed. */
  find(className: string, file: string): SourceText | undefined {
    const names = sourceNames(className, file);
    for (const fileName of names?.fileNames ?? []) {
      const name = join(names?.packagePath ?? '', fileName);
      if (!this.#known.has(name)) this.#known.set(name, this.#read(name));
      const found = this.#known.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #read(name: string): SourceText | undefined {
    for (const folder of this.#folders)
      for (const part of SOURCE_FOLDERS) {
        const path = join(folder, part, name);
        if (!isBelow(folder, path)) continue;
        const text = readSmallFile(path, MOST_BYTES);
        if (text !== undefined) return { path, lines: text.toString('utf8').split(/\r?\n/) };
      }
    return undefined;
  }
}

function isBelow(folder: string, path: string): boolean {
  try {
    const from = relative(realpathSync(systemPath(folder)), realpathSync(systemPath(path)));
    return from !== '..' && !from.startsWith(`..${sep}`);
  } catch {
    return false;
  }
}
