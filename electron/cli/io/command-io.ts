import { fleetName } from '../../fleet/fleet-address.ts';
import type { Readable } from 'node:stream';
import { errnoOf, UserError } from '../../source/source-error.ts';
import { printable, printableJson } from '../../../shared/text/printable.ts';
import { UsageError } from '../options/usage-error.ts';

/** The input and output of a command besides its files. */
export interface CommandIo {
  /** Returns the input named `-`. Called only when a command reads it. Throws SourceError if it is a terminal. */
  readonly stdin: () => Readable;
  /**
   * Writes synchronously, so that no output is buffered in memory. Text becomes UTF-8. Throws the system error.
   */
  readonly stdout: (piece: string | Uint8Array) => void;
  readonly stderr: (text: string) => void;
  /** Standard error is a terminal: progress may be shown on it. */
  readonly showsProgress: boolean;
  /** Standard output is a terminal that shows colours, and the user wants them. */
  readonly hasColour?: boolean;
}

/** Writes a message, one line, to standard error. Control characters quoted from a file are escaped. */
export function writeMessage(io: CommandIo, message: string): void {
  io.stderr(`${printable(message)}\n`);
}

/**
 * The exit status of a command, for scripts (specs: cli, exit status).
 *
 *   0  all was read and written
 *   1  nothing was read or written
 *   2  the command line is invalid
 *   3  read in part: everything before the damage was read and written
 *   4  compare: a share grew by more than --fail-above allows; findings: there is one that --fail-on names
 */
export type ExitStatus = 0 | 1 | 2 | 3 | 4;

/** The error of a desktop window that is given standard input. */
export const standardInputError = (): UsageError =>
  new UsageError('the window cannot read standard input: use serve -');

/** The command failed. The message has the file, the reason, and what to do. */
export class CommandError extends UserError {
  override readonly name = 'CommandError';
}

/** A name for messages: `-` is standard input; of an address it has neither user nor password. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : fleetName(path);
}

/** Rounded down, so that an incomplete read never shows as 100. */
export function roundedPercent(part: number, whole: number): string {
  return whole === 0 ? '0' : String(Math.floor((part / whole) * 1000) / 10);
}

/** Progress as one line on the terminal, which each update overwrites. */
export class Progress {
  readonly #io: CommandIo;
  readonly #name: string;
  #shownAt = performance.now();
  #isShown = false;

  constructor(path: string, io: CommandIo) {
    this.#io = io;
    this.#name = printable(inputName(path));
  }

  show(readBytes: number, fileBytes: number | undefined): void {
    const now = performance.now();
    if (now - this.#shownAt < 200) return;
    this.#shownAt = now;
    this.#isShown = true;
    const share =
      fileBytes === undefined
        ? `${(readBytes / 1e6).toFixed(0)} MB`
        : `${roundedPercent(readBytes, fileBytes)} %`;
    this.#io.stderr(`\r\x1b[KReading ${this.#name}: ${share}`);
  }

  clear(): void {
    if (this.#isShown) this.#io.stderr('\r\x1b[K');
  }
}

export const STANDARD_OUTPUT = 'standard output';

/** The CommandError for a system error while `name`, a path or `STANDARD_OUTPUT`, is written. */
export function writeError(name: string, error: unknown): CommandError {
  const code = errnoOf(error) ?? 'unknown error';
  const [reason, advice] = REASONS[code] ?? ['could not be written', NAME_ANOTHER];
  return new CommandError(`${name}: ${reason} (${code}); ${advice}`);
}

const NAME_ANOTHER = 'name another file with -o';
const NAME_ELSEWHERE = 'name a file elsewhere with -o';

const REASONS: Readonly<Record<string, readonly [reason: string, advice: string] | undefined>> = {
  ENOSPC: ['there is no space left on its disk', `free some, or ${NAME_ELSEWHERE}`],
  EDQUOT: ['the quota of its disk is used up', `free some space, or ${NAME_ELSEWHERE}`],
  EFBIG: ['is too large for its disk', NAME_ELSEWHERE],
  EROFS: ['its disk is read-only', NAME_ELSEWHERE],
  EACCES: ['may not be written by this user', NAME_ELSEWHERE],
  EPERM: ['may not be written by this user', NAME_ELSEWHERE],
  ENOENT: ['its folder does not exist', 'create the folder first'],
  ENOTDIR: ['a part of its path is not a folder', 'check the path'],
  ELOOP: ['is a loop of symbolic links', NAME_ANOTHER],
  ENAMETOOLONG: ['its name is too long', NAME_ANOTHER],
  EIO: ['its disk reports an error', 'check the disk'],
};

/** Commands whose JSON has a schema: see json-schemas.ts. */
export type JsonCommand =
  | 'top'
  | 'tree'
  | 'method'
  | 'timeline'
  | 'spread'
  | 'operations'
  | 'compare'
  | 'compare-runs'
  | 'findings'
  | 'summary'
  | 'jvms'
  | 'agent';

/** A line of JSON: the answer, with its schema and version. */
export function answerJson(command: JsonCommand, data: object): string {
  return `${printableJson({ schema: `leanscope-${command}`, version: 1, ...data })}\n`;
}
