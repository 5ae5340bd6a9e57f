import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import type { Pieces } from '../../shared/input/read-source.ts';
import type { OpenGunzip, UnpackDamage, Unpacker } from '../../shared/read/unpack/unpacker.ts';
import { FolderFiles } from './folder-files.ts';
import { sourceErrorOf } from './source-error.ts';
import { openRegularFile } from './tail-files.ts';

/**
 * Small enough that a piece stays in the second-level cache until it is decoded: reading 300 MB in pieces of a mebibyte
 * took two to four times as long.
 */
const PIECE_BYTES = 1 << 17;

/**
 * The bytes of a file from its first to its present end, or of a folder as an archive; `-` is standard input. Throws
 * SourceError, and so does reading.
 */
export function openPieces(path: string, stdin?: () => Readable): Pieces {
  if (path === '-' && stdin !== undefined) return { pieces: piecesOf(stdin()), size: undefined };
  const files = new FolderFiles();
  const opened = openRegularFile(path, files);
  if (!('file' in opened)) throw opened;
  return { pieces: readPieces(path, opened.file, files), size: opened.state.size };
}

function* readPieces(path: string, file: number, files: FolderFiles): Generator<Uint8Array, void> {
  const buffer = new Uint8Array(PIECE_BYTES);
  try {
    for (let offset = 0; ;) {
      const length = files.read(file, buffer, 0, PIECE_BYTES, offset);
      if (length === 0) return;
      offset += length;
      yield buffer.subarray(0, length);
    }
  } catch (error) {
    throw sourceErrorOf(path, error);
  } finally {
    files.close(file);
  }
}

async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array, void> {
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw sourceErrorOf('standard input', error);
  }
}

/**
 * Unpacks gzip as it arrives, including concatenated members. When `write` resolves, everything that its bytes contain
 * has been emitted, in pieces of up to 64 KiB that the receiver owns. So data that unpacks to a thousand times its size
 * is never in memory all at once.
 */
class GzipUnpacker implements Unpacker {
  damage: UnpackDamage | undefined;
  readonly #gunzip: Gunzip;
  /** Stored bytes that have been unpacked. */
  #unpackedStoredBytes = 0;
  #resolve: (() => void) | undefined;

  constructor(onBytes: (bytes: Uint8Array) => void) {
    this.#gunzip = createGunzip({ chunkSize: 65_536 });
    this.#gunzip.on('data', onBytes);
    this.#gunzip.on('error', (error: Error & { readonly code?: string }) => {
      const byteOffset = this.#unpackedStoredBytes;
      this.damage ??=
        error.code === 'Z_BUF_ERROR'
          ? { byteOffset, found: 'the end of the file', expected: 'more compressed data' }
          : { byteOffset, found: error.message, expected: 'compressed data' };
      this.#resolve?.();
    });
    this.#gunzip.on('end', () => this.#resolve?.());
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.damage !== undefined || this.#gunzip.writableEnded) return;
    await this.#until((done) =>
      this.#gunzip.write(bytes, (error) => {
        if (!error) this.#unpackedStoredBytes += bytes.length;
        done();
      }),
    );
  }

  async end(): Promise<void> {
    if (this.damage !== undefined || this.#gunzip.writableEnded) return;
    // Zeros after the last member have ended the output already.
    if (this.#gunzip.readableEnded) this.#gunzip.end();
    else await this.#until(() => this.#gunzip.end());
  }

  close(): void {
    this.#gunzip.destroy();
    this.#resolve?.();
  }

  #until(start: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      start(resolve);
    });
  }
}

/** Unpacks with Node's zlib. */
export const openGunzip: OpenGunzip = (onBytes) => Promise.resolve(new GzipUnpacker(onBytes));
