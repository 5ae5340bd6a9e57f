import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { ExportBudget, MOST_EXPORTED_BYTES } from '../../shared/export/export-budget.ts';
import { formatBytes } from '../../shared/text/format-value.ts';
import { errnoOf } from '../source/source-error.ts';
import { pathOfBytes, systemPath } from '../source/system-path.ts';
import type { OptionSpec, ParsedArguments } from './arguments.ts';
import { CommandError, type CommandIo } from './command-io.ts';
import { STDIN, writeAll } from './process-io.ts';
import { closeQuietly, openTemporaryFile } from './temporary-file.ts';
import { STANDARD_OUTPUT, writeError } from './write-error.ts';

export const WHOLE_OUTPUT_OPTION: OptionSpec = {
  value: 'OUT',
  also: '--output',
  help: 'write to OUT; an incomplete file never appears (default standard output)',
};

export const NO_LIMIT_OPTION: OptionSpec = {
  help: `write more than ${formatBytes(MOST_EXPORTED_BYTES)}, too; otherwise the output ends there, with exit status 3`,
};

/** How much an export may write. */
export function budgetOf(args: ParsedArguments): ExportBudget {
  return new ExportBudget(args.has('--no-limit') ? Infinity : MOST_EXPORTED_BYTES);
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

/** For a device or a pipe, such as /dev/null: renaming a file to its name would replace it. */
function openInPlace(path: string): Output {
  const file = openSync(systemPath(path), 'w');
  return {
    name: path,
    write: (piece) => writeAll(file, piece),
    finish: () => closeSync(file),
    abandon: () => closeQuietly(file),
  };
}

/** As many as Linux follows. */
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
