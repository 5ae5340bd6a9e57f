import { afterEach, expect, test, vi } from 'vitest';
import { openGunzip } from '../../../renderer/profile-worker/open-gunzip.ts';

const STORED_BYTES = 2 << 20;
const RATIO = 1000;

afterEach(() => void vi.unstubAllGlobals());

/** Unpacks each byte to RATIO bytes, and queues them until they are read, as a browser does. */
class Bomb {
  static queued = 0;
  static mostQueued = 0;
  readonly writable: WritableStream<Uint8Array>;
  readonly readable: { getReader(): { read(): Promise<ReadableStreamReadResult<Uint8Array>> } };

  constructor() {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (chunk.length === 0) return;
        Bomb.queued += chunk.length * RATIO;
        Bomb.mostQueued = Math.max(Bomb.mostQueued, Bomb.queued);
        controller.enqueue(new Uint8Array(chunk.length * RATIO));
      },
    });
    this.writable = writable;
    const reader = readable.getReader();
    const read = async (): Promise<ReadableStreamReadResult<Uint8Array>> => {
      const next = await reader.read();
      Bomb.queued -= next.value?.length ?? 0;
      return next;
    };
    this.readable = { getReader: () => ({ read }) };
  }
}

test('B18: of a gzip bomb the page never holds more than a piece', async () => {
  vi.stubGlobal('DecompressionStream', Bomb);
  let unpacked = 0;
  const gunzip = await openGunzip((bytes) => (unpacked += bytes.length));
  await gunzip.write(new Uint8Array(STORED_BYTES));
  expect(unpacked).toBe(STORED_BYTES * RATIO);
  await gunzip.end();
  expect([Bomb.queued, gunzip.damage]).toEqual([0, undefined]);
  expect(Bomb.mostQueued).toBeLessThanOrEqual(32_768 * RATIO);
});
