import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../../electron/worker/clock.ts';
import { practise } from '../../../../electron/worker/practice.ts';
import { HONEST_LOG } from '../../../../shared/formats/honest-log/format.ts';
import { frame, log, trace } from '../../../support/log-bytes.ts';

const CHUNK = 1 << 17;
const shop = log(...Array.from({ length: 5_000 }, (_, at) => trace(1, at, frame(at, 1, 1), frame(1, 1, 1))));

beforeAll(() => HONEST_LOG.code.load());

test('the log is read again and again, until there is nothing to be learnt from it', async () => {
  const bytes = await practise(shop, systemClock, () => true);
  expect(bytes).toBeGreaterThanOrEqual(20e6);
  expect(bytes % shop.length).toBe(0);
});

test('a log that has come is read at once: practice ends between two chunks', async () => {
  let turns = 0;
  expect(await practise(shop, systemClock, () => ++turns <= 2)).toBe(2 * CHUNK);
  expect(await practise(shop, systemClock, () => false)).toBe(0);
});

test('next to nothing to practise with', async () => {
  const tiny = shop.subarray(0, 1_000);
  expect(await practise(tiny, systemClock, () => true)).toBe(100 * tiny.length);
  expect(await practise(new Uint8Array(0), systemClock, () => true)).toBe(0);
});
