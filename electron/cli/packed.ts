import { gzipSync } from 'node:zlib';
import type { OutputSink } from '../../shared/export/byte-sink.ts';

/** Calls `write` with a sink whose pieces reach `sink` as one gzip member, when all of them are there. */
export function packed<Result>(sink: OutputSink, write: (sink: OutputSink) => Result): Result {
  const pieces: Uint8Array[] = [];
  const result = write((piece) => {
    pieces.push(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
  });
  sink(gzipSync(Buffer.concat(pieces)), 1);
  return result;
}
