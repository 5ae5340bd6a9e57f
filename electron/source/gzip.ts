import { createGunzip, type Gunzip } from 'node:zlib';
import type { OpenGunzip, UnpackDamage, Unpacker } from '../../shared/read/unpack/unpacker.ts';

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
