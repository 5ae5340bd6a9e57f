import { readSync } from 'node:fs';

/** A chunk file that a follower holds open. */
export interface RecordedChunk {
  readonly file: number;
  /** The latest header, 68 bytes. */
  readonly header: Uint8Array;
  /** Bytes of the file that are valid. */
  readonly size: number;
}

/** What is missing of a recording. */
export interface LostParts {
  /** Chunks of a recording that were found, and removed before they were read. */
  readonly chunks: number;
  /** Times between chunks that were read, in ns: a chunk of that time was never seen. */
  readonly gapsNs: readonly number[];
}

const STATE_OFFSET = 64;
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
