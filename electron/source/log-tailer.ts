import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { ContentMark } from './content-mark.ts';
import { errnoOf, missingFile, refusalOf, type SourceError, sourceErrorOf } from './source-error.ts';

/**
 * The functions of node:fs that the tailer uses, so that tests can inject faults. Errors carry the system's code.
 * Identities are bigints: an inode number may exceed 2^53.
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
  readonly mtimeMs: number;
  /** Why the file must not be read, when it is no regular file. */
  readonly refusal: SourceError | undefined;
}

/** Why the following bytes do not continue the previous ones. */
export type NewContent = 'opened' | 'truncated' | 'rewritten' | 'replaced';

/** Receives the file's bytes. */
export interface TailSink {
  /** The next bytes are the first of a file, or of its new content. */
  begin(reason: NewContent, file: FileState): void;
  /**
   * The bytes from `offset` on, borrowed until the result is there: the offset up to which the content is final. After
   * it a writer may still overwrite zeros that it has preallocated; see `reread`.
   */
  bytes(bytes: Uint8Array, offset: number): number | Promise<number>;
}

/**
 *   more         bytes were emitted; there may be more at once
 *   atEnd        nothing further for now
 *   missing      there is no file yet
 *   gone         there is no file any more; a writer that still has it open is still followed
 *   unreadable   the operating system refused; tried again at every turn, from the same offset
 *   refused      there is something, but no regular file
 */
export type TailTurn = 'more' | 'atEnd' | 'missing' | 'gone' | 'unreadable' | 'refused';

/** Stays in the second-level cache from the kernel's copy to the decoder: see `read-bytes`. */
const CHUNK_BYTES = 1 << 17;

/**
 * After this many turns without growth the tailer switches to the file that replaced this one at its path: after a
 * rotation the writer may still finish in the old file.
 */
const QUIET_TURNS_BEFORE_SWITCH = 2;
/** After this many turns the tailer switches even while the old file grows. */
const TURNS_BEFORE_SWITCH = 20;

/**
 * Follows one path by polling: `turn` reads at most 128 KiB and says what it found. It keeps the file open, which pins
 * the inode number (a deleted and recreated file often has the same), and it detects new content of the same file by
 * comparing bytes. A turn that finds nothing new costs five system calls, about 10 µs.
 *
 * A file that appears and is replaced between two turns is not noticed.
 */
export class LogTailer {
  readonly path: string;
  /** Why the last turn was missing, gone, unreadable or refused. */
  trouble: SourceError | undefined;

  readonly #sink: TailSink;
  readonly #files: TailFileSystem;
  readonly #buffer = new Uint8Array(CHUNK_BYTES);
  readonly #probe = new Uint8Array(64);
  readonly #mark = new ContentMark();
  #file: number | undefined;
  #held: FileState | undefined;
  #offset = 0;
  #wasOpened = false;
  #turnsSinceReplaced = 0;
  #quietTurns = 0;

  constructor(path: string, sink: TailSink, files: TailFileSystem = nodeFiles) {
    this.path = path;
    this.#sink = sink;
    this.#files = files;
  }

  /** Bytes read of the present content. */
  get offset(): number {
    return this.#offset;
  }

