import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { batchLean } from '../../support/batch-lean.ts';
import { log, method, zeros } from '../../support/log-bytes.ts';
import { draw, names, other, shop, watching } from '../../support/session-logs.ts';

test('T15: a restart of the writer begins a new epoch with nothing of the old one', async () => {
  const { path, watched } = await watching(shop);
  truncateSync(path);
  await watched.clock.pass(100);
  expect(watched.state).toBe('live in epoch 1 (truncated): The file is empty so far.');
  appendFileSync(path, other);
  await watched.clock.pass(100);
  expect(watched.state).toBe('live in epoch 1 (truncated)');
  expect(watched.status.restart).toMatchObject({ samplesBefore: 3, count: 1 });
  expect(watched.copy.epoch).toBe(1);
  expect(watched.copy.lean).toBe(batchLean(other));
  writeFileSync(path, log(shop, shop));
  await watched.clock.pass(100);
  expect(watched.state).toBe('live in epoch 2 (rewritten)');
  expect(watched.status.restart).toMatchObject({ kind: 'rewritten', count: 2 });
  expect(watched.copy.lean).toBe(batchLean(log(shop, shop)));
});

test.each([
  ['truncated to nothing', '', 'live in epoch 1 (truncated): The file is empty so far.'],
  [
    'replaced by a picture',
    '\x89PNG\r\n\x1a\n'.repeat(100),
    'failed in epoch 1 (rewritten): Not a supported profile: this looks like a PNG image.',
  ],
  [
    'replaced by a text',
    'Dear diary,\n'.repeat(100),
    'failed in epoch 1 (rewritten): Not a supported profile: this looks like plain text.',
  ],
])('a log that is %s shows nothing of its old content', async (_, content, state) => {
  const { path, watched } = await watching(shop);
  expect([watched.copy.epoch, watched.copy.profile.nodes.length]).toEqual([0, 3]);
  writeFileSync(path, content, 'latin1');
  await watched.clock.pass(300);
  // Until the file is quiet, a thread dump may follow a text.
  if (state.endsWith('plain text.')) {
    expect(watched.state).toBe('live in epoch 1 (rewritten)');
    await watched.clock.pass(2_500);
  }
  expect(watched.state).toBe(state);
  expect(watched.status).toMatchObject({ restart: { samplesBefore: 3 }, samples: 0 });
  expect([watched.copy.epoch, watched.copy.lean]).toEqual([1, '']);
  // Once: a copy that is empty is not emptied again.
  const { deltas } = watched.copy;
  await watched.clock.pass(3_000);
  expect(watched.copy.deltas).toBe(deltas);
  writeFileSync(path, other);
  await watched.clock.pass(600);
  expect(watched.copy.lean).toBe(batchLean(other));
});

test('who connects again after the truncation is sent the empty profile, too', async () => {
  const { path, watched } = await watching(shop);
  watched.session.receive({ type: 'unsubscribe', subscriber: 1 });
  truncateSync(path);
  await watched.clock.pass(300);
  expect([watched.copy.epoch, watched.copy.profile.nodes.length]).toEqual([0, 3]);
  watched.session.receive({ type: 'subscribe', subscriber: 1, samples: true });
  await watched.clock.pass(300);
  expect([watched.copy.epoch, watched.copy.lean]).toEqual([1, '']);
});

test('T12: truncated while its writer continues: the hole is skipped, and names that are not repeated stay', async () => {
  const { path, watched } = await watching(shop);
  const writer = openSync(path, 'r+');
  onTestFinished(() => closeSync(writer));
  truncateSync(path);
  writeSync(writer, draw, 0, draw.length, shop.length);
  await watched.clock.pass(200);
  expect(watched.status).toMatchObject({ epoch: 1, samples: 1, skippedBytes: shop.length });
  const { methods, threads, frames } = watched.copy.profile;
  expect(
    Array.from(frames.method.subarray(0, frames.length), (row) => methods.names[row]?.methodName),
  ).toEqual(['draw', 'main']);
  expect(threads.name.slice(0, threads.length)).toEqual(['main']);
});

test('T16 T18: a deleted file keeps its rows, and a new file at its path begins a new epoch', async () => {
  const { path, watched } = await watching(shop);
  unlinkSync(path);
  await watched.clock.pass(100);
  expect(watched.state).toBe(
    'gone: The file was deleted or moved. A new file at its path opens when it appears.',
  );
  expect(watched.copy.lean).toBe(batchLean(shop));
  writeFileSync(path, other);
  await watched.clock.pass(1_000);
  expect(watched.state).toBe('live in epoch 1 (replaced)');
  expect(watched.copy.lean).toBe(batchLean(other));
});

test('T42: zeros at the end are pending, and are read again when the writer has overwritten them', async () => {
  const content = log(names, zeros(draw.length + 100));
  const { path, watched } = await watching(content);
  // The last record ends with zeros, so only a part of it may have been written.
  const definition = method(0x10, 'Shop.java', 'LShop;', 'main').length;
  expect(watched.status).toMatchObject({
    pendingBytes: definition + draw.length + 100,
    acceptedBytes: names.length - definition,
  });
  const writer = openSync(path, 'r+');
  onTestFinished(() => closeSync(writer));
  writeSync(writer, draw, 0, draw.length, names.length);
  await watched.clock.pass(200);
  expect(watched.status).toMatchObject({
    epoch: 0,
    pendingBytes: 100,
    skippedBytes: 0,
    acceptedBytes: names.length + draw.length,
    readBytes: content.length,
  });
  expect(watched.copy.lean).toBe(batchLean(log(names, draw)));
});

const SAME_MARKS = 'test/fixtures/same-marks';

for (const name of ['old.hpl', 'c.txt', 's.json']) {
  test(`T14: a file is rewritten to its length, with the same first and last bytes: ${name}`, async () => {
    const [before, after] = ['A', 'B'].map((run) => readFileSync(`${SAME_MARKS}/${run}-${name}`));
    const { path, watched } = await watching(new Uint8Array(before));
    await watched.clock.pass(3_000);
    const lean = watched.copy.lean;
    writeFileSync(path, after);
    utimesSync(path, 1e9, 1e9);
    await watched.clock.pass(5_000);
    expect(watched.status).toMatchObject({ epoch: 1, restart: { kind: 'rewritten' } });
    expect(watched.copy.lean).not.toBe(lean);
    expect(watched.copy.epoch).toBe(1);
  });
}
