import { readdirSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { systemPath } from './system-path.ts';

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
export function isNoRecording(file: number): boolean {
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
