import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { errnoOf } from '../source/source-error.ts';
import { CommandError, type CommandIo } from './command-io.ts';
import { printable } from './printable.ts';
import { writeAll } from './process-io.ts';

/**
 * Calls `write` with a sink for `path`, or for standard output when it is undefined or `-`. A file appears whole or not
 * at all: it is written beside its place and renamed. Throws CommandError; what a broken pipe means is the caller's.
 */
export function writeOutput(
  path: string | undefined,
  input: string,
  io: CommandIo,
  write: (sink: OutputSink) => void,
): void {
  if (path === undefined || path === '-') {
    try {
      write(io.stdout);
    } catch (error) {
      if (errnoOf(error) === undefined || errnoOf(error) === 'EPIPE') throw error;
      throw writingError('standard output', error);
    }
    return;
  }
  const present = statOf(path);
  if (present !== undefined && isSameFile(present, input)) {
    throw new CommandError(`${printable(path)}: is the log itself; name another file with -o`);
  }
  if (present?.isDirectory()) {
    throw new CommandError(`${printable(path)}: is a directory; name a file inside it`);
  }
  try {
    if (present !== undefined && !present.isFile()) writeInPlace(path, write);
    else writeBeside(present === undefined ? path : realpathSync(path), present, write);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    throw writingError(path, error);
  }
}

/** A device or a pipe, such as /dev/null: renaming a file over it would replace it. */
function writeInPlace(path: string, write: (sink: OutputSink) => void): void {
  const file = openSync(path, 'w');
  try {
    write((piece) => writeAll(file, piece));
  } finally {
    closeSync(file);
  }
}

function writeBeside(path: string, present: Stats | undefined, write: (sink: OutputSink) => void): void {
  const beside = join(dirname(path), `.leanscope-${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  const file = openSync(beside, 'wx');
  let isOpen = true;
  try {
    write((piece) => writeAll(file, piece));
    isOpen = false;
    closeSync(file);
    if (present !== undefined) chmodSync(beside, present.mode);
    renameSync(beside, path);
  } catch (error) {
    if (isOpen) closeSync(file);
    rmSync(beside, { force: true });
    throw error;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function isSameFile(present: Stats, input: string): boolean {
  const other = input === '-' ? undefined : statOf(input);
  return other?.dev === present.dev && other.ino === present.ino;
}

function writingError(path: string, error: unknown): CommandError {
  const code = errnoOf(error) ?? 'unknown error';
  const [reason, advice] = REASONS[code] ?? ['could not be written', 'name another file with -o'];
  return new CommandError(`${printable(path)}: ${reason} (${code}); ${advice}`);
}

const REASONS: Readonly<Record<string, readonly [reason: string, advice: string] | undefined>> = {
  ENOSPC: ['there is no space left on its disk', 'free some, or name a file elsewhere with -o'],
  EDQUOT: ['the quota of its disk is used up', 'free some space, or name a file elsewhere with -o'],
  EFBIG: ['is too large for its disk', 'name a file elsewhere with -o'],
  EROFS: ['its disk is read-only', 'name a file elsewhere with -o'],
  EACCES: ['may not be written by this user', 'name a file elsewhere with -o'],
  EPERM: ['may not be written by this user', 'name a file elsewhere with -o'],
  ENOENT: ['its folder does not exist', 'make the folder first'],
  ENOTDIR: ['its path leads through a file', 'check the path'],
  ENAMETOOLONG: ['its name is too long', 'name another file with -o'],
  EIO: ['its disk reports an error', 'check the disk'],
};
