import type { Readable } from 'node:stream';

/** What a command reads and writes besides its files. */
export interface CommandIo {
  /** The input named `-`. Called only when a command reads it. */
  readonly stdin: () => Readable;
  /**
   * Writes synchronously, text as UTF-8, so that no output is buffered in memory. Throws the system error.
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
 *   1  nothing was read or written
 *   2  the command line is invalid
 *   3  read in part: everything before the damage was read and written
 */
export type ExitStatus = 0 | 1 | 2 | 3;

/** The command line is invalid. The message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command failed. The message names file, reason and remedy in one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
