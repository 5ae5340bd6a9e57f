import { assert } from '../../shared/assert.ts';
import type { ContentBegins, Next, Nothing } from '../../shared/input/read-source.ts';
import { closeSync, openSync, writeSync } from 'node:fs';
import { ContentCheck, ContentFingerprint } from './file-content.ts';
import { errnoOf, type SourceError, sourceErrorOf } from './source-error.ts';
import {
  type FileState,
  nodeFiles,
  openRegularFile,
  RotatedFiles,
  type TailFileSystem,
} from './tail-files.ts';

/**
 * The state machine of the tailer: the condition that a poll finds -> what happens. The first condition that holds counts.
 * `docs/reliability.md` has this table.
 */
export const TAIL_RULES = {
  'no file, and there was none': { action: 'wait', result: 'missing' },
  'no file': { action: 'wait', result: 'gone' },
  'something that is no regular file': { action: 'wait', result: 'refused' },
  'a file that cannot be opened': { action: 'wait', result: 'unreadable' },
  'an interrupted call': { action: 'wait', result: 'atEnd' },
  'an error, more than 20 times after another file took the path': { action: 'switch', result: 'more' },
  'an error, and no file at the path': { action: 'wait', result: 'gone' },
  'an error': { action: 'wait', result: 'unreadable' },
  'fewer bytes than were read': { action: 'truncated', result: 'more' },
  'other first or last bytes': { action: 'rewritten', result: 'more' },
  'zeros that were overwritten': { action: 'emit again', result: 'more' },
  'further bytes': { action: 'emit', result: 'more' },
  'another checksum': { action: 'rewritten', result: 'more' },
  'another file at the path, and the open one is quiet': { action: 'switch', result: 'more' },
  'the end of a recording': { action: 'wait', result: 'ended' },
  'no file at the path of the open one': { action: 'wait', result: 'gone' },
  'another file at the path': { action: 'wait', result: 'atEnd' },
  'nothing new': { action: 'wait', result: 'atEnd' },
} as const satisfies Readonly<
  Record<string, { readonly action: TailAction; readonly result: Nothing | 'more' }>
>;

type Seen = keyof typeof TAIL_RULES;

/**
 *   wait         nothing; the next poll looks again
 *   emit         the bytes are next
 *   emit again   the bytes that are now where zeros were are next
 *   truncated    the content begins anew, for this reason
 *   rewritten    the content begins anew, for this reason
 *   switch       the open file is closed, and the content of the next one at the path begins
 */
type TailAction = 'wait' | 'emit' | 'emit again' | 'truncated' | 'rewritten' | 'switch';

/** A chunk stays in the second-level cache until it is decoded: see PIECE_BYTES in `read-bytes.ts`. */
const CHUNK_BYTES = 1 << 17;

const SAVED_BYTES = 1 << 20;

/** The number of zeros, of those that are not final, that are compared before each read. A valid record has fewer in a row. */
const ZEROS_CHECKED = 4096;

/**
 * When another file has replaced the open one at its path, the tailer switches to it after this many polls without
 * growth: after a rotation the writer may still write its last records to the old file.
 */
const QUIET_POLLS_BEFORE_SWITCH = 2;
/** After this many polls the tailer switches even if the old file still grows, or cannot be read. */
const POLLS_BEFORE_SWITCH = 20;

/**
 * Follows one path by polling: each `next` reads at most 128 KiB. It keeps the file open, so that a new file cannot get
 * the inode number of the old one. It detects new content of the same file by comparing its first and last bytes, and
 * sometimes all: see ContentCheck. A poll that finds nothing new costs five system calls, about 10 µs.
 *
 * A writer that preallocates the file overwrites zeros that were read before. They are compared after every read: while
 * the first of them are zeros, nothing after them has been written, because writers write in order.
 *
 * A file that appears and is replaced between two polls is not read. That it may have been there is noticed by the time
 * stamps of the files before and after it.
 */
