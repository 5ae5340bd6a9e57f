import { type BigIntStats, closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { openToRead, systemPath } from './open-file.ts';
import { errnoOf, missingFile, refusalOf, SourceError, sourceErrorOf } from './source-error.ts';

/**
 * The functions of node:fs that the tailer uses, as an interface so that tests can inject faults. Errors have the
 * system's code. Device and inode numbers are bigints because they may exceed 2^53.
 */
export interface TailFileSystem {
  open(path: string): number;
  fstat(file: number, path: string): FileState;
  stat(path: string): FileState;
  read(file: number, into: Uint8Array, at: number, length: number, position: number): number;
  close(file: number): void;
}

export interface FileState {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: number;
  /** Time stamps, in nanoseconds since 1970: of the last change of the content, and of content, name or permissions. */
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
  /** Set if it is not a regular file, which must not be read. */
  readonly refusal: SourceError | undefined;
}

/** The operating system's files. */
export const nodeFiles: TailFileSystem = {
  open: (path) => openToRead(path),
  fstat: (file, path) => stateOf(path, fstatSync(file, { bigint: true })),
  stat: (path) => stateOf(path, statSync(systemPath(path), { bigint: true })),
  read: readSync,
  close: closeSync,
};

function stateOf(path: string, stats: BigIntStats): FileState {
  return {
    dev: stats.dev,
    ino: stats.ino,
    size: Number(stats.size),
    modifiedNs: stats.mtimeNs,
    changedNs: stats.ctimeNs,
    refusal: refusalOf(path, stats),
  };
}

/** Most files that are kept open until the ones before them are read. */
const MOST_FILES = 16;

export interface OpenFile {
  readonly file: number;
  readonly state: FileState;
}

/**
 * The files that have taken the place of an open file at its path, oldest first. Each is opened when it is first seen,
 * so that it can be read even if it has left the path, too, by then.
 */
export class RotatedFiles {
  readonly #path: string;
  readonly #files: TailFileSystem;
  readonly #queue: OpenFile[] = [];

  constructor(path: string, files: TailFileSystem) {
    this.#path = path;
    this.#files = files;
  }

  get count(): number {
    return this.#queue.length;
  }

  /** Looks up the path, which named `current` before. Returns why there is no file that could be followed. */
  update(current: OpenFile): SourceError | undefined {
    const last = this.#queue.at(-1) ?? current;
    let named: FileState;
    try {
      named = this.#files.stat(this.#path);
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined) throw error;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return undefined;
      return missingFile(this.#path);
    }
    if (isSame(named, last.state)) return undefined;
    if (isSame(named, current.state)) {
      this.clear();
      return undefined;
    }
    return named.refusal ?? this.#open(current, last);
  }

  /** The caller closes it. */
  take(): OpenFile | undefined {
    return this.#queue.shift();
  }

  clear(): void {
    for (const { file } of this.#queue.splice(0)) this.#files.close(file);
  }

  #open(current: OpenFile, last: OpenFile): SourceError | undefined {
    // A file for which there is no space is not seen.
    if (this.#queue.length === MOST_FILES) return undefined;
    const opened = openRegularFile(this.#path, this.#files);
    if (!('file' in opened)) return opened;
    if (isSame(opened.state, last.state) || isSame(opened.state, current.state)) {
      this.#files.close(opened.file);
      return undefined;
    }
    this.#queue.push(opened);
    return undefined;
  }
}

/** Opens a path that names a regular file. */
export function openRegularFile(path: string, files: TailFileSystem = nodeFiles): OpenFile | SourceError {
  let file: number | undefined;
  try {
    // Checked before opening, because opening a device can have side effects.
    const refusal = files.stat(path).refusal;
    if (refusal !== undefined) return refusal;
    file = files.open(path);
    const state = files.fstat(file, path);
    if (state.refusal === undefined) return { file, state };
    files.close(file);
    return state.refusal;
  } catch (error) {
    if (error instanceof SourceError) return error;
    if (errnoOf(error) === undefined) throw error;
    if (file !== undefined) files.close(file);
    return sourceErrorOf(path, error);
  }
}

function isSame(a: FileState, b: FileState): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
