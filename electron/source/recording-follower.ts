import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import {
  ChunkSearch,
  type FollowedRecording,
  type FlushedHeader,
  type LostParts,
  readFlushedHeader,
  type RecordedChunk,
  RECORDING_HEADER_BYTES,
  writeChunks,
} from './recording-chunks.ts';
import type { Next, Nothing } from '../../shared/input/read-source.ts';
import { openIfThere, systemPath } from './open-file.ts';
import { errnoOf, missingFile, type SourceError, sourceErrorOf } from './source-error.ts';
import { nodeFiles } from './tail-files.ts';

/** A piece stays in the second-level cache until it is decoded: see PIECE_BYTES in `read-bytes.ts`. */
const PIECE_BYTES = 1 << 17;
/**
 * After so many polls without growth, a chunk that is not finished is left if there is a later one, and a recording whose
 * files were removed has ended.
 */
const QUIET_POLLS = 60;

/**
 * The part of a recording that is kept open besides the chunk that is read, so that it can be read again with another
 * sample type when its files have vanished. Deleted files take space on the disk as long as they are open.
 */
interface KeptChunks {
  readonly bytes: number;
  readonly files: number;
}

const KEPT: KeptChunks = { bytes: 512 << 20, files: 64 };

/** A JVM begins a chunk at the time at which it ends the one before. */
const LEAST_GAP_NS = 1_000_000n;

/** A chunk file that was found. */
interface ChunkFile {
  readonly path: string;
  /** Undefined: it is opened when it is read. */
  file: number | undefined;
  /** The header emitted last; undefined if none was. */
  header: FlushedHeader | undefined;
  /** The one before has vanished. */
  isAfterVanished: boolean;
}

/**
 * Follows a flight recording by polling the repository of a JVM, which writes one chunk file after the other (specs:
 * live-jvm, section 3). Each flush becomes a part of the content: the header as it was at the flush, then the bytes since
 * the flush before. `JfrDecoder` reads that. Files may vanish at any time; an open one is read to its end.
 */
export class RecordingFollower {
  readonly path: string;
  readonly grows = true;
  error: SourceError | undefined;
  modifiedNs: bigint | undefined;
  ending: string | undefined;
  readonly emptyText = 'Waiting for the first flush of the recording.';

  /** ns since 1970: chunks that begin later belong to other recordings of the JVM. */
  until: bigint | undefined;

  /** Why no more of the recording follows; undefined: more may. */
  #ended: string | undefined;

  readonly #search: ChunkSearch;
  readonly #kept: KeptChunks;
  readonly #buffer = new Uint8Array(PIECE_BYTES);
  /** All chunks, in order; those before #at are read. */
  readonly #chunks: ChunkFile[] = [];
  #at = 0;
  /** Chunks whose files were removed before they were read, or read again. */
  #vanished = 0;
  /** The chunk that vanished last was the last one. */
  #hasLastVanished = false;
  readonly #gapsNs: number[] = [];
  /** All chunks in the folder are of one recording, so that each begins when the one before ends. */
  readonly #isOneRecording: boolean;
  /** The part that is being emitted: from #next to the size in its header. */
  #part: FlushedHeader | undefined;
  /** Offset in the current chunk file of the next byte to emit. */
  #next = 0;
  #offset = 0;
  /** Bytes of this content that are not emitted. */
  #skipped = 0;
  #size = 0;
  #quietPolls = 0;

  constructor(what: FollowedRecording, kept = KEPT) {
    this.#search = new ChunkSearch(what);
    this.#kept = kept;
    this.#isOneRecording = 'folder' in what && what.leftOut !== undefined;
    this.path = 'file' in what ? what.file : what.folder;
  }

  get offset(): number {
    return this.#offset;
  }