export class LogTailer {
  readonly path: string;
  ending: string | undefined;
  /** Why the last poll returned missing, gone, unreadable or refused. */
  error: SourceError | undefined;

  readonly #files: TailFileSystem;
  readonly #buffer = new Uint8Array(CHUNK_BYTES);
  readonly #checkBuffer = new Uint8Array(ZEROS_CHECKED);
  /** The bytes of #buffer, read a second time. */
  #secondBuffer: Uint8Array | undefined;
  readonly #fingerprint = new ContentFingerprint();
  readonly #check = new ContentCheck();
  readonly #rotated: RotatedFiles;
  #file: number | undefined;
  #state: FileState | undefined;
  #offset = 0;
  /** Bytes that the present poll has read into the buffer. */
  #length = 0;
  /** Up to here the content is final; zeros from here to #offset may be overwritten. */
  #final = 0;
  /** The bytes in the buffer have replaced zeros. */
  #isAgain = false;
  /** Set when the content has to be read again as a whole, until the next look tells so. */
  #begun: ContentBegins | undefined;
  #wasOpened = false;
  #pollsSinceReplaced = 0;
  #quietPolls = 0;
  /** Consecutive polls that ended with an error while another file had taken the place of this one. */
  #failedPolls = 0;

  constructor(path: string, files: TailFileSystem = nodeFiles) {
    this.path = path;
    this.#files = files;
    this.#rotated = new RotatedFiles(path, files);
  }

  /** Number of bytes of the present content that were read. */
  get offset(): number {
    return this.#offset;
  }

  /** The file's size at the last poll, but not less than `offset`; 0 without a file. */
  get size(): number {
    return Math.max(this.#state?.size ?? 0, this.#offset);
  }

  get modifiedNs(): bigint | undefined {
    return this.#state?.modifiedNs;
  }

  /**
   * Looks for the next bytes. Until they are taken only `peek` may be called. With `wanted` false no bytes are read, but
   * new content is detected.
   */
  next(wanted = true): Next {
    const opened = this.#file === undefined ? this.#open() : undefined;
    if (opened !== undefined) return opened;
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun !== undefined) return begun;
    try {
      const next = this.#act(this.#see(wanted));
      this.#failedPolls = 0;
      return next;
    } catch (error) {
      return this.#act(this.#seeError(error));
    }
  }

