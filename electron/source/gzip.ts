import { createGunzip, type Gunzip } from 'node:zlib';

/** Why unpacking stopped early. Everything that could be unpacked before was handed on. */
export interface GzipDamage {
  /** Compressed bytes that were unpacked before. */
  readonly byteOffset: number;
  readonly found: string;
  readonly expected: string;
}

/**
 * Unpacks gzip as it arrives, concatenated members included. After `write` has resolved, all that its bytes contain
 * was handed to `onBytes`, in pieces of up to 64 KiB that belong to the receiver: a small input can unpack to a
 * thousand times its size without being in memory at once.
 */
export class GzipUnpacker {
  damage: GzipDamage | undefined;
  readonly #gunzip: Gunzip;
  #fed = 0;
  #settle: (() => void) | undefined;

  constructor(onBytes: (bytes: Uint8Array) => void) {
    this.#gunzip = createGunzip({ chunkSize: 65_536 });
    this.#gunzip.on('data', onBytes);
    this.#gunzip.on('error', (error: Error & { readonly code?: string }) => {
      this.damage ??=
        error.code === 'Z_BUF_ERROR'
          ? { byteOffset: this.#fed, found: 'the end of the file', expected: 'more compressed data' }
          : { byteOffset: this.#fed, found: error.message, expected: 'compressed data' };
      this.#settle?.();
    });
    this.#gunzip.on('end', () => this.#settle?.());
  }

  /**
   * The bytes are borrowed until the promise resolves. After a damage they are passed over.
   *
   * zlib drops what it has unpacked of the piece in which it finds a damage. So pieces begin small and grow with what
   * is unpacked already: a damage costs less than a sixteenth of what is before it.
   */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.damage !== undefined || this.#gunzip.writableEnded) return;
      const piece = bytes.subarray(at, at + Math.max(64, this.#fed >> 4));
      at += piece.length;
      await this.#until((done) =>
        this.#gunzip.write(piece, (error) => {
          if (!error) this.#fed += piece.length;
          done();
        }),
      );
    }
  }

  /** No more bytes will come: a member that is not whole is a damage. */
  async end(): Promise<void> {
    if (this.damage !== undefined || this.#gunzip.writableEnded) return;
    // Zeros behind the last member have ended the output already.
    if (this.#gunzip.readableEnded) this.#gunzip.end();
    else await this.#until(() => this.#gunzip.end());
  }

  /** No more is taken: `end` was called, the data is damaged, or what follows it is no member. */
  get hasEnded(): boolean {
    return this.#gunzip.writableEnded;
  }

  /** Whoever waits for `write` or `end` waits no longer. */
  close(): void {
    this.#gunzip.destroy();
    this.#settle?.();
  }

  #until(start: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      start(resolve);
    });
  }
}
