import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../../electron/worker/clock.ts';
import { practise } from '../../../../electron/worker/practice.ts';
import { HONEST_LOG } from '../../../../shared/formats/honest-log/format.ts';
import { frame, log, trace } from '../../../support/log-bytes.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const shop = log(...Array.from({ length: 50_000 }, (_, at) => trace(1, at, frame(at, 1, 1), frame(1, 1, 1))));

function packed(content: Uint8Array): string {
  const path = join(temporaryFolder(), 'shop.hpl.gz');
  writeFileSync(path, gzipSync(content));
  return path;
}

beforeAll(() => HONEST_LOG.code.load());

test('the log is read again and again, until there is nothing to be learnt from it', async () => {
  const bytes = await practise(packed(shop), systemClock, () => true);
  expect(bytes).toBeGreaterThanOrEqual(20e6);
  expect(bytes % shop.length).toBe(0);
});

test('a log that has come is read at once: practice ends wherever it lets events in', async () => {
  const path = packed(shop);
  const turnsTo = async (most: number): Promise<number> => {
    let turns = 0;
    const clock = { ...systemClock, breathe: () => (turns++, systemClock.breathe()) };
    await practise(path, clock, () => turns < most);
    return turns;
  };
  // In what is made up, then in the log: often enough for a hundredth of a second between two looks.
  expect(await turnsTo(3)).toBe(3);
  expect(await turnsTo(35)).toBe(35);
  expect(await practise(path, systemClock, () => false)).toBe(0);
});

test('next to nothing to practise with', async () => {
  const tiny = log(trace(1, 1, frame(1, 1, 1)));
  expect(await practise(packed(tiny), systemClock, () => true)).toBe(100 * tiny.length);
  expect(await practise(packed(new Uint8Array(0)), systemClock, () => true)).toBe(0);
});

test('nothing to practise with', async () => {
  expect(await practise(join(temporaryFolder(), 'none.gz'), systemClock, () => true)).toBe(0);
});
