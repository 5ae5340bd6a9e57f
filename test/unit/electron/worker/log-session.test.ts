import {
  appendFileSync,
  closeSync,
  openSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { batchLean } from '../../../support/batch-lean.ts';
import {
  bytes,
  frame,
  log,
  method,
  oldTraceStart,
  thread,
  trace,
  traceStart,
  zeros,
} from '../../../support/log-bytes.ts';
import { logOf } from '../../../support/log-writer/write-log.ts';
import { FaultyFiles } from '../../../support/tail-reader.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { WatchedLog } from '../../../support/watched-log.ts';

const names = log(
  thread(7, 'main'),
  trace(7, 1, frame(0x10, 3, 12), method(0x10, 'Shop.java', 'LShop;', 'main')),
);
const draw = trace(7, 2, frame(0x20, 5, 20), method(0x20, 'Shop.java', 'LShop;', 'draw'), frame(0x10, 3, 12));
const shop = log(names, draw, trace(7, 4, frame(0x10, 3, 12)));
const other = log(
  thread(9, 'worker'),
  trace(9, 100, frame(0x30, 1, 2), method(0x30, 'Other.java', 'LOther;', 'run')),
);

function fileWith(content: Uint8Array): string {
  const path = join(temporaryFolder(), 'a.hpl');
  writeFileSync(path, content);
  return path;
}

/** A log whose first polls have found its end. */
async function watching(content: Uint8Array, options?: ConstructorParameters<typeof WatchedLog>[1]) {
  const path = fileWith(content);
  const watched = new WatchedLog(path, options);
  await watched.clock.pass(100);
  return { path, watched };
}

test('a log that is there is read at once, and idle when nobody writes it', async () => {
  const { watched } = await watching(shop);
  expect(watched.state).toBe('live');
  expect(watched.copy.lean).toBe(batchLean(shop));
  await watched.clock.pass(2_500);
  expect(watched.state).toBe('idle');
  expect(watched.statuses.map(({ state }) => state)).toEqual(['reading', 'live', 'idle']);
  expect(watched.status).toMatchObject({
    fileBytes: shop.length,
    readBytes: shop.length,
    acceptedBytes: shop.length,
    skippedBytes: 0,
    pendingBytes: 0,
    samples: 3,
    threads: 1,
    methods: 13,
    frames: 2,
    nodes: 3,
    spanNs: 3e9,
    backwardSteps: 0,
    deepestStack: 2,
    errorSamples: {},
  });
});

test('while who has just come gets the first rows, no more of a long log is read', async () => {
  const path = fileWith(logOf('real', 8e6));
  const watched = new WatchedLog(path);
  await watched.clock.sleeping();
  const { readBytes, fileBytes } = watched.status;
  expect(watched.copy.lean).not.toBe('');
  expect(readBytes).toBeLessThan(fileBytes / 4);
  await watched.clock.pass(119);
  expect(watched.status.readBytes).toBe(readBytes);
  await watched.clock.pass(2);
  expect(watched.status.readBytes).toBe(fileBytes);
});

test('an old log is idle at once, whatever the time of its file', async () => {
  const path = fileWith(shop);
  utimesSync(path, 1e9, 1e9);
  const watched = new WatchedLog(path);
  await watched.clock.pass(0);
  expect(watched.state).toBe('idle');
  utimesSync(path, 4e9, 4e9);
  appendFileSync(path, draw);
  await watched.clock.pass(200);
  expect(watched.state).toBe('live');
  await watched.clock.pass(2_500);
  expect(watched.state).toBe('idle');
});

test('a half-written record is waited for, and a half-written stack is not shown', async () => {
  const { path, watched } = await watching(names);
  const start = traceStart(2, 7, 2);
  const before = batchLean(names);
  for (const piece of [start.subarray(0, 5), start.subarray(5), frame(0x20, 5, 20)]) {
    appendFileSync(path, piece);
    await watched.clock.pass(100);
    expect(watched.status.samples).toBe(1);
  }
  expect(watched.copy.lean.split('\n').length).toBe(before.split('\n').length);
  appendFileSync(path, frame(0x10, 3, 12));
  await watched.clock.pass(100);
  expect(watched.status.samples).toBe(2);
  expect(watched.copy.lean).toBe(batchLean(log(names, start, frame(0x20, 5, 20), frame(0x10, 3, 12))));
});

test('a writer that dies within a record or a stack: what there is counts, the rest is pending', async () => {
  const cut = log(names, traceStart(2, 7, 2), frame(0x10, 3, 12), frame(0x20, 5, 20).subarray(0, 9));
  const { watched } = await watching(cut);
  await watched.clock.pass(3_000);
  expect(watched.state).toBe('idle');
  expect(watched.status).toMatchObject({ samples: 2, pendingBytes: 9, acceptedBytes: cut.length - 9 });
  expect(watched.copy.lean).toBe(batchLean(cut));
});

test('a name that comes late is sent when it comes', async () => {
  const { path, watched } = await watching(log(traceStart(1, 7, 1), frame(0x10, 3, 12)));
  const nameOf = () => watched.copy.profile.methods.names[watched.copy.profile.frames.method[0]]?.methodName;
  expect(nameOf()).toBeUndefined();
  appendFileSync(path, method(0x10, 'Shop.java', 'LShop;', 'main'));
  await watched.clock.pass(100);
  expect(nameOf()).toBe('main');
});

test('a restart of the writer begins a new epoch, and nothing of the old one stays', async () => {
  const { path, watched } = await watching(shop);
  truncateSync(path);
  await watched.clock.pass(100);
  expect(watched.state).toBe('live in epoch 1 (truncated): The file is empty so far.');
  appendFileSync(path, other);
  await watched.clock.pass(100);
  expect(watched.state).toBe('live in epoch 1 (truncated)');
  expect(watched.status.restart).toMatchObject({ samplesBefore: 3 });
  expect(watched.copy.epoch).toBe(1);
  expect(watched.copy.lean).toBe(batchLean(other));
  writeFileSync(path, log(shop, shop));
  await watched.clock.pass(100);
  expect(watched.state).toBe('live in epoch 2 (rewritten)');
  expect(watched.copy.lean).toBe(batchLean(log(shop, shop)));
});

test.each([
  ['truncated to nothing', '', 'live in epoch 1 (truncated): The file is empty so far.'],
  [
    'replaced by a text',
    'Dear diary,\n'.repeat(100),
    'failed in epoch 1 (rewritten): Not a supported profile: this looks like plain text.',
  ],
])('a log that is %s shows nothing of what was before', async (_, content, state) => {
  const { path, watched } = await watching(shop);
  expect([watched.copy.epoch, watched.copy.profile.nodes.length]).toEqual([0, 3]);
  writeFileSync(path, content);
  await watched.clock.pass(300);
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

test('truncated under its writer: the hole is skipped, and names that are not repeated stay', async () => {
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

test('gone, and there again', async () => {
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

test('zeros at the end are not written yet, and read when they are', async () => {
  const content = log(names, zeros(draw.length + 100));
  const { path, watched } = await watching(content);
  expect(watched.status).toMatchObject({ pendingBytes: draw.length + 100, acceptedBytes: names.length });
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

test('damage: what was before it stays, its place is told, a restart heals it', async () => {
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

test('what is no log says what it is, is not read on, and may become one', async () => {
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3 << 20, 7)]);
  const { path, watched } = await watching(png);
  expect(watched.state).toBe('failed: Not a supported profile: this looks like a PNG image.');
  expect(watched.status.problem?.reasons[0].name).toBe('Honest Profiler log');
  expect(watched.status.readBytes).toBe(1 << 17);
  expect(watched.copy.profile.nodes.length).toBe(0);
  writeFileSync(path, shop);
  await watched.clock.pass(600);
  expect(watched.state).toBe('live in epoch 1 (truncated)');
  expect(watched.copy.lean).toBe(batchLean(shop));
});

test('what is no file says so', async () => {
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

test('what cannot be read and is not to be followed has failed', async () => {
  const missing = new WatchedLog(join(temporaryFolder(), 'none.hpl'), { follow: false });
  await missing.whenDone;
  expect(missing.state).toBe('failed: The file does not exist; check the path.');
  const files = new FaultyFiles();
  files.faults.open = 'EACCES';
  const locked = new WatchedLog(fileWith(shop), { follow: false, files });
  await locked.whenDone;
  expect(locked.state).toBe('failed: The file may not be read by this user; change its permissions.');
});

test('a log that grows byte by byte has at each byte what a reader of so many bytes has', async () => {
  const path = fileWith(new Uint8Array(0));
  const watched = new WatchedLog(path);
  for (let at = 0; at < shop.length; at++) {
    appendFileSync(path, shop.subarray(at, at + 1));
    await watched.clock.pass(50);
    const { acceptedBytes, skippedBytes, pendingBytes, damage } = watched.status;
    expect([acceptedBytes + pendingBytes, skippedBytes, damage]).toEqual([at + 1, 0, undefined]);
  }
  await watched.clock.pass(50);
  expect(watched.copy.lean).toBe(batchLean(shop));
  expect(watched.status).toMatchObject({ epoch: 0, samples: 3, pendingBytes: 0 });
});

test('a file that cannot be read for now', async () => {
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

test('an empty file is a log that has not begun', async () => {
  const { path, watched } = await watching(new Uint8Array(0));
  expect(watched.state).toBe('live: The file is empty so far.');
  await watched.clock.pass(3_000);
  expect(watched.state).toBe('idle: The file is empty so far.');
  expect(watched.copy.deltas).toBe(0);
  appendFileSync(path, shop);
  await watched.clock.pass(100);
  expect(watched.state).toBe('live');
  expect(watched.copy.lean).toBe(batchLean(shop));
});

test('not to be followed: read to its end, then the session is over', async () => {
  const watched = new WatchedLog(fileWith(shop), { follow: false });
  await watched.whenDone;
  expect(watched.state).toBe('idle');
  expect(watched.statuses.map(({ state }) => state)).toEqual(['reading', 'idle']);
  expect(watched.copy.lean).toBe(batchLean(shop));
  // Subscribers are served from memory.
  watched.session.receive({ type: 'subscribe', subscriber: 1 });
  expect(watched.copy.snapshots).toBe(2);
});

test('gzip, whole, in members, and while it is still being copied', async () => {
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

test('a cut gzip is damaged when it stops growing, and heals when it grows on', async () => {
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

test('what is read first is published before much is read', async () => {
  const large = logOf('skewed', 1_500_000);
  const { watched } = await watching(large);
  const [first] = watched.statuses;
  expect([first.state, first.readBytes]).toEqual(['reading', 1 << 18]);
  expect(first.samples).toBeGreaterThan(0);
  // Compared before: the difference of two such texts takes minutes to print.
  expect(watched.copy.lean === batchLean(large)).toBe(true);
});

test('more than a window can hold: said early, read up to there, and what was read is shown', async () => {
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

test('a subscriber that does not acknowledge gets nothing, and then all at once', async () => {
  const { path, watched } = await watching(names);
  watched.acknowledges = false;
  const { deltas } = watched.copy;
  const whole = [names];
  for (let second = 2; second < 30; second++) {
    whole.push(trace(7, second, frame(second, second, second), frame(0x10, 3, 12)));
    appendFileSync(path, whole[whole.length - 1]);
    await watched.clock.pass(100);
  }
  // The one under way came with the first append.
  expect(watched.copy.deltas).toBe(deltas + 1);
  watched.acknowledge();
  expect(watched.copy.deltas).toBe(deltas + 2);
  expect(watched.copy.lean).toBe(batchLean(log(...whole)));
  expect(watched.copy.snapshots).toBe(1);
});

test('an acknowledgement of something else is none', async () => {
  const { path, watched } = await watching(names);
  watched.acknowledges = false;
  const { deltas } = watched.copy;
  appendFileSync(path, draw);
  await watched.clock.pass(100);
  appendFileSync(path, draw);
  const { epoch } = watched.status;
  for (const revision of [-1, 0, 1e9] as const) {
    watched.session.receive({ type: 'ack', subscriber: 1, epoch, revision: revision as never });
  }
  watched.session.receive({ type: 'ack', subscriber: 77, epoch, revision: 1 as never });
  await watched.clock.pass(100);
  expect(watched.copy.deltas).toBe(deltas + 1);
});

test('a restart while a delta is under way: the new epoch comes after its acknowledgement', async () => {
  const { path, watched } = await watching(names);
  watched.acknowledges = false;
  appendFileSync(path, draw);
  await watched.clock.pass(100);
  writeFileSync(path, other);
  await watched.clock.pass(300);
  expect(watched.copy.epoch).toBe(0);
  watched.acknowledge();
  await watched.clock.pass(100);
  expect(watched.copy.epoch).toBe(1);
  expect(watched.copy.lean).toBe(batchLean(other));
});

test('a trace without time before one with time (type 1)', async () => {
  const { watched } = await watching(log(oldTraceStart(1, 7), frame(1, 2, 3)));
  expect(watched.status).toMatchObject({ samples: 1, spanNs: undefined });
});
