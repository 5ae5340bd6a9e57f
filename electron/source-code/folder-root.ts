import { opendir, realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { readSmallFile, type SourceFile, sourceText } from './source-file.ts';
import { declaredPackage, SourceIndex } from './source-index.ts';
import type { SourceNames } from './source-names.ts';
import type { FoundSource, SourceRoot } from './source-root.ts';

/** Limits of a folder's index; what is beyond them is not indexed. */
const MOST_ENTRIES = 400_000;
const MOST_DEPTH = 40;
/** Folders that hold no sources and many files. */
const SKIPPED: readonly string[] = ['node_modules', '__pycache__'];
/** If a file is not found and the index is older than this, the folder is indexed again: the file may be new. */
const REUSED_MS = 10_000;
/** Most candidate files that are read for one class, to compare the package that they declare. */
const MOST_COMPARED = 20;

/**
 * A folder of sources: the root of packages, or of a whole project. Symbolic links to files are followed only if the
 * target is inside the folder; others count as missing, so that an untrusted project cannot show other files of this
 * machine. Links to folders are not indexed.
 */
export class FolderRoot implements SourceRoot {
  readonly path: string;
  readonly #now: () => number;
  #index: { readonly made: Promise<SourceIndex>; readonly at: number } | undefined;

  constructor(path: string, now: () => number = () => performance.now()) {
    this.path = path;
    this.#now = now;
  }

  async find(names: SourceNames): Promise<FoundSource | undefined> {
    const root = await realpath(this.path).catch(() => undefined);
    if (root === undefined) return undefined;
    for (const name of names.fileNames) {
      const file = await fileIn(root, `${names.packagePath}/${name}`);
      if (file !== undefined) return { file, others: 0 };
    }
    const known = this.#index;
    const found = await this.#findIn(root, names, await this.#indexOf(root));
    const isOld = known !== undefined && this.#now() - known.at > REUSED_MS;
    if (found !== undefined || !isOld || this.#index !== known) return found;
    this.#index = undefined;
    return this.#findIn(root, names, await this.#indexOf(root));
  }

  async #findIn(root: string, names: SourceNames, index: SourceIndex): Promise<FoundSource | undefined> {
    const inPackage = await filesIn(root, index.inPackage(names));
    if (inPackage.length > 0) return { file: inPackage[0], others: inPackage.length - 1 };
    const named = await filesIn(root, index.named(names));
    for (const file of named) {
      const text = await file.read().then(sourceText, () => undefined);
      if (text !== undefined && declaredPackage(text) === names.packageName) return { file, others: 0 };
    }
    return undefined;
  }

  #indexOf(root: string): Promise<SourceIndex> {
    this.#index ??= { made: indexFolder(root), at: this.#now() };
    return this.#index.made;
  }
}

async function filesIn(root: string, paths: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const path of paths.slice(0, MOST_COMPARED)) {
    const file = await fileIn(root, path);
    if (file !== undefined) files.push(file);
  }
  return files;
}

/** The file at a path with `/`, if there is one inside of the root, without links. */
async function fileIn(root: string, path: string): Promise<SourceFile | undefined> {
  const real = await realpath(join(root, ...path.split('/'))).catch(() => undefined);
  if (real === undefined || !isInside(root, real)) return undefined;
  return { name: basename(path), place: real, path: real, read: () => readSmallFile(real) };
}

/** Whether `path` is inside `root`; both are real paths. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && join(root, way) === path;
}

async function indexFolder(root: string): Promise<SourceIndex> {
  const index = new SourceIndex();
  const pending: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 0 }];
  let entries = 0;
  for (let next = pending.shift(); next !== undefined && entries < MOST_ENTRIES; next = pending.shift()) {
    const { path, depth } = next;
    // Folders without read permission are skipped.
    const folder = await opendir(join(root, ...path.split('/'))).catch(() => undefined);
    if (folder === undefined) continue;
    for await (const entry of folder) {
      if (++entries > MOST_ENTRIES) break;
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      const isWalked = entry.isDirectory() && depth < MOST_DEPTH;
      if (isWalked && !entry.name.startsWith('.') && !SKIPPED.includes(entry.name))
        pending.push({ path: inner, depth: depth + 1 });
      else if (!entry.isDirectory()) index.add(inner);
    }
  }
  return index;
}
