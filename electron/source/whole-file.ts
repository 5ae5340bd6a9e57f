import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { joined } from '../../shared/bytes/joined.ts';
import { openZip } from '../../shared/unpack/open-zip.ts';
import type { Accepts } from '../../shared/unpack/zip-entry.ts';
import type { ZipDamage, ZipUnpacker } from '../../shared/unpack/zip.ts';
import { looksLikeZip } from '../../shared/unpack/zip-magic.ts';
import type { GzipDamage, GzipUnpacker } from './gzip.ts';
import { looksLikeGzip } from './gzip-magic.ts';
import { refusalOf, SourceError, sourceErrorOf } from './source-error.ts';

export interface WholeInput {
  /** Bytes of the input as it is stored: compressed, if it is. */
  readonly fileBytes: number;
  readonly gzip: boolean;
  /** The compressed data ended early or made no sense from some byte on; what was before it was handed on. */
  readonly cutGzip: boolean;
  readonly gzipDamage: GzipDamage | undefined;
  /** Set for a zip archive. */
  readonly zip: ZipInput | undefined;
}

/** What became of a zip archive. */
export interface ZipInput {
  /** The entry that was read; undefined for none, and then `refusal` says why. */
  readonly entry: string | undefined;
  readonly refusal: string | undefined;
  /** Files in it, as far as it was read. */
  readonly entries: number;
  readonly damage: ZipDamage | undefined;
}

export interface WholeInputOptions {
  /** Where `-` reads from; the process's standard input when not given. */
  readonly stdin?: Readable;
  /** Which entry of a zip archive is wanted; without it an archive is handed on as it is. */
  readonly accepts?: Accepts;
  /**
   * Awaited before anything is handed on, with the first chunk of an input, or undefined when it is packed. Not for an
   * empty input.
   */
  readonly onHead?: (head: Uint8Array | undefined) => Promise<void> | undefined;
  /** Called before each piece is read: stored bytes read so far, and in all where that is known. */
  readonly onProgress?: (readBytes: number, fileBytes: number | undefined) => void;
  /** Asked for a plain file, after its first piece has been handed on. */
  readonly ahead?: (file: number, fileBytes: number) => Ahead | undefined;
}

/** Parts of a plain file that somebody else reads meanwhile. */
export interface Ahead {
  /** Where the next of them begins; undefined when there is none left. */
  readonly nextStart: number | undefined;
  /**
   * Everything before `nextStart` has been handed on. Resolves to the offset where reading goes on behind that part; to
   * undefined when the part is to be read like what was before it.
   */
  take(): Promise<number | undefined>;
  /** Nobody reads the file any more. */
  stop(): Promise<void>;
}

/**
 * A chunk stays in the second-level cache from the copy by the kernel to the decoder: reading 300 MB in pieces of a
 * mebibyte took two to four times as long.
 */
const CHUNK_BYTES = 1 << 17;
const ZIP_FIRST_BYTE = 0x50;

/**
 * Reads an input from its first byte to its present end, unpacked; `-` is standard input. A chunk is borrowed for the
 * call of `onChunk`. Plain files are read without a turn of the event loop in between, because that is the fastest
 * way to read. Throws SourceError.
 */
export async function readWholeInput(
  path: string,
  onChunk: (bytes: Uint8Array) => void,
  options: WholeInputOptions = {},
): Promise<WholeInput> {
  if (path === '-') return readStream(options.stdin ?? standardInput(), onChunk, options);
  const file = openRegularFile(path);
  try {
    return await readOpenFile(path, file, onChunk, options);
  } finally {
    closeSync(file);
  }
}

