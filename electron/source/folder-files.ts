import { closeSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderEntryHeader, tarFilling } from '../../shared/read/tar-header.ts';
import { openToRead, systemPath } from './open-file.ts';
import { SourceError } from './source-error.ts';
import { type FileState, nodeFiles, type TailFileSystem } from './tail-files.ts';

/** More files are no folder of profiles. */
const MOST_FILES = 10_000;

/** Bytes of the archive that a folder is read as: of a file from its beginning, or given ones. */
interface Segment {
  /** The offset of its first byte. */
  readonly from: number;
  readonly length: number;
  /** Undefined: zeros. */
  readonly content: string | Uint8Array | undefined;
}

interface OpenFolder {
  readonly segments: readonly Segment[];
  readonly state: FileState;
}

/**
 * The operating system's files, and folders as if each were a tar archive of the files in it: so a folder is read in the ways
 * of an archive. The files are those that were there when the folder was opened, each as long as it was then.
 *
 *   ▐header▐ cpu.pb.gz, filled up to a block ▐header▐ heap.pb.gz … ▐zeros▐
 */
export class FolderFiles implements TailFileSystem {
  readonly #folders = new Map<number, OpenFolder>();
  #opened = 0;
  /** Folders that have files. */
  readonly #known = new Set<string>();

  open(path: string): number {
    if (!statSync(systemPath(path)).isDirectory()) return nodeFiles.open(path);
    // No descriptor of the system is below 0.
    const file = -1 - this.#opened++;
    const { segments, size } = segmentsOf(path);
    const state = { ...nodeFiles.stat(path), size, refusal: undefined };
    this.#folders.set(file, { segments, state });
    return file;
  }

  fstat(file: number, path: string): FileState {
    return this.#folders.get(file)?.state ?? nodeFiles.fstat(file, path);
  }

  /** A folder is not refused if it has files. */
  stat(path: string): FileState {
    const state = nodeFiles.stat(path);
    if (state.refusal === undefined) return state;
    if (!this.#known.has(path) && filesIn(path).length === 0) return state;
    this.#known.add(path);
    return { ...state, refusal: undefined };
  }

  read(file: number, into: Uint8Array, at: number, length: number, position: number): number {
    const folder = this.#folders.get(file);
    if (folder === undefined) return nodeFiles.read(file, into, at, length, position);
    const end = Math.min(position + length, folder.state.size);
    let done = position;
    for (let index = lastBefore(folder.segments, position); done < end; index++) {
      const { from, length: size, content } = folder.segments[index];
      const target = into.subarray(at + done - position, at + Math.min(end, from + size) - position);
      // What a file lacks since then is zeros, so that those after it stay in place.
      target.fill(0);
      if (typeof content === 'string') readFrom(content, target, done - from);
      else if (content !== undefined) target.set(content.subarray(done - from, done - from + target.length));
      done += target.length;
    }
    return Math.max(0, done - position);
  }

  close(file: number): void {
    if (!this.#folders.delete(file)) nodeFiles.close(file);
  }
}

/** Names of the regular files in a folder that are not hidden, as people sort them; none if it is no folder. */
export function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(systemPath(folder), { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isSymbolicLink()))
      .filter(({ name }) => statSync(systemPath(join(folder, name)), { throwIfNoEntry: false })?.isFile())
      .map(({ name }) => name)
      .sort(new Intl.Collator('en', { numeric: true }).compare);
  } catch {
    return [];
  }
}

function segmentsOf(folder: string): { readonly segments: readonly Segment[]; readonly size: number } {
  const names = filesIn(folder);
  if (names.length > MOST_FILES)
    throw new SourceError(
      folder,
      `is a directory of more than ${MOST_FILES.toLocaleString('en')} files`,
      'name a file inside it, or a directory with fewer',
      'refused',
    );
  const segments: Segment[] = [];
  let size = 0;
  const add = (length: number, content?: Segment['content']): void => {
    if (length > 0) segments.push({ from: size, length, content });
    size += length;
  };
  for (const name of names) {
    const path = join(folder, name);
    const bytes = statSync(systemPath(path)).size;
    const header = folderEntryHeader(name, bytes);
    add(header.length, header);
    add(bytes, path);
    add(tarFilling(bytes));
  }
  add(1024);
  return { segments, size };
}

/** The index of the segment with the byte at `position`. */
function lastBefore(segments: readonly Segment[], position: number): number {
  let [low, high] = [0, segments.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (segments[middle].from <= position) low = middle;
    else high = middle;
  }
  return low;
}

function readFrom(path: string, into: Uint8Array, position: number): void {
  const file = openToRead(path);
  try {
    for (let at = 0; at < into.length;) {
      const read = readSync(file, into, at, into.length - at, position + at);
      if (read === 0) break;
      at += read;
    }
  } finally {
    closeSync(file);
  }
}
