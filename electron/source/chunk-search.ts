import { closeSync, fstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openIfThere } from './open-file.ts';
import { isChunkName, isNoRecording, readFlushedHeader, recordingsIn } from './recording-chunks.ts';
import { errnoOf } from './source-error.ts';

/** At most so many files without a flush are read, the last by their names: a JVM writes one or two. */
const MOST_UNFLUSHED = 16;

/** The repository of a JVM, or one file of it, from which on it is followed. */
export type FollowedRecording =
  | {
      readonly folder: string;
      /** Paths in the folder that are left out: chunks of other recordings. None when not given. */
      readonly leftOut?: readonly string[];
      /** Links in /proc to chunks of the folder that are open, and may have been removed from it. */
      readonly open?: readonly string[];
    }
  | { readonly file: string };

/** A chunk file that has been flushed, and is open. */
export interface FoundChunk {
  readonly path: string;
  readonly file: number;
  /** When it began, in ns since 1970. */
  readonly startNs: bigint;
}

/** Finds the chunk files of a recording, each once. */
export class ChunkSearch {
  readonly folder: string;
  readonly #what: FollowedRecording;
  /** Path -> open file of a chunk without a flush: it may be finished and removed before the next search. */
  readonly #unflushed = new Map<string, number>();
  /** Paths of all chunks, and of files that are left out. */
  readonly #known = new Set<string>();
  /**
   * The paths in the folder of a followed file at the first search. Recordings that began earlier may be among them. Whatever
   * appears later was begun later, also by a clock that was set back.
   */
  #first: ReadonlySet<string> | undefined;
  /** Chunks that were open before the first search: path -> link in /proc. */
  readonly #links: ReadonlyMap<string, string>;
  /** Paths of the first search that began earlier are left out. Undefined until it is known, and for a folder. */
  #sinceNs: bigint | undefined;

  constructor(what: FollowedRecording) {
    this.#what = what;
    this.folder = 'file' in what ? dirname(what.file) : what.folder;
    const { open = [], leftOut = [] } = 'file' in what ? {} : what;
    this.#links = new Map(open.flatMap((link) => this.#openedBy(link)));
    for (const path of leftOut) if (!this.#links.has(path)) this.#known.add(path);
  }

  /** The chunks that have been flushed since the last search, in order. Chunks that began at `until` or later are left out. */
  search(until: bigint | undefined): readonly FoundChunk[] {
    const found: FoundChunk[] = [];
    // Files without a flush may have been removed from the folder since.
    for (const path of new Set([...this.#unflushed.keys(), ...this.#links.keys(), ...this.#paths()])) {
      const chunk = this.#known.has(path) ? undefined : this.#lookAt(path, until);
      if (chunk !== undefined) found.push(chunk);
    }
    found.sort((a, b) => (a.startNs < b.startNs ? -1 : 1));
    // The rest of the folder of a file: what began after it.
    if ('file' in this.#what && this.#sinceNs === undefined && found.length > 0)
      this.#sinceNs = found[0].startNs + 1n;
    return found;
  }

  /** Opens a chunk. Undefined if there is no such file any more, or if it is none of a JVM. */
  open(path: string): number | undefined {
    const file = openIfThere(path);
    if (file === undefined || fstatSync(file).isFile()) return file;
    this.#skip(path, file);
    return undefined;
  }

  /** The path in the folder, where the file may be no longer, and the link that still leads to it. */
  #openedBy(link: string): readonly (readonly [path: string, link: string])[] {
    try {
      return [[join(this.folder, basename(readlinkSync(link)).replace(/ \(deleted\)$/, '')), link]];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  }

  /** Closes the files that `search` has not returned. */
  close(): void {
    for (const file of this.#unflushed.values()) closeSync(file);
    this.#unflushed.clear();
  }

  #lookAt(path: string, until: bigint | undefined): FoundChunk | undefined {
    const file = this.#unflushed.get(path) ?? this.open(this.#links.get(path) ?? path);
    if (file === undefined) return undefined;
    this.#unflushed.set(path, file);
    const header = readFlushedHeader(file);
    if (header === undefined && !isNoRecording(file)) {
      if (this.#unflushed.size > MOST_UNFLUSHED) this.#skip(...[...this.#unflushed][0]);
      return undefined;
    }
    if (header === undefined || !this.#isWanted(path, header.startNs, until)) {
      this.#skip(path, file);
      return undefined;
    }
    this.#unflushed.delete(path);
    this.#known.add(path);
    return { path, file, startNs: header.startNs };
  }

  #skip(path: string, file: number): void {
    closeSync(file);
    this.#unflushed.delete(path);
    this.#known.add(path);
  }

  #paths(): readonly string[] {
    const begin = 'file' in this.#what && this.#sinceNs === undefined ? this.#what.file : undefined;
    // Other recordings may be in the folder of a file that the user has copied there.
    if ('file' in this.#what && !isChunkName(this.#what.file)) return begin === undefined ? [] : [begin];
    const inFolder = this.#pathsInFolder();
    this.#first ??= new Set(inFolder);
    if (begin !== undefined) return [begin];
    return 'file' in this.#what ? inFolder.filter(isChunkName) : inFolder;
  }

  #pathsInFolder(): readonly string[] {
    try {
      return recordingsIn(this.folder);
    } catch (error) {
      const code = errnoOf(error);
      // The folder of a file that may be read need not be readable itself.
      if (code === 'ENOENT' || (code !== undefined && 'file' in this.#what)) return [];
      throw error;
    }
  }

  #isWanted(path: string, startNs: bigint, until: bigint | undefined): boolean {
    if (this.#links.has(path)) return true;
    if (until !== undefined && startNs >= until) return false;
    return this.#first?.has(path) !== true || this.#sinceNs === undefined || startNs >= this.#sinceNs;
  }
}
