import { appendFileSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { batchLean } from '../../support/batch-lean.ts';
import { frame, log, method, oldTraceStart, traceStart } from '../../support/log-bytes.ts';
import { draw, fileWith, names, shop, watching } from '../../support/session-logs.ts';
import { WatchedLog } from '../../support/watched-log.ts';

test('a log that exists is read at once, and becomes idle when it does not grow', async () => {
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
    lastTime: '4000000000',
    backwardSteps: 0,
    deepestStack: 2,
    errorSamples: {},
  });
});

test('an old log is idle at once; appended bytes make it live, whatever its modification time', async () => {
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

test('T05: an incomplete record is waited for, and an incomplete stack is not shown', async () => {
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

test('T07: when a writer ends within a stack, its frames count and the incomplete record is pending', async () => {
  const cut = log(names, traceStart(2, 7, 2), frame(0x10, 3, 12), frame(0x20, 5, 20).subarray(0, 9));
  const { watched } = await watching(cut);
  await watched.clock.pass(3_000);
  expect(watched.state).toBe('idle');
  expect(watched.status).toMatchObject({ samples: 2, pendingBytes: 9, acceptedBytes: cut.length - 9 });
  expect(watched.copy.lean).toBe(batchLean(cut));
});

test('T06: a name that arrives late is sent when it arrives', async () => {
  const { path, watched } = await watching(log(traceStart(1, 7, 1), frame(0x10, 3, 12)));
  const nameOf = () => watched.copy.profile.methods.names[watched.copy.profile.frames.method[0]]?.methodName;
  expect(nameOf()).toBeUndefined();
  appendFileSync(path, method(0x10, 'Shop.java', 'LShop;', 'main'));
  await watched.clock.pass(100);
  expect(nameOf()).toBe('main');
});

test('T03: a log that grows byte by byte equals the log read at once', async () => {
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

test('a log that is not followed is read to its end, then the loop ends', async () => {
  const watched = new WatchedLog(fileWith(shop), { follow: false });
  await watched.whenDone;
  expect(watched.state).toBe('idle');
  expect(watched.statuses.map(({ state }) => state)).toEqual(['reading', 'idle']);
  expect(watched.copy.lean).toBe(batchLean(shop));
  // Subscribers are served from memory.
  watched.session.receive({ type: 'subscribe', subscriber: 1, samples: true });
  expect(watched.copy.snapshots).toBe(2);
});

test('a file that is finished is read to its end, and the worker is done when its subscriber has everything', async () => {
  const path = fileWith(shop);
  const watched = new WatchedLog(path);
  watched.acknowledges = false;
  await watched.clock.pass(100);
  appendFileSync(path, draw);
  watched.session.receive({ type: 'finish' });
  watched.clock.release();
  await watched.whenDone;
  expect([watched.state, watched.doneRequests]).toEqual(['idle', []]);
  watched.acknowledge();
  expect(watched.doneRequests).toEqual([]);
  watched.acknowledge();
  expect(watched.copy.lean).toBe(batchLean(log(shop, draw)));
  expect(watched.doneRequests).toEqual([1]);
  // Who comes later is served, and then it is done again.
  watched.session.receive({ type: 'subscribe', subscriber: 1, samples: true });
  expect(watched.doneRequests).toEqual([1]);
  watched.acknowledge();
  expect(watched.doneRequests).toEqual([1, 2]);
});

test('a trace without a time (record type 1) is counted', async () => {
  const { watched } = await watching(log(oldTraceStart(1, 7), frame(1, 2, 3)));
  expect(watched.status).toMatchObject({ samples: 1, spanNs: undefined, lastTime: undefined });
});
