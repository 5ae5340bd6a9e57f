import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { LogTailer } from '../../electron/source/log-tailer.ts';
import { type FileState, nodeFiles, type TailFileSystem } from '../../electron/source/tail-files.ts';
import type { Nothing } from '../../shared/input/read-source.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Polls a file with a tailer and records each content from its first byte to its last:
 *
 *   ['opened abc', 'truncated xyz']
 *
 * Zeros that were overwritten appear as `(at 3: def)`.
 */
export class TailReader {
  readonly tailer: LogTailer;
  readonly contents: { readonly reason: string; readonly pieces: Uint8Array[] }[] = [];
  /** Offset where the bytes read so far end -> offset up to which they are final; by default the same. */
  finalOf: (end: number) => number = (end) => end;

  constructor(path: string, files: TailFileSystem = nodeFiles) {
    this.tailer = new LogTailer(path, files);
    onTestFinished(() => this.tailer.close());
  }

  /** Reads what is next. */
  poll(wanted = true): 'more' | Nothing {
    const next = this.tailer.next(wanted);
    if (this.contents.length === 0 && this.tailer.modifiedNs !== undefined)
      this.contents.push({ reason: 'opened', pieces: [] });
    if (typeof next === 'string') return next;
    if ('begins' in next) this.contents.push({ reason: next.begins, pieces: [] });
    else {
      const { bytes, offset, replacesZeros } = next;
      const piece = replacesZeros
        ? Buffer.from(`(at ${offset}: ${Buffer.from(bytes).toString('latin1')})`)
        : bytes;
      this.contents.at(-1)!.pieces.push(new Uint8Array(piece));
      this.tailer.took(this.finalOf(offset + bytes.length));
    }
    return 'more';
  }

  /** Polls until there are no more bytes for now. */
  pollToEnd(): Nothing {
    for (let polls = 0; polls < 1_000; polls++) {
      const polled = this.poll();
      if (polled !== 'more') return polled;
    }
    throw new Error('the tailer finds more and more');
  }

  /** Polls until a file that replaced this one at its path is followed. */
  pollAWhile(): Nothing {
    for (let poll = 0; poll < 5; poll++) this.pollToEnd();
    return this.pollToEnd();
  }

  get read(): readonly string[] {
    return this.contents.map(({ reason, pieces }) => `${reason} ${Buffer.concat(pieces).toString('latin1')}`);
  }

  bytesOf(content: number): Buffer {
    return Buffer.concat(this.contents[content].pieces);
  }
}

/** The operating system's files, with faults that a test switches on. */
export class FaultyFiles implements TailFileSystem {
  /** Thrown by the next calls, with the system's code, until removed. */
  readonly faults: Partial<Record<'open' | 'fstat' | 'stat' | 'read', string | undefined>> = {};
  /** Bytes that a read gives at most. */
  longestRead = Infinity;
  /** The size that fstat reports. */
  sizeSeen: (size: number) => number = (size) => size;
  /** The time stamps that fstat reports. */
  stampsSeen: (state: FileState) => Partial<FileState> = () => ({});
  /** Called before each read, to change the file between two reads. */
  beforeRead: () => void = () => undefined;
  readonly open = (path: string): number => {
    this.#fail('open');
    return nodeFiles.open(path);
  };
  readonly stat = (path: string): FileState => {
    this.#fail('stat');
    return nodeFiles.stat(path);
  };
  readonly fstat = (file: number, path: string): FileState => {
    this.#fail('fstat');
    const state = nodeFiles.fstat(file, path);
    return { ...state, ...this.stampsSeen(state), size: this.sizeSeen(state.size) };
  };
  readonly read = (file: number, into: Uint8Array, at: number, length: number, position: number): number => {
    this.#fail('read');
    this.beforeRead();
    return nodeFiles.read(file, into, at, Math.min(length, this.longestRead), position);
  };
  readonly close = (file: number): void => nodeFiles.close(file);

  #fail(call: keyof typeof this.faults): void {
    const code = this.faults[call];
    if (code !== undefined) throw Object.assign(new Error(`${code}: injected`), { code });
  }
}

export const newPath = (): string => join(temporaryFolder(), 'a.log');

/** A file with this content, read to its end. */
export function following(
  content: string,
  files?: FaultyFiles,
): { readonly path: string; readonly reader: TailReader } {
  const path = newPath();
  writeFileSync(path, content);
  const reader = new TailReader(path, files);
  reader.pollToEnd();
  return { path, reader };
}