  /** The file's size as last seen; 0 without a file. Never less than what was read. */
  get size(): number {
    return Math.max(this.#held?.size ?? 0, this.#offset);
  }

  /**
   * One poll. It ends when the sink has taken the bytes; until then only `peek` may be called. With `read` false no
   * bytes are emitted, only new content is noticed.
   */
  turn(read = true): TailTurn | Promise<TailTurn> {
    if (this.#file === undefined) {
      const trouble = this.#open(this.#wasOpened ? 'replaced' : 'opened');
      if (trouble !== undefined) return this.#report(trouble);
    }
    try {
      return this.#follow(read);
    } catch (error) {
      const code = errnoOf(error);
      // A signal, or a network drive that is not ready.
      if (code === 'EINTR' || code === 'EAGAIN') return 'atEnd';
      if (code === undefined) throw error;
      this.trouble = sourceErrorOf(this.path, error);
      return this.#replacedFile() === undefined ? 'unreadable' : this.#switchOver();
    }
  }

  /** Up to `length` bytes at `offset` as they are on disk now, in memory of their own; also while a sink takes bytes. */
  peek(offset: number, length: number): Uint8Array {
    if (this.#file === undefined) return new Uint8Array(0);
    const bytes = new Uint8Array(length);
    try {
      return bytes.subarray(0, this.#files.read(this.#file, bytes, 0, length, offset));
    } catch {
      // The next turn runs into the same error and reports it.
      return bytes.subarray(0, 0);
    }
  }

  /** Emits the bytes from `offset` on again. `offset` is the one up to which the sink last reported final content. */
  reread(offset: number): void {
    this.#offset = offset;
    this.#mark.rewind();
  }

  close(): void {
    if (this.#file !== undefined) this.#files.close(this.#file);
    this.#file = undefined;
  }

  #follow(read: boolean): TailTurn | Promise<TailTurn> {
    const file = this.#file;
    if (file === undefined) return 'gone';
    const length = read ? this.#files.read(file, this.#buffer, 0, CHUNK_BYTES, this.#offset) : 0;
    // Checked after the read, so that the chunk is dropped if the content was replaced before it.
    this.#held = this.#files.fstat(file, this.path);
    const change = this.#changeOfContent(file, this.#held.size);
    if (change !== undefined) {
      this.#begin(change, this.#held);
      return 'more';
    }
    if (length > 0) {
      const chunk = this.#buffer.subarray(0, length);
      const final = this.#sink.bytes(chunk, this.#offset);
      return typeof final === 'number'
        ? this.#advance(chunk, final)
        : final.then((offset) => this.#advance(chunk, offset));
    }
    this.#quietTurns++;
    return this.#lookAtPath();
  }

  #advance(chunk: Uint8Array, final: number): TailTurn {
    this.#mark.advance(chunk, this.#offset, final);
    this.#offset += chunk.length;
    this.#quietTurns = 0;
    this.trouble = undefined;
    return 'more';
  }

  /** How the content of the open file differs from what was read, if it does. */
  #changeOfContent(file: number, size: number): 'truncated' | 'rewritten' | undefined {
    // A size below what was read may be a stale attribute of a network drive: then the last byte is still there.
    if (size < this.#offset && this.#read(file, this.#offset - 1, 1).length === 0) return 'truncated';
    const isSame = this.#mark.matches((offset, length) => this.#read(file, offset, length));
    return isSame ? undefined : size < this.#offset ? 'truncated' : 'rewritten';
  }

  /** `length` bytes at `offset`, or fewer where the file ends before; borrowed until the next call. */
  #read(file: number, offset: number, length: number): Uint8Array {
    let count = 0;
    while (count < length) {
      const more = this.#files.read(file, this.#probe, count, length - count, offset + count);
      if (more === 0) break;
      count += more;
    }
    return this.#probe.subarray(0, count);
  }

  /** At the end of the open file: checks whether the path still names it. */
  #lookAtPath(): TailTurn {
    const found = this.#replacedFile();
    if (found === undefined) {
      this.trouble = undefined;
      this.#turnsSinceReplaced = 0;
      return 'atEnd';
    }
    this.trouble = found === 'nothing' ? missingFile(this.path) : found.refusal;
    if (this.trouble !== undefined) return 'gone';
    if (this.#turnsSinceReplaced++ === 0) this.#quietTurns = 0;
    const isQuiet = this.#quietTurns >= QUIET_TURNS_BEFORE_SWITCH;
    return isQuiet || this.#turnsSinceReplaced > TURNS_BEFORE_SWITCH ? this.#switchOver() : 'atEnd';
  }

  /** What the path names instead of the open file; undefined if it names that one or cannot be looked up. */
  #replacedFile(): FileState | 'nothing' | undefined {
    let named: FileState;
    try {
      named = this.#files.stat(this.path);
    } catch (error) {
      const code = errnoOf(error);
      return code === 'ENOENT' || code === 'ENOTDIR' ? 'nothing' : undefined;
    }
    return named.dev === this.#held?.dev && named.ino === this.#held.ino ? undefined : named;
  }

  /** Follows the file that the path names now. Keeps the old one while the new one cannot be opened. */
  #switchOver(): TailTurn {
    const old = this.#file;
    this.#file = undefined;
    const trouble = this.#open('replaced');
    if (trouble === undefined) {
      if (old !== undefined) this.#files.close(old);
      return 'more';
    }
    this.#file = old;
    this.trouble = trouble;
    return 'gone';
  }

  /** Opens the path and begins its content, or says why not. */
  #open(reason: 'opened' | 'replaced'): SourceError | undefined {
    let file: number | undefined;
    try {
      // Checked before opening, because opening a device can have effects.
      const refusal = this.#files.stat(this.path).refusal;
      if (refusal !== undefined) return refusal;
      file = this.#files.open(this.path);
      const state = this.#files.fstat(file, this.path);
      if (state.refusal !== undefined) {
        this.#files.close(file);
        return state.refusal;
      }
      this.#file = file;
      this.#begin(reason, state);
      return undefined;
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      if (file !== undefined) this.#files.close(file);
      return sourceErrorOf(this.path, error);
    }
  }

  #begin(reason: NewContent, state: FileState): void {
    this.#held = state;
    this.#offset = 0;
    this.#mark.clear();
    this.#quietTurns = 0;
    this.#turnsSinceReplaced = 0;
    this.#wasOpened = true;
    this.trouble = undefined;
    this.#sink.begin(reason, state);
  }

  #report(trouble: SourceError): TailTurn {
    this.trouble = trouble;
    return trouble.trouble === 'missing' && this.#wasOpened ? 'gone' : trouble.trouble;
  }
}

/** The operating system's files. O_NONBLOCK because opening a pipe would otherwise wait for its writer. */
export const nodeFiles: TailFileSystem = {
  open: (path) => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
  fstat: (file, path) => stateOf(path, fstatSync(file, { bigint: true })),
  stat: (path) => stateOf(path, statSync(path, { bigint: true })),
  read: readSync,
  close: closeSync,
};

function stateOf(path: string, stats: BigIntStats): FileState {
  return {
    dev: stats.dev,
    ino: stats.ino,
    size: Number(stats.size),
    mtimeMs: Number(stats.mtimeMs),
    refusal: refusalOf(path, stats),
  };
}
