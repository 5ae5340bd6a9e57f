import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { refusalOf, SourceError, sourceErrorOf } from './source-error.ts';

export interface ReadBytesOptions {
  /** Where `-` reads from; the process's standard input when not given. */
  readonly stdin?: Readable;
  /** Called before each piece: true stops reading. */
  readonly isDone?: () => boolean;
  /** Called before each piece is read: bytes read so far, and in all where that is known. */
  readonly onProgress?: (readBytes: number, fileBytes: number | undefined) => void;
  /** Called with a file's descriptor and size when its first piece has been taken. */
  readonly ahead?: (file: number, fileBytes: number) => Ahead | undefined;
}

/** Byte ranges of an uncompressed file that other threads read at the same time. */
export interface Ahead {
  /** Where the next range begins; undefined when there is none left. */
  readonly nextStart: number | undefined;
  /**
   * Everything before `nextStart` has been pushed. Resolves to the offset where reading goes on after that range, or to
   * undefined when the range must be read here.
   */
  take(): Promise<number | undefined>;
  /** Resolves when no thread reads the file any more. */
  stop(): Promise<void>;
}

/**
 * A piece stays in the second-level cache from the copy by the kernel to the decoder: reading 300 MB in pieces of a
 * mebibyte took two to four times as long.
 */
const PIECE_BYTES = 1 << 17;

/**
 * Reads a file from its first byte to its present end; `-` is standard input. `push` takes the pieces; each is borrowed
 * until its promise resolves, or for the call. If `push` returns no promise, the event loop does not run between
 * pieces, which is fastest. Resolves to the number of bytes read. Throws SourceError.
 */
export async function readBytes(
  path: string,
  push: (bytes: Uint8Array) => Promise<void> | undefined,
  options: ReadBytesOptions = {},
): Promise<number> {
  if (path === '-') return readStream(options.stdin ?? standardInput(), push, options);
  const file = openRegularFile(path);
  try {
    return await readOpenFile(path, file, push, options);
  } finally {
    closeSync(file);
  }
}

/** The descriptor of a regular file. O_NONBLOCK because opening a pipe would otherwise wait for its writer. */
function openRegularFile(path: string): number {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw sourceErrorOf(path, error);
  }
  const refusal = refusalOf(path, fstatSync(file));
  if (refusal === undefined) return file;
  closeSync(file);
  throw refusal;
}

async function readOpenFile(
  path: string,
  file: number,
  push: (bytes: Uint8Array) => Promise<void> | undefined,
  { isDone, onProgress, ahead }: ReadBytesOptions,
): Promise<number> {
  const { size } = fstatSync(file);
  const buffer = new Uint8Array(PIECE_BYTES);
  let offset = 0;
  let ranges: Ahead | undefined;
  try {
    while (isDone?.() !== true) {
      onProgress?.(offset, Math.max(size, offset));
      const before = ranges?.nextStart ?? Infinity;
      let length: number;
      try {
        length = readSync(file, buffer, 0, Math.min(PIECE_BYTES, before - offset), offset);
      } catch (error) {
        throw sourceErrorOf(path, error);
      }
      if (length > 0) {
        const pushed = push(buffer.subarray(0, length));
        if (pushed !== undefined) await pushed;
        if (offset === 0) ranges = ahead?.(file, size);
        offset += length;
      } else if (ranges !== undefined && offset === before) {
        offset = (await ranges.take()) ?? offset;
      } else {
        break;
      }
    }
    return offset;
  } finally {
    await ranges?.stop();
  }
}

async function readStream(
  stream: Readable,
  push: (bytes: Uint8Array) => Promise<void> | undefined,
  { isDone, onProgress }: ReadBytesOptions,
): Promise<number> {
  let readBytes = 0;
  // Only errors of the stream become SourceErrors; those of `push` do not.
  const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  try {
    while (isDone?.() !== true) {
      onProgress?.(readBytes, undefined);
      const next = await pieces.next().catch((error: unknown) => {
        throw sourceErrorOf('standard input', error);
      });
      if (next.done === true) break;
      await push(next.value);
      readBytes += next.value.length;
    }
    return readBytes;
  } finally {
    await pieces.return?.();
  }
}

function standardInput(): Readable {
  if (process.stdin.isTTY) {
    throw new SourceError('standard input', 'is the terminal', 'pipe a log into it');
  }
  return process.stdin;
}
