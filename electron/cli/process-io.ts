import { writeSync } from 'node:fs';
import { SourceError, errnoOf } from '../source/source-error.ts';
import type { CommandIo } from './command-io.ts';

export const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;

/** The streams of this process. */
export function processIo(): CommandIo {
  return {
    stdin: () => {
      if (process.stdin.isTTY)
        throw new SourceError('standard input', 'is the terminal', 'pipe a log into it');
      return process.stdin;
    },
    stdout: (piece) => writeAll(STDOUT, piece),
    stderr: (text) => {
      try {
        writeAll(STDERR, text);
      } catch {
        // Standard error is closed: the message cannot be shown.
      }
    },
    showsProgress: process.stderr.isTTY,
  };
}

/**
 * Writes directly to the file descriptor. process.stdout would keep in memory what a slow reader has not read yet:
 * nearly all of a large export.
 */
export function writeAll(descriptor: number, piece: string | Uint8Array): void {
  const bytes = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece;
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') throw error;
      // A non-blocking pipe is full: wait 5 ms for its reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