  took(final: number | undefined): void {
    const chunk = this.#buffer.subarray(0, this.#length);
    if (final === undefined) this.#begun = this.#begin('rewritten', this.#state);
    else if (this.#isAgain) this.#noteOverwritten(chunk, final);
    else this.#advance(chunk, final);
  }

  /** A copy of up to `length` bytes at `offset` as they are on disk now. Works also before the last bytes are taken. */
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

  /** The bytes from `offset` on are next again. `offset`: 0, or up to where the content was last final. */
  reread(offset: number): void {
    this.#offset = offset;
    this.#final = Math.min(this.#final, offset);
    this.#check.begin(false);
    this.#fingerprint.rewind();
  }

  /** Nothing is added to the file any more, with this sentence as the reason; it may be removed. */
  end(reason: string): void {
    this.ending = reason;
  }

  save(path: string): number {
    const file = openSync(path, 'wx', 0o600);
    try {
      for (let at = 0; at < this.#offset;) {
        const bytes = this.peek(at, Math.min(SAVED_BYTES, this.#offset - at));
        if (bytes.length === 0) return 1;
        at += writeSync(file, bytes);
      }
      return 0;
    } finally {
      closeSync(file);
    }
  }

  close(): void {
    this.#rotated.clear();
    if (this.#file !== undefined) this.#files.close(this.#file);
    this.#file = undefined;
  }

  /** Looks at the open file, then at the path. Throws errors of the system. */
  #see(wanted: boolean): Seen {
    const file = this.#file;
    assert(file !== undefined, 'a file is open');
    this.#length = wanted ? this.#readChunk(file, this.#offset, CHUNK_BYTES) : 0;
    // Checked after the read, so that the bytes are dropped if they already belong to new content.
    const state = (this.#state = this.#files.fstat(file, this.path));
    const change = this.#changeOfContent(file, state.size);
    if (change !== undefined) return change;
    if (wanted && this.#areZerosOverwritten(file)) return 'zeros that were overwritten';
    if (this.#length > 0) return 'further bytes';
    this.#quietPolls++;
    const readAt = (into: Uint8Array, at: number): number => this.#files.read(file, into, 0, into.length, at);
    if (state.size <= this.#offset && !this.#check.step(state, readAt)) return 'another checksum';
    return this.#seePath(file, state, wanted);
  }

  /** At the end of the open file: checks whether the path still names it. */
  #seePath(file: number, state: FileState, wanted: boolean): Seen {
    this.error = this.#rotated.update({ file, state });
    const { count } = this.#rotated;
    if (count === 0) this.#pollsSinceReplaced = 0;
    else {
      if (this.#pollsSinceReplaced++ === 0) this.#quietPolls = 0;
      const isQuiet = count > 1 || this.#quietPolls >= QUIET_POLLS_BEFORE_SWITCH;
      if (isQuiet || this.#pollsSinceReplaced > POLLS_BEFORE_SWITCH)
        return 'another file at the path, and the open one is quiet';
    }
    if (wanted && this.ending !== undefined) return 'the end of a recording';
    if (this.error !== undefined) return 'no file at the path of the open one';
    return count === 0 ? 'nothing new' : 'another file at the path';
  }

  /** Throws errors that are not the system's. */
  #seeError(error: unknown): Seen {
    const code = errnoOf(error);
    // A signal interrupted the call, or a network drive is not ready.
    if (code === 'EINTR' || code === 'EAGAIN') return 'an interrupted call';
    if (code === undefined) throw error;
    const [file, state] = [this.#file, this.#state];
    const isOpen = file !== undefined && state !== undefined;
    const missing = isOpen ? this.#rotated.update({ file, state }) : undefined;
    // An error that passes is no reason to give up the rest of a file that was replaced.
    if (this.#rotated.count > 0 && ++this.#failedPolls > POLLS_BEFORE_SWITCH)
      return 'an error, more than 20 times after another file took the path';
    this.error = missing ?? sourceErrorOf(this.path, error);
    return missing === undefined ? 'an error' : 'an error, and no file at the path';
  }

  #act(seen: Seen): Next {
    const { action, result } = TAIL_RULES[seen];
    this.#isAgain = action === 'emit again';
    switch (action) {
      case 'wait':
        return result;
      case 'emit':
        return { bytes: this.#buffer.subarray(0, this.#length), offset: this.#offset };
      case 'emit again':
        return this.#overwritten();
      case 'truncated':
      case 'rewritten':
        return this.#begin(action, this.#state);
      case 'switch':
        return this.#switchFile();
    }
  }

  #advance(chunk: Uint8Array, final: number): void {
    this.#fingerprint.advance(chunk, this.#offset, final);
    // The content between was zeros that nobody has overwritten.
    this.#check.addZeros(Math.min(final, this.#offset) - this.#final);
    this.#check.add(chunk.subarray(0, Math.max(0, final - this.#offset)));
    this.#offset += chunk.length;
    this.#final = final;
    this.#quietPolls = 0;
    this.error = undefined;
  }

  /**
   * Reads up to `most` bytes at `offset` into the buffer and returns how many. A read is not atomic: while it copies one
   * page after the other, a writer may overwrite zeros in a page that was copied and continue in the next one. So bytes
   * near the end are read twice. What is equal in both was in the file at one moment.
   */
  #readChunk(file: number, offset: number, most: number): number {
    const length = this.#files.read(file, this.#buffer, 0, most, offset);
    const isFarFromEnd = length === CHUNK_BYTES && this.#buffer[length - 1] !== 0;
    if (length === 0 || (isFarFromEnd && this.#final === offset)) return length;
    this.#secondBuffer ??= new Uint8Array(CHUNK_BYTES);
    const again = this.#files.read(file, this.#secondBuffer, 0, length, offset);
    return equalLength(this.#buffer.subarray(0, length), this.#secondBuffer.subarray(0, again));
  }

  #areZerosOverwritten(file: number): boolean {
    const zeros = Math.min(ZEROS_CHECKED, this.#offset - this.#final);
    return zeros > 0 && this.#read(file, this.#final, zeros).some((byte) => byte !== 0);
  }

  #overwritten(): Next {
    const offset = this.#final;
    const file = this.#file;
    assert(file !== undefined, 'a file is open');
    this.#length = this.#readChunk(file, offset, Math.min(CHUNK_BYTES, this.#offset - offset));
    return { bytes: this.#buffer.subarray(0, this.#length), offset, replacesZeros: true };
  }

  #noteOverwritten(chunk: Uint8Array, final: number): void {
    const from = this.#final;
    this.#fingerprint.overwrite(chunk, from, this.#offset, final);
    this.#check.add(chunk.subarray(0, final - from));
    this.#final = final;
    this.#quietPolls = 0;
  }

  /** Whether and how the content of the open file differs from what was read. */
  #changeOfContent(file: number, size: number): Seen | undefined {
    const isShorter = size < this.#offset;
    // On a network drive a size that is too small may be outdated. Then the last byte that was read is still there.
    if (isShorter && this.#read(file, this.#offset - 1, 1).length === 0) return 'fewer bytes than were read';
    const isSame = this.#fingerprint.matches((offset, length) => this.#read(file, offset, length));
    if (isSame) return undefined;
    return isShorter ? 'fewer bytes than were read' : 'other first or last bytes';
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

  /** Follows the next file that has taken the place of the open one. */
  #switchFile(): ContentBegins {
    const next = this.#rotated.take();
    assert(next !== undefined, 'another file took the path');
    if (this.#file !== undefined) this.#files.close(this.#file);
    this.#file = next.file;
    return this.#begin('replaced', next.state);
  }

  /** Opens the path and begins its content. Undefined: it is the first. */
  #open(): ContentBegins | Nothing | undefined {
    const opened = openRegularFile(this.path, this.#files);
    if ('file' in opened) {
      this.#file = opened.file;
      if (this.#wasOpened) return this.#begin('replaced', opened.state);
      this.#reset(opened.state);
      this.#check.begin(false);
      return undefined;
    }
    this.error = opened;
    switch (opened.kind) {
      case 'missing':
        return TAIL_RULES[this.#wasOpened ? 'no file' : 'no file, and there was none'].result;
      case 'refused':
        return TAIL_RULES['something that is no regular file'].result;
      case 'unreadable':
        return TAIL_RULES['a file that cannot be opened'].result;
    }
  }

  #begin(begins: ContentBegins['begins'], state: FileState | undefined): ContentBegins {
    assert(state !== undefined, 'an open file has a state');
    this.#reset(state);
    this.#check.begin(true);
    return { begins };
  }

  #reset(state: FileState): void {
    this.#state = state;
    this.#offset = 0;
    this.#final = 0;
    this.#fingerprint.clear();
    this.#quietPolls = 0;
    this.#pollsSinceReplaced = 0;
    this.#wasOpened = true;
    this.error = undefined;
  }
}

/** The number of bytes from the beginning that are equal in both. */
function equalLength(a: Uint8Array, b: Uint8Array): number {
  if (Buffer.compare(a, b) === 0) return a.length;
  let length = 0;
  while (length < b.length && a[length] === b[length]) length++;
  return length;
}
