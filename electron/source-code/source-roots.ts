import {
  MOST_SOURCE_BYTES,
  openRegular,
  readAt,
  readSmallFile,
  type SourceFile,
  SourceRefusal,
  sourceText,
} from './source-file.ts';
import { declaredPackage, isSourceFile, SourceIndex, type SourceNames } from './source-names.ts';
import { opendir, realpath, stat } from 'node:fs/promises';
import { TimeLimit } from '../source/open-file.ts';
import { basename, join, relative, sep } from 'node:path';
import { setImmediate as afterPendingEvents } from 'node:timers/promises';
import {
  dataStart,
  DIRECTORY_END_BYTES,
  type DirectoryEntry,
  findDirectory,
  type OrDamage,
  readDirectory,
  unpackEntry,
} from '../../shared/read/unpack/zip-directory.ts';
import { LOCAL_HEADER_BYTES } from '../../shared/read/unpack/zip-format.ts';

export interface FoundSource {
  readonly file: SourceFile;
  /** Further files of this name in the same package, in other parts of the root. */
  readonly others: number;
}

/** A folder or an archive in which sources are looked for. */
export interface SourceRoot {
  /** As the user gave it. */
  readonly path: string;
  /** Throws SourceRefusal if the root itself cannot be used. */
  find(names: SourceNames): Promise<FoundSource | undefined>;
}

/** The folder or archive at a path that the user has chosen. It may come later, or become the other one. */
export class UserRoot implements SourceRoot {
  readonly path: string;
  readonly #archive: ArchiveRoot;
  readonly #folder: FolderRoot;

  constructor(path: string) {
    this.path = path;
    this.#archive = new ArchiveRoot(path);
    this.#folder = new FolderRoot(path);
  }

  async find(names: SourceNames): Promise<FoundSource | undefined> {
    const isFile = await stat(this.path).then(
      (found) => found.isFile(),
      () => false,
    );
    return (isFile ? this.#archive : this.#folder).find(names);
  }
}

/** The first search in a large folder takes seconds. */
const WITHIN_MS = 20_000;

/** A root that throws SourceRefusal when it does not answer. It is asked again only when it has answered. */
export class AnsweringRoot implements SourceRoot {
  readonly #root: SourceRoot;
  readonly #limit: TimeLimit;

  constructor(root: SourceRoot, withinMs = WITHIN_MS) {
    this.#root = root;
    this.#limit = new TimeLimit(withinMs, 1);
  }

  get path(): string {
    return this.#root.path;
  }

  find(names: SourceNames): Promise<FoundSource | undefined> {
    return this.#limit.answer(
      () => this.#root.find(names),
      () => {
        throw new SourceRefusal(`${this.path} does not answer.`);
      },
    );
  }
}

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
    const fileOf = (path: string): Promise<SourceFile | undefined> => fileIn(root, path);
    for (const name of names.fileNames) {
      const file = await fileOf(`${names.packagePath}/${name}`);
      if (file !== undefined) return { file, others: 0 };
    }
    const known = this.#index;
    const found = await findIn(await this.#indexOf(root), names, fileOf);
    const isOld = known !== undefined && this.#now() - known.at > REUSED_MS;
    if (found !== undefined || !isOld || this.#index !== known) return found;
    this.#index = undefined;
    return findIn(await this.#indexOf(root), names, fileOf);
  }

  #indexOf(root: string): Promise<SourceIndex> {
    this.#index ??= { made: indexFolder(root), at: this.#now() };
    return this.#index.made;
  }
}

type FileOf = (path: string) => Promise<SourceFile | undefined>;

/** The first file of a name in its package, else the first that declares the package. `fileOf`: by its path in the index. */
async function findIn(
  index: SourceIndex,
  names: SourceNames,
  fileOf: FileOf,
): Promise<FoundSource | undefined> {
  const inPackage = await filesOf(index.inPackage(names), fileOf);
  if (inPackage.length > 0) return { file: inPackage[0], others: inPackage.length - 1 };
  for (const file of await filesOf(index.named(names), fileOf)) {
    const text = await file.read().then(sourceText, () => undefined);
    if (text !== undefined && declaredPackage(text) === names.packageName) return { file, others: 0 };
  }
  return undefined;
}

