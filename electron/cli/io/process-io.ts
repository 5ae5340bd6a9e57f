/** The process that a command runs in: its arguments, its streams and its files. */
import { readFileSync, statSync, writeSync } from 'node:fs';
import { SourceError, errnoOf } from '../../source/source-error.ts';
import { pathOfBytes, systemPath } from '../../source/open-file.ts';
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
    hasColour: wantsColour(process.stdout.isTTY, process.env),
  };
}

/** Whether output is coloured: only on a terminal that can, and not where NO_COLOR is set (https://no-color.org). */
export function wantsColour(isTerminal: boolean, { NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  return isTerminal && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb';
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

const REPLACEMENT_CHARACTER = '\ufffd';

/**
 * The arguments of this process from `first` on. Node replaces bytes that are not UTF-8; Linux still has them, so that a
 * file with such a name can be opened: see `system-path.ts`.
 */
export function commandArguments(first: number): readonly string[] {
  const decoded = process.argv.slice(first);
  if (!decoded.some((argument) => argument.includes(REPLACEMENT_CHARACTER))) return decoded;
  const raw = rawArguments().slice(-decoded.length);
  return decoded.map((argument, at) => {
    const bytes = raw.at(at);
    return bytes?.toString() === argument ? pathOfBytes(bytes) : argument;
  });
}

/** All arguments as bytes; none where there is no /proc. */
function rawArguments(): readonly Buffer[] {
  let line: Buffer;
  try {
    line = readFileSync('/proc/self/cmdline');
  } catch {
    return [];
  }
  const found: Buffer[] = [];
  // Each argument ends with a zero byte.
  for (let start = 0, end = line.indexOf(0); end >= 0; start = end + 1, end = line.indexOf(0, start)) {
    found.push(line.subarray(start, end));
  }
  return found;
}

/** Whether there is anything at a path. */
export function exists(path: string): boolean {
  try {
    return statSync(systemPath(path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A path that may not be looked at counts as there: reading it says why it cannot be read.
    return true;
  }
}
