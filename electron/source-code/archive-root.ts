import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate as afterPendingEvents } from 'node:timers/promises';
import {
  dataStart,
  DIRECTORY_END_BYTES,
  type DirectoryEntry,
  findDirectory,
  LOCAL_HEADER_BYTES,
  type OrDamage,
  readDirectory,
  unpackEntry,
} from '../../shared/unpack/zip-directory.ts';
import {
  MOST_SOURCE_BYTES,
  openRegular,
  readAt,
  type SourceFile,
  SourceRefusal,
  sourceText,
} from './source-file.ts';
import { declaredPackage, SourceIndex } from './source-index.ts';
import { isSourceFile, type SourceNames } from './source-names.ts';
import type { FoundSource, SourceRoot } from './source-root.ts';

/** The directory of the JDK's src.zip has 2 MB. */
const MOST_DIRECTORY_BYTES = 64 << 20;
const MOST_COMPARED = 20;
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
    const fileOf = (name: string): SourceFile | undefined => {
      const entry = entries.get(name);
      return entry && this.#file(entry);
    };
    const inPackage = index.inPackage(names);
    const file = inPackage.length > 0 ? fileOf(inPackage[0]) : undefined;
    if (file !== undefined) return { file, others: inPackage.length - 1 };
    for (const name of index.named(names).slice(0, MOST_COMPARED)) {
      const named = fileOf(name);
      const text = await named?.read().then(sourceText, () => undefined);
      if (named !== undefined && text !== undefined && declaredPackage(text) === names.packageName)
        return { file: named, others: 0 };
    }
    return undefined;
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
