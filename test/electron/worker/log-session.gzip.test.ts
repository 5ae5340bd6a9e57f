import { appendFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { batchLean } from '../../support/batch-lean.ts';
import { log } from '../../support/log-bytes.ts';
import { draw, names, shop, watching } from '../../support/session-logs.ts';

test('T51: gzip in members, while it is still being copied', async () => {
  const packed = Buffer.concat([gzipSync(names), gzipSync(draw)]);
  const { path, watched } = await watching(packed.subarray(0, 1));
  for (let at = 1; at < packed.length; at += 40) {
    appendFileSync(path, packed.subarray(at, at + 40));
    await watched.clock.pass(100);
    expect(watched.state).toBe('live');
  }
  expect(watched.copy.lean).toBe(batchLean(log(names, draw)));
  expect(watched.status).toMatchObject({
    fileBytes: packed.length,
    readBytes: packed.length,
    acceptedBytes: names.length + draw.length,
  });
  await watched.clock.pass(3_000);
  expect(watched.state).toBe('idle');
});

test('a truncated gzip file is damaged when it stops growing, and is read on when it grows', async () => {
  const packed = gzipSync(shop);
  const half = packed.length - 20;
  const { path, watched } = await watching(packed.subarray(0, half));
  expect(watched.state).toBe('live');
  await watched.clock.pass(3_000);
  expect(watched.state).toBe('damaged');
  expect(watched.status.damage).toMatchObject({
    what: 'gzip data',
    byteOffset: half,
    found: 'the end of the file',
    expected: 'more compressed data',
  });
  appendFileSync(path, packed.subarray(half));
  await watched.clock.pass(200);
  expect(watched.state).toBe('live');
  expect(watched.copy.lean).toBe(batchLean(shop));
  expect(watched.copy.snapshots).toBe(1);
  await watched.clock.pass(3_000);
  expect(watched.state).toBe('idle');
});