async function filesOf(paths: readonly string[], fileOf: FileOf): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const path of paths.slice(0, MOST_COMPARED)) {
    const file = await fileOf(path);
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
function isInside(root: string, path: string): boolean {
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

/** The directory of the JDK's src.zip has 2 MB. */
const MOST_DIRECTORY_BYTES = 64 << 20;
/** Read without a pause: a few milliseconds, in which the host does nothing else. */
const ENTRIES_AT_ONCE = 2_000;

interface Directory {
  readonly index: SourceIndex;
  readonly entries: ReadonlyMap<string, DirectoryEntry>;
}

/** A jar of sources, or the src.zip of a JDK. Only its directory and the wanted entries are read. */
export class ArchiveRoot implements SourceRoot {
  readonly path: string;
  /** `version`: of the file when it was read. Another file at the path is read again. */
  #directory: { readonly version: string; readonly made: Promise<Directory> } | undefined;

  constructor(path: string) {
    this.path = path;
  }

  async find(names: SourceNames): Promise<FoundSource | undefined> {
    const { index, entries } = await this.#read();
    return findIn(index, names, (name) => {
      const entry = entries.get(name);
      return Promise.resolve(entry && this.#file(entry));
    });
  }

  /** Read once, also if it is wanted again meanwhile. */
  async #read(): Promise<Directory> {
    const path = await realpath(this.path);
    const { mtimeMs, ctimeMs, ino, size } = await stat(path);
    const version = [ino, size, mtimeMs, ctimeMs].join(' ');
    if (this.#directory?.version !== version) this.#directory = { version, made: this.#readFrom(path) };
    return this.#directory.made;
  }

  async #readFrom(path: string): Promise<Directory> {
    const { file, bytes } = await openRegular(path);
    try {
      const tailBytes = Math.min(bytes, DIRECTORY_END_BYTES);
      const tail = await readAt(file, bytes - tailBytes, tailBytes);
      const place = this.#checked(findDirectory(tail, bytes));
      if (place.bytes > MOST_DIRECTORY_BYTES)
        throw new SourceRefusal(
          `${this.path} has a directory of more than ${MOST_DIRECTORY_BYTES >> 20} MB.`,
        );
      const directory = await readAt(file, place.offset, place.bytes);
      const index = new SourceIndex();
      const sources = new Map<string, DirectoryEntry>();
      for (let at = 0; at < directory.length;) {
        const part = this.#checked(readDirectory(directory, place, at, ENTRIES_AT_ONCE));
        for (const entry of part.entries) {
          if (!isSourceFile(entry.name.slice(entry.name.lastIndexOf('/') + 1))) continue;
          index.add(entry.name);
          sources.set(entry.name, entry);
        }
        at = part.next;
        await afterPendingEvents();
      }
      return { index, entries: sources };
    } finally {
      await file.close();
    }
  }

  #file(entry: DirectoryEntry): SourceFile {
    return {
      name: basename(entry.name),
      place: `${this.path}!/${entry.name}`,
      path: undefined,
      read: () => this.#unpack(entry),
    };
  }

  async #unpack(entry: DirectoryEntry): Promise<Uint8Array> {
    if (Math.max(entry.bytes, entry.storedBytes) > MOST_SOURCE_BYTES)
      throw new SourceRefusal(`${entry.name} is larger than ${MOST_SOURCE_BYTES >> 20} MB.`);
    const { file } = await openRegular(await realpath(this.path));
    try {
      const header = await readAt(file, entry.offset, LOCAL_HEADER_BYTES);
      const start = entry.offset + this.#checked(dataStart(header, entry));
      const stored = await readAt(file, start, entry.storedBytes);
      return this.#checked(unpackEntry(entry, stored, MOST_SOURCE_BYTES));
    } finally {
      await file.close();
    }
  }

  #checked<Value extends object | number>(result: OrDamage<Value>): Value {
    if (typeof result !== 'object' || !('damage' in result)) return result;
    const { byteOffset, found, expected } = result.damage;
    throw new SourceRefusal(
      `${this.path} is damaged at byte ${byteOffset}: ${found} instead of ${expected}.`,
    );
  }
}
