import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { ContentFingerprint } from './content-fingerprint.ts';
import { errnoOf, missingFile, refusalOf, type SourceError, sourceErrorOf } from './source-error.ts';

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
  readonly mtimeMs: number;
  /** Set if it is not a regular file, which must not be read. */
  readonly refusal: SourceError | undefined;
}

/** Why the following bytes do not continue the previous ones. */
export type NewContent = 'opened' | 'truncated' | 'rewritten' | 'replaced';

/** Receives the file's bytes. */
export interface TailSink {
  /** New content begins: the next bytes have the offset 0. */
  begin(reason: NewContent, file: FileState): void;
  /**
   * Receives the bytes from `offset` on, borrowed until the result is there. Returns the offset up to which the content
   * is final. After that offset a writer may still overwrite zeros with which it has preallocated the file: see
   * `reread`.
   */
  bytes(bytes: Uint8Array, offset: number): number | Promise<number>;
}

/**
 *   more         bytes were emitted, or new content has begun; there may be more at once
 *   atEnd        there are no more bytes for now
 *   missing      the path has never named a file
 *   gone         the path names no file any more; the old file is still read, because its writer may have it open
 *   unreadable   the operating system reported an error; the next poll tries again from the same offset
 *   refused      the path names something that is not a regular file
 */
export type PollResult = 'more' | 'atEnd' | 'missing' | 'gone' | 'unreadable' | 'refused';

/** A chunk stays in the second-level cache until it is decoded: see PIECE_BYTES in `read-bytes.ts`. */
const CHUNK_BYTES = 1 << 17;

/**
 * When another file has replaced the open one at its path, the tailer switches to it after this many polls without
 * growth: after a rotation the writer may still write its last records to the old file.
 */
const QUIET_POLLS_BEFORE_SWITCH = 2;
/** After this many polls at the end of the old file the tailer switches even if the old file still grows. */
const POLLS_BEFORE_SWITCH = 20;

/**
 * Follows one path by polling: each `poll` reads at most 128 KiB. It keeps the file open, so that a new file cannot get
 * the inode number of the old one. It detects new content of the same file by comparing bytes. A poll that finds nothing
 * new costs five system calls, about 10 µs.
 *
 * A file that appears and is replaced between two polls is not noticed.
 */
export class LogTailer {
  readonly path: string;
  /** Why the last poll returned missing, gone, unreadable or refused. */
  error: SourceError | undefined;

  readonly #sink: TailSink;
  readonly #files: TailFileSystem;
  readonly #buffer = new Uint8Array(CHUNK_BYTES);
  readonly #checkBuffer = new Uint8Array(64);
  readonly #fingerprint = new ContentFingerprint();
  #file: number | undefined;
  #state: FileState | undefined;
  #offset = 0;
  #wasOpened = false;
  #pollsSinceReplaced = 0;
  #quietPolls = 0;

  constructor(path: string, sink: TailSink, files: TailFileSystem = nodeFiles) {
    this.path = path;
    this.#sink = sink;
    this.#files = files;
  }

  /** Number of bytes of the present content that were read. */
  get offset(): number {
    return this.#offset;
  }

