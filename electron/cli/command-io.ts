import type { Readable } from 'node:stream';

/** What a command reads and writes besides its files. */
export interface CommandIo {
  /** Where `-` reads from; asked for only then. */
  readonly stdin: () => Readable;
  /**
   * Writes all of it, text as UTF-8, before it returns, so that nothing piles up; throws what the operating system said.
   */
  readonly stdout: (piece: string | Uint8Array) => void;
  readonly stderr: (text: string) => void;
  /** Standard error is a terminal: progress may be shown on it. */
  readonly showsProgress: boolean;
}

/**
 * What the caller's script can rely on (specs: cli, exit status).
 *
 *   0  all was read and written
 *   1  nothing could be read or written
 *   2  the command was not understood
 *   3  read in part: everything before a damage was used and written
 */
export type ExitStatus = 0 | 1 | 2 | 3;

/** The command line is wrong: what, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command cannot do its work: file, reason, what to do, in one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
