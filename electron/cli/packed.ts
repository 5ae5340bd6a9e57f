import { gzipSync } from 'node:zlib';
import type { OutputSink } from '../../shared/export/byte-sink.ts';

/** Collects the pieces of `write`, then passes them to `sink` as one gzip member. */
export function packed<Result>(sink: OutputSink, write: (sink: OutputSink) => Result): Result {
  const pieces: Uint8Array[] = [];
  const result = write((piece) => {
    pieces.push(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
  });
  sink(gzipSync(Buffer.concat(pieces)), 1);
  return result;
}
