import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { batchLean } from '../../support/batch-lean.ts';
import { bytes, log, zeros } from '../../support/log-bytes.ts';
import { logOf } from '../../support/log-writer/write-log.ts';
import { draw, fileWith, names, other, shop, watching } from '../../support/session-logs.ts';
import { FaultyFiles } from '../../support/tail-reader.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { WatchedLog } from '../../support/watched-log.ts';

test('damage: what was read before stays, its offset is reported, and a new epoch ends it', async () => {
  const broken = log(shop, bytes(0xee), zeros(200));
  const { path, watched } = await watching(broken);
  expect(watched.state).toBe('damaged');
  expect(watched.status).toMatchObject({
    damage: { what: 'record type', byteOffset: shop.length, found: 'type 238 (0xee)' },
    acceptedBytes: shop.length,
    skippedBytes: 201,
    pendingBytes: 0,
  });
  await watched.clock.pass(3_000);
  expect(watched.copy.lean).toBe(batchLean(shop));
  truncateSync(path);
  appendFileSync(path, other);
  await watched.clock.pass(200);
  expect(watched.state).toBe('live in epoch 1 (truncated)');
  expect(watched.status.damage).toBeUndefined();
});

test('another file is recognised, not read further, and may be replaced by a log', async () => {
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3 << 20, 7)]);
  const { path, watched } = await watching(png);
  expect(watched.state).toBe('failed: Not a supported profile: this looks like a PNG image.');
  expect(watched.status.problem?.reasons).toEqual([]);
  expect(watched.status.readBytes).toBe(1 << 17);
  expect(watched.copy.profile.nodes.length).toBe(0);
  writeFileSync(path, shop);
  await watched.clock.pass(600);
  expect(watched.state).toBe('live in epoch 1 (truncated)');
  expect(watched.copy.lean).toBe(batchLean(shop));
});

test('T27 T28: a path that is not a regular file is reported', async () => {
  const folder = new WatchedLog(temporaryFolder());
  await folder.clock.pass(10);
  expect(folder.state).toBe('failed: This is a directory; name a file inside it.');
  const device = new WatchedLog('/dev/zero', { follow: false });
  await device.whenDone;
  expect(device.state).toBe('failed: This is a device; name a file.');
  const path = join(temporaryFolder(), 'not-yet.hpl');
  const missing = new WatchedLog(path);
  await missing.clock.pass(10);
  expect(missing.state).toBe(`waiting: Waiting for ${path}. It opens when the file appears.`);
  writeFileSync(path, shop);
  await missing.clock.pass(300);
  expect(missing.state).toBe('live');
});

test('a file that cannot be read and is not followed has failed', async () => {
  const missing = new WatchedLog(join(temporaryFolder(), 'none.hpl'), { follow: false });
  await missing.whenDone;
  expect(missing.state).toBe('failed: The file does not exist; check the path.');
  // As Electron's dialogs give a name of other bytes.
  const replaced = new WatchedLog(join(temporaryFolder(), 'caf\ufffd.hpl'));
  await replaced.clock.pass(10);
  expect(replaced.state).toBe(
    'waiting: The file was not found, probably because its name is not UTF-8; rename it, or open it from a terminal: leanscope serve FILE.',
  );
  const files = new FaultyFiles();
  files.faults.open = 'EACCES';
  const locked = new WatchedLog(fileWith(shop), { follow: false, files });
  await locked.whenDone;
  expect(locked.state).toBe('failed: The file may not be read by this user; change its permissions.');
});

test('T32: after an error of the disk the file is read again', async () => {
  const files = new FaultyFiles();
  const { path, watched } = await watching(names, { files });
  files.faults.read = 'EIO';
  appendFileSync(path, draw);
  await watched.clock.pass(100);
  expect(watched.state).toBe(
    'waiting: The file could not be read (EIO); check the disk or the network drive. Leanscope keeps trying.',
  );
  delete files.faults.read;
  await watched.clock.pass(300);
  expect(watched.state).toBe('live');
  expect(watched.copy.lean).toBe(batchLean(log(names, draw)));
});

test('more than a window can hold: announced early, read up to the limit, and what was read is shown', async () => {
  const hostile = logOf('hostile', 12_000_000);
  const { path, watched } = await watching(hostile, { mostNodes: 300_000 });
  await watched.clock.pass(100);
  const said = watched.statuses.map(({ state, detail, readBytes }) => ({ state, detail, readBytes }));
  const warned = said.find(({ detail }) => detail !== undefined)!;
  expect(warned.state).toBe('reading');
  expect(warned.readBytes).toBeLessThan(6_000_000);
  expect(warned.detail).toMatch(
    /^This log will have about [5-9]\d\d,\d\d\d call nodes, and a window holds 300,000/,
  );
  // Nobody waits for the rest of the last stack.
  await watched.clock.pass(3_000);
  expect(watched.state).toMatch(/^full: Only the first [3-7]\d % of this log are shown/);
  const { nodes, readBytes } = watched.status;
  expect(nodes).toBeGreaterThanOrEqual(300_000);
  expect(nodes).toBeLessThan(400_000);
  expect(watched.copy.lean).toBe(batchLean(hostile.subarray(0, readBytes)));
  writeFileSync(path, other);
  await watched.clock.pass(300);
  expect(watched.state).toBe('live in epoch 1 (truncated)');
  expect(watched.copy.lean).toBe(batchLean(other));
});
