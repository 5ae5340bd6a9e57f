import { appendFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../../shared/formats/honest-log/decoder.ts';
import { batchLean } from '../../support/batch-lean.ts';
import { log } from '../../support/log-bytes.ts';
import { logOf } from '../../support/log-writer/write-log.ts';
import { leanText } from '../../support/mirrored-copy.ts';
import { randomPieces } from '../../support/random-log.ts';
import { readLog } from '../../support/read-log.ts';
import { draw, fileWith, names, shop, watching } from '../../support/session-logs.ts';
import { testSeed } from '../../support/test-seed.ts';
import { WatchedLog } from '../../support/watched-log.ts';

const { randomFor } = testSeed('log-session.cases');

test('T02: a million records, appended quickly', async () => {
  const whole = logOf('hostile', 18_000_000);
  expect(readLog(whole).decoder.records).toBeGreaterThan(1_000_000);
  const path = fileWith(new Uint8Array(0));
  const watched = new WatchedLog(path);
  for (const piece of randomPieces(randomFor(0), whole, 1_000_000)) {
    appendFileSync(path, piece);
    await watched.clock.pass(50);
  }
  await watched.clock.pass(3_000);
  expect(watched.status).toMatchObject({ epoch: 0, damage: undefined, acceptedBytes: whole.length });
  expect(watched.copy.lean === batchLean(whole)).toBe(true);
});

test('T04: a log in two parts, divided at every byte', () => {
  const whole = batchLean(shop);
  for (let at = 0; at <= shop.length; at++) {
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    decoder.append(shop.subarray(0, at));
    decoder.emitOpen(false);
    decoder.append(shop.subarray(at));
    decoder.emitOpen(true);
    expect(leanText(aggregator.profile), `divided at byte ${at}`).toBe(whole);
  }
});

test('T37: growth is found by looking, within a quarter of a second, in every state', async () => {
  const { path, watched } = await watching(names);
  appendFileSync(path, draw);
  await watched.clock.pass(50);
  expect([watched.state, watched.status.samples]).toEqual(['live', 2]);
  await watched.clock.pass(60_000);
  appendFileSync(path, draw);
  await watched.clock.pass(150);
  expect([watched.state, watched.status.samples]).toEqual(['live', 3]);
  writeFileSync(path, 'x');
  await watched.clock.pass(60_000);
  expect(watched.state).toMatch(/^failed/);
  writeFileSync(path, log(names, draw));
  await watched.clock.pass(250);
  expect(watched.copy.lean).toBe(batchLean(log(names, draw)));
});