  get size(): number {
    return Math.max(this.#size, this.#offset);
  }

  /** The last chunk is finished and read. */
  get isFinished(): boolean {
    const last = this.#chunks.at(-1);
    return this.#part === undefined && last?.header?.isFinished === true;
  }

  get lost(): LostParts {
    return { chunks: this.#vanished, gapsNs: this.#gapsNs };
  }

  /** The files of chunks that are open, in order. */
  get openFiles(): readonly number[] {
    return this.#chunks.flatMap(({ file }) => (file === undefined ? [] : [file]));
  }

  /** The chunks read so far and still open. */
  get chunks(): readonly { readonly file: number; readonly header: Uint8Array; readonly size: number }[] {
    return this.#chunks.flatMap(({ file, header }) =>
      file === undefined || header === undefined ? [] : [{ file, header: header.bytes, size: header.size }],
    );
  }

  /**
   * `wanted` false: nothing is given any more until `reread`. The recording is followed nevertheless, so that later chunks
   * are kept and saved, and its end is noticed.
   */
  next(wanted = true): Next {
    try {
      if (!wanted) {
        while (this.#part !== undefined || this.#findPart()) this.#skipPart();
        return this.#atEnd();
      }
      if (this.#part === undefined && !this.#findPart()) return this.#atEnd();
      return this.#emit();
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      this.error = sourceErrorOf(this.path, error);
      return 'unreadable';
    }
  }

  /** The next polls emit the recording from the first chunk on whose file is still there. */
  reread(): void {
    this.#at = 0;
    this.#part = undefined;
    this.#next = 0;
    this.#offset = 0;
    this.#skipped = 0;
    this.#size = 0;
    this.#gapsNs.length = 0;
    for (const chunk of this.#chunks) chunk.header = undefined;
  }

  /**
   * Writes what there is of the recording to a new file. Returns how many chunks are missing, because they were removed
   * from the disk long ago. Throws errors of the system.
   */
  save(path: string): number {
    const chunks: RecordedChunk[] = [];
    const opened: number[] = [];
    let missing = this.#vanished + this.#gapsNs.length;
    const target = openSync(path, 'wx', 0o600);
    try {
      for (const chunk of this.#chunks) {
        const file = chunk.file ?? openIfThere(chunk.path);
        if (file !== undefined && chunk.file === undefined) opened.push(file);
        const header = chunk.header ?? (file === undefined ? undefined : readFlushedHeader(file));
        if (file === undefined) missing++;
        else if (header !== undefined) chunks.push({ file, header: header.bytes, size: header.size });
      }
      writeChunks(chunks, (bytes) => {
        for (let at = 0; at < bytes.length;) at += writeSync(target, bytes, at);
      });
      return missing;
    } finally {
      for (const file of [target, ...opened]) closeSync(file);
    }
  }

  /** The recording has ended then, with this sentence as the reason: what there is of it is read, and no later chunk. */
  end(reason: string, atNs: bigint): void {
    this.#ended = reason;
    this.until = atNs;
  }

  close(): void {
    for (const { file } of this.#chunks) if (file !== undefined) closeSync(file);
    this.#search.close();
    this.#chunks.length = 0;
    this.#at = 0;
  }

  /** Finds the next flush. False if there is none yet. */
  #findPart(): boolean {
    for (;;) {
      const chunk = this.#chunks.at(this.#at);
      if (chunk === undefined || this.#at >= this.#chunks.length) {
        if (!this.#lookForChunks()) return false;
        continue;
      }
      const file = (chunk.file ??= this.#search.open(chunk.path));
      if (file === undefined) {
        this.#noteVanished();
        continue;
      }
      const header = readFlushedHeader(file);
      const isNew = header !== undefined && !isSame(header, chunk.header);
      if (isNew) {
        if (chunk.header === undefined) {
          this.#next = RECORDING_HEADER_BYTES;
          this.#noteGap(chunk, header);
        }
        this.#part = header;
        const unread = RECORDING_HEADER_BYTES + Math.max(0, header.size - this.#next);
        this.#size = this.#offset + this.#skipped + unread;
        return true;
      }
      if (chunk.header?.isFinished !== true && this.#quietPolls < QUIET_POLLS) return false;
      if (this.#at + 1 === this.#chunks.length && !this.#lookForChunks()) return false;
      this.#at++;
      this.#closeRead();
    }
  }

  #noteVanished(): void {
    this.#chunks.splice(this.#at, 1);
    this.#vanished++;
    const next = this.#chunks.at(this.#at);
    if (next === undefined) this.#hasLastVanished = true;
    else next.isAfterVanished = true;
  }

  /** Between the chunk before and this one, another may have been begun, finished and removed between two searches. */
  #noteGap(chunk: ChunkFile, { startNs }: FlushedHeader): void {
    const before = this.#at === 0 ? undefined : this.#chunks[this.#at - 1].header;
    if (!this.#isOneRecording || before?.isFinished !== true || chunk.isAfterVanished) return;
    const gapNs = startNs - before.endNs;
    if (gapNs >= LEAST_GAP_NS) this.#gapsNs.push(Number(gapNs));
  }

  /** The header of a part, or its next bytes. */
  #emit(): Next {
    const chunk = this.#chunks[this.#at];
    const part = this.#part;
    const file = chunk.file;
    if (part === undefined || file === undefined) return 'atEnd';
    this.#quietPolls = 0;
    this.error = undefined;
    this.modifiedNs ??= nodeFiles.fstat(file, chunk.path).modifiedNs;
    let bytes = part.bytes;
    if (chunk.header === part) {
      const wanted = Math.min(PIECE_BYTES, part.size - this.#next);
      const count = readSync(file, this.#buffer, 0, wanted, this.#next);
      // A copy that is shorter than its header says.
      if (count === 0) return 'atEnd';
      bytes = this.#buffer.subarray(0, count);
      this.#next += count;
    } else chunk.header = part;
    if (this.#next >= part.size) this.#part = undefined;
    const offset = this.#offset;
    this.#offset += bytes.length;
    return { bytes, offset };
  }

  /** Passes over the part, or the rest of it. */
  #skipPart(): void {
    const chunk = this.#chunks[this.#at];
    if (this.#part === undefined) return;
    this.#quietPolls = 0;
    this.#skipped = this.#size - this.#offset;
    chunk.header = this.#part;
    this.#next = Math.max(this.#next, this.#part.size);
    this.#part = undefined;
  }

  /** Finds chunks that have been flushed since the last search. Returns whether there are any. */
  #lookForChunks(): boolean {
    const found = this.#search.search(this.until);
    for (const { path, file } of found) {
      const chunk = { path, file, header: undefined, isAfterVanished: this.#hasLastVanished };
      this.#hasLastVanished = false;
      this.#chunks.push(chunk);
      if (this.#openChunks > this.#kept.files) this.#close(chunk);
    }
    return found.length > 0;
  }

  #close(chunk: ChunkFile): void {
    if (chunk.file !== undefined) closeSync(chunk.file);
    chunk.file = undefined;
  }

  get #openChunks(): number {
    return this.#chunks.reduce((count, { file }) => (file === undefined ? count : count + 1), 0);
  }

  /** Closes chunks that were read, the oldest first, as long as too much is open. */
  #closeRead(): void {
    const isNextOpen = this.#chunks.at(this.#at)?.file !== undefined;
    let open = this.#openChunks - (isNextOpen ? 1 : 0);
    let bytes = 0;
    for (const { file, header } of this.#chunks) if (file !== undefined) bytes += header?.size ?? 0;
    for (const chunk of this.#chunks.slice(0, this.#at)) {
      if (bytes <= this.#kept.bytes && open <= this.#kept.files) return;
      if (chunk.file === undefined) continue;
      this.#close(chunk);
      open--;
      bytes -= chunk.header?.size ?? 0;
    }
  }

  #atEnd(): Nothing {
    this.#quietPolls++;
    // The next chunk is read once this one has been quiet for long enough.
    if (this.#at + 1 < this.#chunks.length) return 'atEnd';
    this.ending = this.#ended;
    if (this.#ended !== undefined) return 'ended';
    const current = this.#chunks.at(-1);
    if (current === undefined && exists(this.path)) return 'atEnd';
    const isRemoved = current?.file === undefined || fstatSync(current.file).nlink === 0;
    if (!isRemoved || (exists(this.#search.folder) && this.#quietPolls < QUIET_POLLS)) return 'atEnd';
    this.error = missingFile(this.path);
    if (current === undefined) return 'missing';
    this.ending = 'The recording has ended, and its files were removed. What was read stays.';
    return 'ended';
  }
}

function isSame(header: FlushedHeader, other: FlushedHeader | undefined): boolean {
  return other !== undefined && Buffer.compare(header.bytes, other.bytes) === 0;
}

function exists(path: string): boolean {
  return statSync(systemPath(path), { throwIfNoEntry: false }) !== undefined;
}