  /** The file's size at the last poll, but not less than `offset`; 0 without a file. */
  get size(): number {
    return Math.max(this.#state?.size ?? 0, this.#offset);
  }

  /**
   * Emits the next bytes, if there are any. Until the result is there only `peek` may be called. With `read` false no
   * bytes are emitted, but new content is detected.
   */
  poll(read = true): PollResult | Promise<PollResult> {
    if (this.#file === undefined) {
      const error = this.#open(this.#wasOpened ? 'replaced' : 'opened');
      if (error !== undefined) return this.#report(error);
    }
    try {
      return this.#follow(read);
    } catch (error) {
      const code = errnoOf(error);
      // A signal interrupted the call, or a network drive is not ready.
      if (code === 'EINTR' || code === 'EAGAIN') return 'atEnd';
      if (code === undefined) throw error;
      this.error = sourceErrorOf(this.path, error);
      return this.#replacement() === undefined ? 'unreadable' : this.#switchFile();
    }
  }

  /** A copy of up to `length` bytes at `offset` as they are on disk now. Works also before `poll` has a result. */
  peek(offset: number, length: number): Uint8Array {
    if (this.#file === undefined) return new Uint8Array(0);
    const bytes = new Uint8Array(length);
    try {
      return bytes.subarray(0, this.#files.read(this.#file, bytes, 0, length, offset));
    } catch {
      // The next poll gets the same error and reports it.
      return bytes.subarray(0, 0);
    }
  }

  /** The next poll emits the bytes from `offset` on again. `offset`: what the sink last returned, or 0. */
  reread(offset: number): void {
    this.#offset = offset;
    this.#fingerprint.rewind();
  }

  close(): void {
    if (this.#file !== undefined) this.#files.close(this.#file);
    this.#file = undefined;
  }

  #follow(read: boolean): PollResult | Promise<PollResult> {
    const file = this.#file;
    if (file === undefined) return 'gone';
    const length = read ? this.#files.read(file, this.#buffer, 0, CHUNK_BYTES, this.#offset) : 0;
    // Checked after the read, so that the bytes are dropped if they already belong to new content.
    this.#state = this.#files.fstat(file, this.path);
    const change = this.#changeOfContent(file, this.#state.size);
    if (change !== undefined) {
      this.#begin(change, this.#state);
      return 'more';
    }
    if (length > 0) {
      const chunk = this.#buffer.subarray(0, length);
      const final = this.#sink.bytes(chunk, this.#offset);
      return typeof final === 'number'
        ? this.#advance(chunk, final)
        : final.then((offset) => this.#advance(chunk, offset));
    }
    this.#quietPolls++;
    return this.#checkPath();
  }

  #advance(chunk: Uint8Array, final: number): PollResult {
    this.#fingerprint.advance(chunk, this.#offset, final);
    this.#offset += chunk.length;
    this.#quietPolls = 0;
    this.error = undefined;
    return 'more';
  }

  /** Whether and how the content of the open file differs from what was read. */
  #changeOfContent(file: number, size: number): 'truncated' | 'rewritten' | undefined {
    // On a network drive a size that is too small may be outdated. Then the last byte that was read is still there.
    if (size < this.#offset && this.#read(file, this.#offset - 1, 1).length === 0) return 'truncated';
    const isSame = this.#fingerprint.matches((offset, length) => this.#read(file, offset, length));
    return isSame ? undefined : size < this.#offset ? 'truncated' : 'rewritten';
  }

  /** `length` bytes at `offset`, or fewer if the file ends before; borrowed until the next call. */
  #read(file: number, offset: number, length: number): Uint8Array {
    let count = 0;
    while (count < length) {
      const more = this.#files.read(file, this.#checkBuffer, count, length - count, offset + count);
      if (more === 0) break;
      count += more;
    }
    return this.#checkBuffer.subarray(0, count);
  }

  /** At the end of the open file: checks whether the path still names it. */
  #checkPath(): PollResult {
    const found = this.#replacement();
    if (found === undefined) {
      this.error = undefined;
      this.#pollsSinceReplaced = 0;
      return 'atEnd';
    }
    this.error = found === 'no file' ? missingFile(this.path) : found.refusal;
    if (this.error !== undefined) return 'gone';
    if (this.#pollsSinceReplaced++ === 0) this.#quietPolls = 0;
    const isQuiet = this.#quietPolls >= QUIET_POLLS_BEFORE_SWITCH;
    return isQuiet || this.#pollsSinceReplaced > POLLS_BEFORE_SWITCH ? this.#switchFile() : 'atEnd';
  }

  /** What the path names instead of the open file. Undefined if it names the open file or cannot be looked up. */
  #replacement(): FileState | 'no file' | undefined {
    let named: FileState;
    try {
      named = this.#files.stat(this.path);
    } catch (error) {
      const code = errnoOf(error);
      return code === 'ENOENT' || code === 'ENOTDIR' ? 'no file' : undefined;
    }
    return named.dev === this.#state?.dev && named.ino === this.#state.ino ? undefined : named;
  }

  /** Follows the file that the path names now. Keeps the old one if the new one cannot be opened. */
  #switchFile(): PollResult {
    const old = this.#file;
    this.#file = undefined;
    const error = this.#open('replaced');
    if (error === undefined) {
      if (old !== undefined) this.#files.close(old);
      return 'more';
    }
    this.#file = old;
    this.error = error;
    return 'gone';
  }

  /** Opens the path and begins its content. Returns why that is not possible. */
  #open(reason: 'opened' | 'replaced'): SourceError | undefined {
    let file: number | undefined;
    try {
      // Checked before opening, because opening a device can have side effects.
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
    this.#state = state;
    this.#offset = 0;
    this.#fingerprint.clear();
    this.#quietPolls = 0;
    this.#pollsSinceReplaced = 0;
    this.#wasOpened = true;
    this.error = undefined;
    this.#sink.begin(reason, state);
  }

  #report(error: SourceError): PollResult {
    this.error = error;
    return error.kind === 'missing' && this.#wasOpened ? 'gone' : error.kind;
  }
}

/** The operating system's files. O_NONBLOCK, because opening a pipe would otherwise wait for a writer. */
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
