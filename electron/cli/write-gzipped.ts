import { gzipSync } from 'node:zlib';
import type { OutputSink } from '../../shared/export/byte-sink.ts';

/** Collects everything that `write` writes, compresses it, and passes it to `sink` as one gzip member. */
export function writeGzipped<Result>(sink: OutputSink, write: (sink: OutputSink) => Result): Result {
  const pieces: Uint8Array[] = [];
  const result = write((piece) => {
    pieces.push(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
  });
  sink(gzipSync(Buffer.concat(pieces)), 1);
  return result;
}
