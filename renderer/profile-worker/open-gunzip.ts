import type { OpenGunzip, UnpackDamage, Unpacker } from '../../shared/unpack/unpacker.ts';

/** The browser's own gunzip. It takes one member only, and treats what follows it as damage. */
class GzipUnpacker implements Unpacker {
  damage: UnpackDamage | undefined;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  /** Resolves when the output has ended and was emitted; never rejects. */
  readonly #emitted: Promise<void>;
  #storedBytes = 0;

  constructor(onBytes: (bytes: Uint8Array) => void) {
    const { readable, writable } = new DecompressionStream('gzip');
    this.#writer = writable.getWriter();
    // It rejects only with the errors of `write` and `close`.
    this.#writer.closed.catch(() => undefined);
    this.#emitted = this.#emit(readable, onBytes);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.damage !== undefined) return;
    // Copied: the stream keeps its chunks, and this buffer is reused.
    await this.#attempt(this.#writer.write(bytes.slice()));
    this.#storedBytes += bytes.length;
  }

  async end(): Promise<void> {
    if (this.damage === undefined) await this.#attempt(this.#writer.close());
    await this.#emitted;
  }

  close(): void {
    this.#writer.abort().catch(() => undefined);
  }

  async #emit(readable: ReadableStream<Uint8Array>, onBytes: (bytes: Uint8Array) => void): Promise<void> {
    const reader = readable.getReader();
    for (;;) {
      const next = await reader.read().catch(() => undefined);
      if (next === undefined || next.done) return;
      onBytes(next.value);
    }
  }

  async #attempt(step: Promise<void>): Promise<void> {
    try {
      await step;
    } catch (error) {
      this.damage ??= {
        byteOffset: this.#storedBytes,
        found: error instanceof Error ? error.message : String(error),
        expected: 'compressed data',
      };
    }
  }
}

export const openGunzip: OpenGunzip = (onBytes) => Promise.resolve(new GzipUnpacker(onBytes));
