import { statSync } from 'node:fs';
import type { Choice } from '../../shared/facts/choice.ts';
import type { ByteSource } from '../../shared/input/read-source.ts';
import { FolderFiles, filesIn } from './folder-files.ts';
import { LogTailer } from './log-tailer.ts';
import { readSmallFile, systemPath } from './open-file.ts';
import { isOpenHeader, type LostParts, RECORDING_HEADER_BYTES, recordingsIn } from './recording-chunks.ts';
import { RecordingFollower } from './recording-follower.ts';
import type { SourceError } from './source-error.ts';
import type { TailFileSystem } from './tail-files.ts';

/** The input that a log session reads: a file, or a flight recording that a JVM is writing. */
export interface LogSource extends ByteSource {
  readonly path: string;
  /** Why the last `next` was missing, gone, unreadable or refused. */
  readonly error: SourceError | undefined;
  readonly size: number;
  /** When the content was written last, in ns since 1970; undefined before it is opened, and where that is unknown. */
  readonly modifiedNs?: bigint | undefined;
  /** The content is decoded as it grows, whatever its format. */
  readonly grows?: boolean;
  /** A sentence about the last `next` that was ended. */
  readonly ending?: string | undefined;
  /** A sentence about the last `next` that was refused; undefined: it is made of `error`. */
  readonly failure?: string | undefined;
  /** Name of its format, for people; undefined: its format says so. */
  readonly formatName?: string;
  /** Choices of what is read of it; undefined: its format says so. */
  readonly choices?: readonly Choice[];
  /** A sentence about content without bytes; undefined: that of a file. */
  readonly emptyText?: string;
  /** Undefined for a file. */
  readonly lost?: LostParts;
  /** Files that may have been removed and are read as long as they are open. */
  readonly openFiles?: readonly number[];
  /** The bytes from `offset` on are next again. */
  reread(offset: number): void;
  /** Nothing was added after `atNs`, in ns since 1970, for this reason. */
  end(reason: string, atNs: bigint): void;
  /** Writes the content to a new file; returns how many parts are missing. Throws errors of the system. */
  save(path: string): number;
  /** Ends a `next` that takes long, which another machine may be busy with. */
  interrupt?(): void;
  close(): void;
}

/**
 * The source for a path: a folder with flight recordings and a recording that is being written are followed flush by
 * flush, another folder is read as an archive, everything else is a file. `recording`: the path is the repository of a JVM, which may be empty so far; see
 * `FollowedRecording`.
 */
export function openLogSource(
  path: string,
  files: TailFileSystem | undefined,
  recording?: { readonly leftOut: readonly string[]; readonly open?: readonly string[] },
): LogSource {
  if (files !== undefined) return new LogTailer(path, files);
  if (recording !== undefined) return new RecordingFollower({ folder: path, ...recording });
  const kind = kindOf(path);
  if (kind === 'folder') return new RecordingFollower({ folder: path });
  if (kind === 'growing') return new RecordingFollower({ file: path });
  if (kind === 'files') return new LogTailer(path, new FolderFiles());
  return new LogTailer(path);
}

function kindOf(path: string): 'folder' | 'files' | 'growing' | 'file' {
  try {
    const stats = statSync(systemPath(path));
    // An empty folder is refused, with the reason.
    if (stats.isDirectory())
      return recordingsIn(path).length > 0 ? 'folder' : filesIn(path).length > 0 ? 'files' : 'file';
    const head = stats.isFile() ? readSmallFile(path, RECORDING_HEADER_BYTES) : undefined;
    return head?.length === RECORDING_HEADER_BYTES && isOpenHeader(head) ? 'growing' : 'file';
  } catch {
    // The path names nothing yet, or may not be read: the tailer reports it.
    return 'file';
  }
}
