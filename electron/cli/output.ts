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
import type { OptionSpec } from './arguments.ts';
import { CommandError, type CommandIo } from './command-io.ts';
import { writeAll } from './process-io.ts';

const STANDARD_OUTPUT = 'standard output';

export const WHOLE_OUTPUT_OPTION: OptionSpec = {
  value: 'OUT',
  help: 'write to OUT; an incomplete file never appears (default standard output)',
};

/** Where a command writes. */
interface Output {
  /** Messages name it. */
  readonly name: string;
  readonly write: OutputSink;
  /** Call it when everything is written. */
  finish(): void;
  /** Call it after an error instead: an incomplete file is removed. */
  abandon(): void;
}

/**
 * Calls `write` with a sink for `path`, or for standard output when it is undefined or `-`. A file is written under a
 * temporary name and then renamed, so an incomplete file never appears. Throws CommandError; the caller handles EPIPE.
 */
export function writeOutput(
  path: string | undefined,
  inputs: readonly string[],
  io: CommandIo,
  write: (sink: OutputSink) => void,
): void {
  const output = openOutput(path, inputs, io);
  try {
    write(output.write);
    output.finish();
  } catch (error) {
    output.abandon();
    throw failureOf(output, error);
  }
}

/** The same for an asynchronous `write`. */
export async function writeOutputAsync(
  path: string | undefined,
  inputs: readonly string[],
  io: CommandIo,
  write: (sink: OutputSink) => Promise<void>,
): Promise<void> {
  const output = openOutput(path, inputs, io);
  try {
    await write(output.write);
    output.finish();
  } catch (error) {
    output.abandon();
    throw failureOf(output, error);
  }
}

function openOutput(path: string | undefined, inputs: readonly string[], io: CommandIo): Output {
  if (path === undefined || path === '-') {
    return { name: STANDARD_OUTPUT, write: io.stdout, finish: () => undefined, abandon: () => undefined };
  }
  const present = statOf(path);
  if (present !== undefined && inputs.some((input) => isSameFile(present, input))) {
    throw new CommandError(`${path}: is the input file; name another file with -o`);
  }
  if (present?.isDirectory()) {
    throw new CommandError(`${path}: is a directory; name a file inside it`);
  }
  try {
    if (present !== undefined && !present.isFile()) return openInPlace(path);
    return openTemporary(path, present === undefined ? path : realpathSync(path), present);
  } catch (error) {
    throw errnoOf(error) === undefined ? error : writingError(path, error);
  }
}

/** For a device or a pipe, such as /dev/null: renaming a file to its name would replace it. */
function openInPlace(path: string): Output {
  const file = openSync(path, 'w');
  return {
    name: path,
    write: (piece) => writeAll(file, piece),
    finish: () => closeSync(file),
    abandon: () => closeQuietly(file),
  };
}

/** A temporary file in the folder of `path`, renamed to `path` when it is complete. */
function openTemporary(name: string, path: string, present: Stats | undefined): Output {
  const temporary = join(dirname(path), `.leanscope-${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  const file = openSync(temporary, 'wx');
  let isOpen = true;
  return {
    name,
    write: (piece) => writeAll(file, piece),
    finish: () => {
      isOpen = false;
      closeSync(file);
      if (present !== undefined) chmodSync(temporary, present.mode);
      renameSync(temporary, path);
    },
    abandon: () => {
      if (isOpen) closeQuietly(file);
      rmSync(temporary, { force: true });
    },
  };
}

/** Closes a file after an error and ignores errors of closing: the first error is reported. */
function closeQuietly(file: number): void {
  try {
    closeSync(file);
  } catch {
    // Already closed.
  }
}

function failureOf({ name }: Output, error: unknown): unknown {
  const code = errnoOf(error);
  if (code === undefined || (name === STANDARD_OUTPUT && code === 'EPIPE')) return error;
  return writingError(name, error);
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
  return new CommandError(`${path}: ${reason} (${code}); ${advice}`);
}

const REASONS: Readonly<Record<string, readonly [reason: string, advice: string] | undefined>> = {
  ENOSPC: ['there is no space left on its disk', 'free some, or name a file elsewhere with -o'],
  EDQUOT: ['the quota of its disk is used up', 'free some space, or name a file elsewhere with -o'],
  EFBIG: ['is too large for its disk', 'name a file elsewhere with -o'],
  EROFS: ['its disk is read-only', 'name a file elsewhere with -o'],
  EACCES: ['may not be written by this user', 'name a file elsewhere with -o'],
  EPERM: ['may not be written by this user', 'name a file elsewhere with -o'],
  ENOENT: ['its folder does not exist', 'create the folder first'],
  ENOTDIR: ['a part of its path is not a folder', 'check the path'],
  ENAMETOOLONG: ['its name is too long', 'name another file with -o'],
  EIO: ['its disk reports an error', 'check the disk'],
};
