import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { batchLean } from './batch-lean.ts';
import type { SeededRandom } from './seeded-random.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { WatchedLog } from './watched-log.ts';

/** Writes a log piece by piece while it is followed: nothing begins anew, and at its end it equals the whole log. */
export async function expectGrownAtRandom(whole: Uint8Array, random: SeededRandom): Promise<void> {
  const path = join(temporaryFolder(), 'grown.hpl');
  writeFileSync(path, '');
  const watched = new WatchedLog(path);
  const pieces = 60;
  for (let at = 0, piece = 0; at < whole.length; piece++) {
    const length = piece === pieces ? whole.length - at : random.below((2 * whole.length) / pieces) + 1;
    appendFileSync(path, whole.subarray(at, at + length));
    at += length;
    watched.acknowledges = random.below(4) > 0;
    await watched.clock.pass(random.below(300));
    if (random.below(10) === 0) await watched.clock.pass(2_500);
    if (random.below(2) === 0) watched.acknowledge();
  }
  watched.acknowledges = true;
  watched.acknowledge();
  await watched.clock.pass(3_000);
  expect(watched.status.epoch).toBe(0);
  expect(watched.copy.snapshots).toBe(1);
  expect(watched.copy.lean === batchLean(whole)).toBe(true);
  const { acceptedBytes, skippedBytes, pendingBytes } = watched.status;
  expect(acceptedBytes + skippedBytes + pendingBytes).toBe(whole.length);
}
