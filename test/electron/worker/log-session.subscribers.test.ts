import { appendFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { batchLean } from '../../support/batch-lean.ts';
import { frame, log, trace } from '../../support/log-bytes.ts';
import { logOf } from '../../support/log-writer/write-log.ts';
import { draw, fileWith, names, other, watching } from '../../support/session-logs.ts';
import { WatchedLog } from '../../support/watched-log.ts';

test('after a subscription reading of a long log pauses, so that the first rows get the CPU', async () => {
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

test('the first rows are sent before much is read', async () => {
  const large = logOf('skewed', 1_500_000);
  const { watched } = await watching(large);
  const [first] = watched.statuses;
  expect([first.state, first.readBytes]).toEqual(['reading', 1 << 18]);
  expect(first.samples).toBeGreaterThan(0);
  // Compared before: the difference of two such texts takes minutes to print.
  expect(watched.copy.lean === batchLean(large)).toBe(true);
});

test('while a long log is read, a subscriber gets a delta five times a second', async () => {
  const watched = new WatchedLog(fileWith(logOf('skewed', 12e6)));
  const { clock, copy } = watched;
  await clock.sleeping();
  const before = copy.deltas;
  let readMs = 0;
  clock.afterPendingEvents = () => {
    readMs += 40;
    clock.advance(40);
    return new Promise((resolve) => setImmediate(resolve));
  };
  await clock.pass(120);
  expect(watched.status.readBytes).toBe(watched.status.fileBytes);
  expect(readMs).toBeGreaterThanOrEqual(400);
  // The last one comes when all is read.
  expect(copy.deltas - before).toBeLessThanOrEqual(Math.ceil(readMs / 200) + 1);
  expect(copy.deltas - before).toBeGreaterThan(readMs / 200);
});

test('a subscriber that does not acknowledge gets no delta, and then one with all changes', async () => {
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

test('an acknowledgement of an unknown delta is ignored', async () => {
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

test('a new epoch is sent after the last delta of the old one was acknowledged', async () => {
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
