import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileState, TailFileSystem } from '../../../electron/source/tail-files.ts';
import { batchLean } from '../../support/batch-lean.ts';
import { bytes, frame, log, method, trace, zeros } from '../../support/log-bytes.ts';
import { goldenLog } from '../../support/read-log.ts';
import { randomLog } from '../../support/random-log.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { names } from '../../support/session-logs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testSize } from '../../support/test-size.ts';
import { WatchedLog } from '../../support/watched-log.ts';

const { seed, randomFor } = testSeed('preallocated-log');

const WRITERS = testSize(75, 20_000);
/** A record that ends within zeros is complete if its writer was quiet for so long. */
const RECORD_ENDS_AFTER_MS = 62_000;
/** Bytes that a read copies before the writer may run again. */
const PAGE = 32;

/**
 * A file in memory whose writer keeps zeros ahead. It writes in order, a few bytes at a time, and it may run while a read
 * copies one page after the other.
 */
class PreallocatedFile implements TailFileSystem {
  readonly #content: Uint8Array;
  readonly #region: number;
  readonly #random: SeededRandom;
  #written = 0;
  #size: number;
  /** Probability that the writer runs between two pages. */
  tearing = 0;

  constructor(content: Uint8Array, random: SeededRandom) {
    this.#content = content;
    this.#random = random;
    this.#region = random.pick([1, 40, 200, 4_096]);
    this.#size = this.#region;
  }

  get isWritten(): boolean {
    return this.#written === this.#content.length;
  }

  write(count: number): void {
    this.#written = Math.min(this.#written + count, this.#content.length);
    while (this.#size < this.#written) this.#size += this.#region;
  }

  open(): number {
    return 3;
  }

  close(): void {
    // There is nothing to close.
  }

  stat(): FileState {
    return {
      dev: 1n,
      ino: 1n,
      size: this.#size,
      modifiedNs: 0n,
      changedNs: 0n,
      refusal: undefined,
    };
  }

  fstat(): FileState {
    return this.stat();
  }

  read(_: number, into: Uint8Array, at: number, length: number, position: number): number {
    let count = 0;
    while (count < length && position + count < this.#size) {
      const end = Math.min(count + PAGE, length, this.#size - position);
      for (; count < end; count++) into[at + count] = this.#byteAt(position + count);
      if (this.#random.next() < this.tearing) this.write(1 + this.#random.below(3 * PAGE));
    }
    return count;
  }

  #byteAt(offset: number): number {
    return offset < this.#written ? this.#content[offset] : 0;
  }
}

test(
  `T42: ${WRITERS} writers that overwrite zeros, a few bytes at a time, between and during reads`,
  { timeout: 0 },
  async () => {
    for (let writer = 0; writer < WRITERS; writer++) {
      const random = randomFor(writer);
      const content = randomLog(random, { traces: 30 });
      const file = new PreallocatedFile(content, random);
      const watched = new WatchedLog('a.hpl', { files: file });
      await watched.clock.pass(50);
      file.tearing = random.pick([0, 0.05, 0.3]);
      // Also pauses after which a log is idle.
      const longestPause = random.pick([120, 3_000]);
      let samples = 0;
      while (!file.isWritten) {
        file.write(random.below(random.pick([3, 60, 600])));
        if (random.below(3) > 0) await watched.clock.pass(random.below(longestPause));
        const { status } = watched;
        const where = `seed ${seed}, writer ${writer}`;
        expect([status.epoch, status.damage, status.skippedBytes], where).toEqual([0, undefined, 0]);
        // A sample may be withdrawn only while it is the last one, because its stack has turned out to be longer.
        expect(status.samples, where).toBeGreaterThanOrEqual(samples - 1);
        samples = status.samples;
      }
      await watched.clock.pass(RECORD_ENDS_AFTER_MS);
      expect([watched.status.epoch, watched.state], `seed ${seed}, writer ${writer}`).toEqual([0, 'idle']);
      expect(watched.copy.lean, `seed ${seed}, writer ${writer}`).toBe(batchLean(content));
      await watched.stop();
    }
  },
);

test('T42: a part of a record before zeros is no record', async () => {
  const whole = log(names, trace(7, 2, frame(0x20, 5, 20)), method(0x20, 'Shop.java', 'LShop;', 'draw'));
  const path = join(temporaryFolder(), 'a.hpl');
  writeFileSync(path, whole.subarray(0, 1));
  const watched = new WatchedLog(path);
  for (let length = 1; length <= whole.length; length++) {
    writeFileSync(path, log(whole.subarray(0, length), zeros(300)), { flag: 'r+' });
    await watched.clock.pass(50);
    const { epoch, damage, skippedBytes, acceptedBytes } = watched.status;
    expect([epoch, damage, skippedBytes]).toEqual([0, undefined, 0]);
    expect(acceptedBytes).toBeLessThanOrEqual(length);
  }
  // The name ends with zeros. They belong to it once nobody writes any more.
  await watched.clock.pass(RECORD_ENDS_AFTER_MS);
  expect(watched.status).toMatchObject({ acceptedBytes: whole.length, pendingBytes: 300, samples: 2 });
  expect(watched.copy.lean).toBe(batchLean(whole));
});

test('T42: a writer that pauses within a record, and one that does so for more than a minute', async () => {
  // The first byte of the line, 1 024, is written; the writer is suspended before the second one. 16 bytes of the frame are there.
  const whole = log(names, trace(7, 2, frame(0x0102, 5, 20)), bytes(4));
  const begun = log(whole.subarray(0, whole.length - 2), zeros(100));
  for (const [pauseMs, paused, then] of [
    [50_000, { epoch: 0, samples: 1, pendingBytes: 116 }, 0],
    // The zeros were counted to the record: it is read again, and nothing is lost.
    [RECORD_ENDS_AFTER_MS, { epoch: 0, samples: 2, pendingBytes: 99 }, 1],
  ] as const) {
    const path = join(temporaryFolder(), 'a.hpl');
    writeFileSync(path, begun);
    const watched = new WatchedLog(path);
    await watched.clock.pass(pauseMs);
    expect(watched.status).toMatchObject(paused);
    writeFileSync(path, whole, { flag: 'r+' });
    await watched.clock.pass(5_000);
    expect(watched.status).toMatchObject({ epoch: then, samples: 2, damage: undefined });
    expect(watched.copy.lean).toBe(batchLean(log(whole, zeros(100))));
    await watched.stop();
  }
});

const PROGRAM = 'test/support/preallocating-writer.mjs';

for (const region of [1_000, 4_096, 65_536]) {
  test(`T42: a writer in another process that keeps ${region} zeros ahead`, async () => {
    const folder = temporaryFolder();
    const source = join(folder, 'source.hpl');
    const content = goldenLog('hello');
    writeFileSync(source, content);
    const path = join(folder, 'a.hpl');
    const watched = new WatchedLog(path);
    const writer = spawn(process.execPath, [PROGRAM, source, path, String(region), '0.1'], {
      stdio: 'inherit',
    });
    let hasEnded = false;
    writer.once('exit', () => void (hasEnded = true));
    while (!hasEnded) {
      await watched.clock.pass(50);
      expect([watched.status.epoch, watched.status.damage, watched.status.skippedBytes]).toEqual([
        0,
        undefined,
        0,
      ]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await watched.clock.pass(5_000);
    expect([watched.status.epoch, watched.state]).toEqual([0, 'idle']);
    expect(watched.copy.lean).toBe(batchLean(content));
  });
}
