import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { batchLean } from '../support/batch-lean.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testSeed } from '../support/test-seed.ts';
import { WatchedLog } from '../support/watched-log.ts';

const { randomFor } = testSeed('recorded-logs');
const recorded = '../shared/data/hpl';
const recordedLogs = existsSync(recorded)
  ? readdirSync(recorded).filter((name) => name.endsWith('.hpl.gz') && !name.startsWith('server-20mb'))
  : [];
if (recordedLogs.length === 0) console.log('recorded-logs: no shared data folder, recorded logs are skipped');

test.each(recordedLogs)('%s grown at random cuts equals the whole', async (name) => {
  const random = randomFor(recordedLogs.indexOf(name));
  const whole = gunzipSync(readFileSync(`${recorded}/${name}`));
  const path = join(temporaryFolder(), name);
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
});