/** The descriptor of a regular file. O_NONBLOCK because opening a pipe would else wait for its writer. */
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
  onChunk: (bytes: Uint8Array) => void,
  { onProgress, onHead, accepts, ahead }: WholeInputOptions,
): Promise<WholeInput> {
  const size = fstatSync(file).size;
  const buffer = new Uint8Array(CHUNK_BYTES);
  let fileBytes = 0;
  const next = (before = Infinity): Uint8Array => {
    onProgress?.(fileBytes, Math.max(size, fileBytes));
    let length: number;
    try {
      length = readSync(file, buffer, 0, Math.min(CHUNK_BYTES, before - fileBytes), fileBytes);
    } catch (error) {
      throw sourceErrorOf(path, error);
    }
    fileBytes += length;
    return buffer.subarray(0, length);
  };

  let chunk = next();
  const isGzip = looksLikeGzip(chunk);
  const isZip = accepts !== undefined && looksLikeZip(chunk);
  if (chunk.length > 0) await onHead?.(isGzip || isZip ? undefined : chunk);
  if (isGzip) {
    const unpacker = await gzipUnpacker(onChunk);
    try {
      for (; chunk.length > 0; chunk = next()) await unpacker.write(chunk);
      await unpacker.end();
    } finally {
      unpacker.close();
    }
    return gzipInput(fileBytes, unpacker);
  }
  if (isZip) {
    const unpacker = await openZip(accepts, onChunk);
    for (; chunk.length > 0; chunk = next()) unpacker.write(chunk);
    unpacker.end();
    return zipInput(fileBytes, unpacker);
  }
  onChunk(chunk);
  const parts = ahead?.(file, size);
  try {
    for (;;) {
      const before = parts?.nextStart ?? Infinity;
      for (chunk = next(before); chunk.length > 0; chunk = next(before)) onChunk(chunk);
      if (parts === undefined || fileBytes < before) return plainInput(fileBytes);
      fileBytes = (await parts.take()) ?? fileBytes;
    }
  } finally {
    await parts?.stop();
  }
}

async function readStream(
  stream: Readable,
  onChunk: (bytes: Uint8Array) => void,
  { onProgress, onHead, accepts }: WholeInputOptions,
): Promise<WholeInput> {
  let fileBytes = 0;
  let head = new Uint8Array(0);
  let unpacker: GzipUnpacker | undefined;
  let archive: ZipUnpacker | undefined;
  let isRecognised = false;
  try {
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      onProgress?.(fileBytes, undefined);
      fileBytes += piece.length;
      let bytes = piece;
      if (!isRecognised) {
        // A pipe may hand over a single byte, and gzip's magic has two, zip's has four.
        head = joined(head, piece);
        if (head.length < (head[0] === ZIP_FIRST_BYTE ? 4 : 2)) continue;
        isRecognised = true;
        bytes = head;
        if (looksLikeGzip(head)) unpacker = await gzipUnpacker(onChunk);
        else if (accepts !== undefined && looksLikeZip(head)) archive = await openZip(accepts, onChunk);
        await onHead?.(unpacker === undefined && archive === undefined ? head : undefined);
      }
      if (archive !== undefined) archive.write(bytes);
      else if (unpacker === undefined) onChunk(bytes);
      else await unpacker.write(bytes);
    }
  } catch (error) {
    throw sourceErrorOf('standard input', error);
  }
  if (!isRecognised && head.length > 0) {
    await onHead?.(head);
    onChunk(head);
  }
  if (archive !== undefined) {
    archive.end();
    return zipInput(fileBytes, archive);
  }
  if (unpacker === undefined) return plainInput(fileBytes);
  await unpacker.end();
  unpacker.close();
  return gzipInput(fileBytes, unpacker);
}

function gzipInput(fileBytes: number, unpacker: GzipUnpacker): WholeInput {
  const { damage } = unpacker;
  return { ...plainInput(fileBytes), gzip: true, cutGzip: damage !== undefined, gzipDamage: damage };
}

/** Loaded for what is packed alone: Node's zlib brings its streams along, which takes some five milliseconds. */
async function gzipUnpacker(onChunk: (bytes: Uint8Array) => void): Promise<GzipUnpacker> {
  const { GzipUnpacker } = await import('./gzip.ts');
  return new GzipUnpacker(onChunk);
}

function zipInput(fileBytes: number, { accepted, refusal, entries, damage }: ZipUnpacker): WholeInput {
  return { ...plainInput(fileBytes), zip: { entry: accepted, refusal, entries, damage } };
}

function plainInput(fileBytes: number): WholeInput {
  return { fileBytes, gzip: false, cutGzip: false, gzipDamage: undefined, zip: undefined };
}

function standardInput(): Readable {
  if (process.stdin.isTTY) {
    throw new SourceError('standard input', 'is the terminal', 'pipe a log into it');
  }
  return process.stdin;
}
