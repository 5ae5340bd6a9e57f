import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { refusalOf, type SourceError } from './source-error.ts';
import { systemPath } from './system-path.ts';

/**
 * The functions of node:fs that the tailer uses, as an interface so that tests can inject faults. Errors have the
 * system's code. Device and inode numbers are bigints because they may exceed 2^53.
 */
export interface TailFileSystem {
  open(path: string): number;
  fstat(file: number, path: string): FileState;
  stat(path: string): FileState;
  read(file: number, into: Uint8Array, at: number, length: number, position: number): number;
  close(file: number): void;
}

export interface FileState {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: number;
  /** Time stamps, in nanoseconds since 1970: of the last change of the content, and of content, name or permissions. */
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
  /** Set if it is not a regular file, which must not be read. */
  readonly refusal: SourceError | undefined;
}

/** The operating system's files. O_NONBLOCK, because opening a pipe would otherwise wait for a writer. */
export const nodeFiles: TailFileSystem = {
  open: (path) => openSync(systemPath(path), constants.O_RDONLY | constants.O_NONBLOCK),
  fstat: (file, path) => stateOf(path, fstatSync(file, { bigint: true })),
  stat: (path) => stateOf(path, statSync(systemPath(path), { bigint: true })),
  read: readSync,
  close: closeSync,
};

function stateOf(path: string, stats: BigIntStats): FileState {
  return {
    dev: stats.dev,
    ino: stats.ino,
    size: Number(stats.size),
    modifiedNs: stats.mtimeNs,
    changedNs: stats.ctimeNs,
    refusal: refusalOf(path, stats),
  };
}
