import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { leanText } from '../../support/mirrored-copy.ts';
import { readInput } from '../../support/read-input.ts';
import { FaultyFiles } from '../../support/tail-reader.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { WatchedLog } from '../../support/watched-log.ts';

const packed = readFileSync('test/golden/jfr/shop-jdk17.jfr.gz');
const recording = gunzipSync(packed);

async function watching(content: Uint8Array): Promise<{ path: string; watched: WatchedLog }> {
  const path = join(temporaryFolder(), 'shop.jfr');
  writeFileSync(path, content);
  const watched = new WatchedLog(path);
  await watched.clock.pass(3_000);
  return { path, watched };
}

test.each([
  ['plain', recording],
  ['gzip', packed],
])('what is chosen is read anew, in an epoch of its own (%s)', async (_storage, content) => {
  const { watched } = await watching(content);
  expect([watched.state, watched.status.samples]).toEqual(['idle', 802]);
  expect(watched.copy.lean).toBe(leanText(readInput(recording).profile));

  const alloc = { 'sample-type': 'alloc' };
  watched.session.receive({ type: 'choose', chosen: alloc });
  await watched.clock.pass(3_000);
  expect(watched.status).toMatchObject({ state: 'idle', epoch: 1, samples: 1768, restart: undefined });
  expect(watched.status.choices.find(({ id }) => id === 'sample-type')?.chosen).toBe('alloc');
  expect(watched.copy.lean).toBe(leanText(readInput(recording, alloc).profile));
});

test('what is chosen while the end of the file is being unpacked is what is read', async () => {
  const path = join(temporaryFolder(), 'shop.jfr.gz');
  writeFileSync(path, packed);
  const files = new FaultyFiles();
  const watched = new WatchedLog(path, { follow: false, files });
  files.beforeRead = () => {
    if (watched.status.readBytes < packed.length) return;
    files.beforeRead = () => undefined;
    // Everything up to zlib's thread goes by before a tick, and nothing that zlib answers does.
    process.nextTick(() => watched.session.receive({ type: 'choose', chosen: { 'sample-type': 'alloc' } }));
  };
  await watched.whenDone;
  expect(watched.status).toMatchObject({ state: 'idle', epoch: 1, samples: 1768 });
});

test('what is chosen of a log that is not followed is read after its end, too', async () => {
  const path = join(temporaryFolder(), 'shop.jfr');
  writeFileSync(path, recording);
  const watched = new WatchedLog(path, { follow: false });
  await watched.whenDone;
  expect([watched.status.state, watched.status.samples]).toEqual(['idle', 802]);
  for (const [type, samples] of [
    ['alloc', 1768],
    ['cpu', 802],
  ] as const) {
    watched.session.receive({ type: 'choose', chosen: { 'sample-type': type } });
    await waitFor(() => watched.status.samples === samples && watched.state.startsWith('idle'), type);
    expect(watched.copy.lean).toBe(leanText(readInput(recording, { 'sample-type': type }).profile));
  }
});

test('a file that was missing and is not followed is read when it is tried again', async () => {
  const path = join(temporaryFolder(), 'later.jfr');
  const watched = new WatchedLog(path, { follow: false });
  await watched.whenDone;
  expect(watched.status.state).toBe('failed');
  writeFileSync(path, recording);
  watched.session.receive({ type: 'choose', chosen: {} });
  await waitFor(() => watched.state.startsWith('idle'), 'the file');
  expect(watched.status.samples).toBe(802);
});

test('a format that cannot be followed is read when its file rests, and what comes later is told', async () => {
  const path = join(temporaryFolder(), 'shop.jfr');
  writeFileSync(path, recording.subarray(0, 300_000));
  const watched = new WatchedLog(path);
  await watched.clock.pass(500);
  expect([watched.status.state, watched.status.damage]).toEqual(['reading', undefined]);
  appendFileSync(path, recording.subarray(300_000));
  await watched.clock.pass(3_000);
  expect([watched.state, watched.status.samples]).toEqual(['idle', 802]);
  appendFileSync(path, 'more');
  await watched.clock.pass(3_000);
  expect(watched.state).toBe(
    'idle: The file has grown since it was read, and its format cannot be followed. Close it and open it again.',
  );
  expect(watched.status.samples).toBe(802);
});
