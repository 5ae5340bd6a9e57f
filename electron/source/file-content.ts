import { joined } from '../../shared/read/carry.ts';
import { crc32 } from 'node:zlib';
import type { FileState } from './tail-files.ts';

/** In an Honest Profiler log enough for a thread, a trace start with its nanoseconds, and the first frame. */
const HEAD_BYTES = 64;
const TAIL_BYTES = 32;

/**
 * Stores some of the bytes that were read, to detect whether a file still has the same content: the first 64 bytes, and
 * the last 32 bytes of the final part. Size, time and inode number are not enough: a log that was truncated and has
 * grown beyond its old size again differs only in its bytes.
 */
export class ContentFingerprint {
  readonly #head = new Uint8Array(HEAD_BYTES);
  #headLength = 0;
  #tail = new Uint8Array(0);
  /** Offset of the end of the tail. */
  #end = 0;
  /** The last bytes that were read, whether final or not. */
  #recent = new Uint8Array(0);

  clear(): void {
    this.#headLength = 0;
    this.#tail = new Uint8Array(0);
    this.#end = 0;
    this.#recent = new Uint8Array(0);
  }

  /** `chunk` was read at `offset`, the end of the chunk before. The content before offset `final` will not change. */
  advance(chunk: Uint8Array, offset: number, final: number): void {
    const start = offset - this.#recent.length;
    const part = (from: number, to: number): Uint8Array<ArrayBuffer> => {
      if (from >= offset) return chunk.slice(from - offset, to - offset);
      const before = this.#recent.subarray(from - start, Math.min(to, offset) - start);
      return joined(before, chunk.subarray(0, Math.max(0, to - offset)));
    };
    const headEnd = Math.min(HEAD_BYTES, final);
    if (this.#headLength < headEnd && this.#headLength >= start) {
      this.#head.set(part(this.#headLength, headEnd), this.#headLength);
      this.#headLength = headEnd;
    }
    if (final > this.#end) {
      const from = Math.max(start, final - TAIL_BYTES);
      this.#tail = part(from, Math.max(from, final));
      this.#end = final;
    }
    const end = offset + chunk.length;
    this.#recent = part(Math.max(start, end - HEAD_BYTES - TAIL_BYTES), end);
  }

  /**
   * `chunk` has replaced zeros from the offset `from` on, up to which the content was final; the zeros after it, up to
   * the offset `end`, are unchanged.
   */
  overwrite(chunk: Uint8Array, from: number, end: number, final: number): void {
    this.rewind();
    this.advance(chunk, from, final);
    const zeros = Math.min(end - from - chunk.length, HEAD_BYTES + TAIL_BYTES);
    this.advance(new Uint8Array(zeros), end - zeros, final);
  }

  /** Call it before the bytes after the final part are read again. */
  rewind(): void {
    this.#recent = this.#tail;
  }

  /** Compares with the present content. `read` returns up to `length` bytes at an offset, borrowed until its next call. */
  matches(read: (offset: number, length: number) => Uint8Array): boolean {
    return (
      isEqual(this.#head.subarray(0, this.#headLength), read(0, this.#headLength)) &&
      isEqual(this.#tail, read(this.#end - this.#tail.length, this.#tail.length))
    );
  }
}

function isEqual(expected: Uint8Array, found: Uint8Array): boolean {
  return expected.length === found.length && expected.every((byte, index) => found[index] === byte);
}

/** Each step compares 8 pieces, a mebibyte. At the end of a file there are at most twenty steps a second. */
const PIECE_BYTES = 1 << 17;
const PIECES = 8;
/** After growth, the content is compared once when it was unchanged for this many polls: longer than two seconds. */
const POLLS_AFTER_GROWTH = 50;
/** Polls between two comparisons where time stamps have whole seconds: ten minutes. */
const POLLS_WHERE_COARSE = 4000;
const SECOND_NS = 1_000_000_000n;
const ZEROS = new Uint8Array(4096);

/** Reads bytes at an offset into the beginning of `into`. Returns how many; 0 at the end of the file. */
type ReadAt = (into: Uint8Array, offset: number) => number;

/**
 * Detects that content was replaced by other content of the same length and with the same first and last bytes. It
 * compares a checksum of all bytes that were read with one of the bytes in the file, in steps, one per poll at the end
 * of the file:
 *
 * - when a time stamp of the file has changed and its size has not,
 * - once after the file has grown, because a later change may have the time stamp of the growth,
 * - now and then where time stamps have whole seconds.
 */
export class ContentCheck {
  /** Checksum of the bytes before #end. */
  #sum = 0;
  #end = 0;
  /** The time stamps of the content that was read. Undefined if it has grown since. */
  #stamps: Pick<FileState, 'modifiedNs' | 'changedNs'> | undefined;
  #quietPolls = 0;
  #pollsUntilCheck = Infinity;
  #hasReachedEnd = false;
  #buffer: Uint8Array | undefined;
  #running: { at: number; sum: number; readonly until: number; readonly expected: number } | undefined;

  /** New content begins. `isGrowing`: it has just been written. */
  begin(isGrowing: boolean): void {
    this.#sum = 0;
    this.#end = 0;
    this.#stamps = undefined;
    this.#hasReachedEnd = isGrowing;
    this.#running = undefined;
  }

  /** Bytes that continue the content before. */
  add(bytes: Uint8Array): void {
    this.#sum = crc32(bytes, this.#sum);
    this.#end += bytes.length;
    this.#stamps = undefined;
  }

  addZeros(count: number): void {
    for (let left = count; left > 0; left -= ZEROS.length) this.add(ZEROS.subarray(0, left));
  }

  /** At the end of the file, which has this state: the next step. False if the content differs from what was added. */
  step(state: FileState, read: ReadAt): boolean {
    this.#plan(state);
    const check = this.#running;
    if (check === undefined) return true;
    const buffer = (this.#buffer ??= new Uint8Array(PIECE_BYTES));
    for (let piece = 0; piece < PIECES && check.at < check.until; piece++) {
      const length = read(buffer.subarray(0, check.until - check.at), check.at);
      if (length === 0) return false;
      check.sum = crc32(buffer.subarray(0, length), check.sum);
      check.at += length;
    }
    if (check.at < check.until) return true;
    this.#running = undefined;
    return check.sum === check.expected;
  }

  /** Starts a comparison if there is a reason for one. */
  #plan(state: FileState): void {
    const { modifiedNs, changedNs } = state;
    const before = this.#stamps;
    const isSame = before?.modifiedNs === modifiedNs && before.changedNs === changedNs;
    this.#quietPolls = isSame ? this.#quietPolls + 1 : 0;
    if (isSame && this.#quietPolls < this.#pollsUntilCheck) return;
    this.#stamps = { modifiedNs, changedNs };
    const isCoarse = modifiedNs % SECOND_NS === 0n && changedNs % SECOND_NS === 0n;
    if (before === undefined) {
      this.#pollsUntilCheck = this.#hasReachedEnd
        ? POLLS_AFTER_GROWTH
        : isCoarse
          ? POLLS_WHERE_COARSE
          : Infinity;
      this.#hasReachedEnd = true;
      return;
    }
    this.#quietPolls = 0;
    this.#pollsUntilCheck = isCoarse ? POLLS_WHERE_COARSE : Infinity;
    this.#running = { at: 0, sum: 0, until: this.#end, expected: this.#sum };
  }
}
