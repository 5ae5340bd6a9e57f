import {
  chmodSync,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type OutputSink, ExportBudget, MOST_EXPORTED_BYTES } from '../../../shared/export/export-input.ts';
import { temporaryPath } from '../../recording/recording-name.ts';
import { errnoOf } from '../../source/source-error.ts';
import { pathOfBytes, systemPath } from '../../source/open-file.ts';
import { CommandError, type CommandIo, STANDARD_OUTPUT, writeError } from './command-io.ts';
import { STDIN, writeAll } from './process-io.ts';

/** The limit of an export in bytes. */
export function budgetOf(values: { readonly 'no-limit': boolean }): ExportBudget {
  return new ExportBudget(values['no-limit'] ? Infinity : MOST_EXPORTED_BYTES);
}

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
 * temporary name and then renamed, so an incomplete file never appears. Rejects with CommandError; the caller handles EPIPE.
 */
export async function writeOutput(
  path: string | undefined,
  inputs: readonly string[],
  io: CommandIo,
  write: (sink: OutputSink) => Promise<void> | void,
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

/**
 * Throws CommandError if a file cannot be written: for a command that works long before it writes. A device or a pipe is
 * not tried.
 */
export function checkOutput(path: string, io: CommandIo): void {
  const present = statOf(path);
  if (present === undefined || present.isFile() || present.isDirectory()) openOutput(path, [], io).abandon();
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
    const file = openTemporaryFile(present === undefined ? targetOf(path) : realPathOf(path), present);
    return { ...file, name: path, write: (piece) => writeAll(file.descriptor, piece) };
  } catch (error) {
    throw errnoOf(error) === undefined ? error : writeError(path, error);
  }
}

/** Opens a device or a pipe, such as /dev/null, which renaming a file to its name would replace. */
function openInPlace(path: string): Output {
  const file = openSync(systemPath(path), 'w');
  return {
    name: path,
    write: (piece) => writeAll(file, piece),
    finish: () => closeSync(file),
    abandon: () => closeQuietly(file),
  };
}

/** The number of symbolic links that Linux follows. */
const MOST_LINKS = 40;

/** The path that would be created by writing to `path`, which names no file or is a link to none. Throws the system error. */
function targetOf(path: string): string {
  let target = path;
  for (let links = 0; isLink(target); links++) {
    // statSync reports the loop.
    if (links === MOST_LINKS) statSync(systemPath(path));
    target = resolve(
      realPathOf(dirname(target)),
      pathOfBytes(readlinkSync(systemPath(target), { encoding: 'buffer' })),
    );
  }
  return join(realPathOf(dirname(target)), basename(target));
}

function isLink(path: string): boolean {
  return lstatSync(systemPath(path), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

// Only the native function takes bytes as they are.
function realPathOf(path: string): string {
  return pathOfBytes(realpathSync.native(systemPath(path), { encoding: 'buffer' }));
}

function failureOf({ name }: Output, error: unknown): unknown {
  return errnoOf(error) === undefined || name === STANDARD_OUTPUT ? error : writeError(name, error);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(systemPath(path));
  } catch {
    return undefined;
  }
}

function isSameFile(present: Stats, input: string): boolean {
  const other = input === '-' ? fstatSync(STDIN) : statOf(input);
  return other?.dev === present.dev && other.ino === present.ino;
}

// ---- A file under a temporary name ----

/**
 * A file that is written under a temporary name in the folder of its path. If this process is killed, it stays until
 * another file is written there.
 */
interface TemporaryFile {
  readonly descriptor: number;
  /** Closes the file and renames it to its path. */
  finish(): void;
  /** Closes and removes the file. Call it after any error, including an error of `finish`. */
  abandon(): void;
}

/** `present`: the file at `path`, whose permissions are kept. Throws the system error. */
function openTemporaryFile(path: string, present: Stats | undefined): TemporaryFile {
  const temporary = systemPath(temporaryPath(dirname(path), '.', '.tmp'));
  const descriptor = openSync(temporary, 'wx');
  let isOpen = true;
  return {
    descriptor,
    finish: () => {
      isOpen = false;
      closeSync(descriptor);
      if (present !== undefined) chmodSync(temporary, present.mode);
      renameSync(temporary, systemPath(path));
    },
    abandon: () => {
      if (isOpen) closeQuietly(descriptor);
      rmSync(temporary, { force: true });
    },
  };
}

/** Closes a file after an error and ignores errors of closing: the first error is reported. */
function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // Already closed.
  }
}
