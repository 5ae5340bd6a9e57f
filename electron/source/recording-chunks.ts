import { readdirSync, readSync, closeSync, fstatSync, readlinkSync } from 'node:fs';
import { basename, join, dirname } from 'node:path';
import { systemPath, openIfThere } from './open-file.ts';
import { errnoOf } from './source-error.ts';

/** The header of a chunk file (specs: live-jvm, section 3). */
export const RECORDING_HEADER_BYTES = 68;

const MAGIC = [0x46, 0x4c, 0x52, 0x00];
const STATE_OFFSET = 64;
const IS_FINISHED = 0;
const IS_BEING_WRITTEN = 255;

/** The fields of a header that a follower needs. */
export interface FlushedHeader {
  readonly bytes: Uint8Array;
  /** Bytes of the file that are valid, header included. */
  readonly size: number;
  readonly startNs: bigint;
  /** When it was written; of a finished chunk, when the next one begins. */
  readonly endNs: bigint;
  readonly isFinished: boolean;
}

/** Whether a JVM is writing the chunk that begins with these 68 bytes. */
export function isOpenHeader(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte) && bytes[STATE_OFFSET] !== IS_FINISHED;
}

/** Whether a file is none that a JVM is about to write a recording to: it begins with something else. */
function isNoRecording(file: number): boolean {
  const begin = new Uint8Array(MAGIC.length);
  const length = readSync(file, begin, 0, begin.length, 0);
  return begin.subarray(0, length).some((byte, at) => byte !== MAGIC[at]);
}

/**
 * Reads the header of a chunk file that a JVM may rewrite at any moment. It rewrites the state first and last, so fields
 * between two equal states belong together. Undefined if it is being written, or if nothing was flushed yet: read it
 * again later.
 */
export function readFlushedHeader(file: number, offset = 0): FlushedHeader | undefined {
  const before = stateOf(file, offset);
  const bytes = new Uint8Array(RECORDING_HEADER_BYTES);
  if (before === undefined || before === IS_BEING_WRITTEN) return undefined;
  if (readSync(file, bytes, 0, bytes.length, offset) < bytes.length) return undefined;
  if (stateOf(file, offset) !== before || bytes[STATE_OFFSET] !== before) return undefined;
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) return undefined;
  const view = new DataView(bytes.buffer);
  const size = Number(view.getBigInt64(8));
  const metadataOffset = view.getBigInt64(24);
  if (size < RECORDING_HEADER_BYTES || metadataOffset <= 0n) return undefined;
  const startNs = view.getBigInt64(32);
  const endNs = startNs + view.getBigInt64(40);
  return { bytes, size, startNs, endNs, isFinished: before === IS_FINISHED };
}

function stateOf(file: number, offset: number): number | undefined {
  const byte = new Uint8Array(1);
  return readSync(file, byte, 0, 1, offset + STATE_OFFSET) === 1 ? byte[0] : undefined;
}

/** The chunk files in the repository of a JVM, in the order of their names, which are dates and times. */
export function recordingsIn(folder: string): readonly string[] {
  return chunkPaths(folder, readdirSync(systemPath(folder)));
}

/** The paths of those names in a folder that are recordings, in order. */
export function chunkPaths(folder: string, names: readonly string[]): readonly string[] {
  return names
    .filter((name) => name.endsWith('.jfr'))
    .sort()
    .map((name) => join(folder, name));
}

/** `2026_11_23_03_00_00.jfr`, and with a number if there are two of one second. */
const CHUNK_NAME = /^\d{4}(?:_\d\d){5}(?:_\d+)?\.jfr$/;

/** Whether a JVM has given the file this name, in its repository. */
export function isChunkName(path: string): boolean {
  return CHUNK_NAME.test(basename(path));
}

/** A chunk file that a follower holds open. */
export interface RecordedChunk {
  readonly file: number;
  /** The latest header, 68 bytes. */
  readonly header: Uint8Array;
  /** Bytes of the file that are valid. */
  readonly size: number;
}

/** The parts of a recording that are missing. */
export interface LostParts {
  /** Chunks of a recording that were found, and removed before they were read. */
  readonly chunks: number;
  /** Times between chunks that were read, in ns: a chunk of that time was never seen. */
  readonly gapsNs: readonly number[];
}

const PIECE_BYTES = 1 << 20;

/**
 * Writes chunks one after the other: a recording. The bytes are those of the JVM, except that a chunk that the JVM did
 * not finish, because it was killed, is ended at its latest flush.
 */
export function writeChunks(chunks: readonly RecordedChunk[], write: (bytes: Uint8Array) => void): void {
  const buffer = new Uint8Array(PIECE_BYTES);
  for (const { file, header, size } of chunks) {
    const finished = header.slice();
    finished[STATE_OFFSET] = 0;
    write(finished);
    for (let at = header.length; at < size;) {
      const count = readSync(file, buffer, 0, Math.min(PIECE_BYTES, size - at), at);
      if (count === 0) break;
      write(buffer.subarray(0, count));
      at += count;
    }
  }
}

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
interface FoundChunk {
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
