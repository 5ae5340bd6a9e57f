import { expect, test } from 'vitest';
import { HONEST_LOG } from '../../../shared/formats/honest-log/format.ts';
import { frame, log, trace } from '../../support/log-bytes.ts';
import { testSeed } from '../../support/test-seed.ts';
import { decodeInput, readInput } from '../../support/read-input.ts';

// The first and last time of a file are the earliest and the latest of its samples, whatever their order.

test.each([
  ['in order', [100, 101, 105], 100, 105],
  ['the earliest is second', [105, 100, 110], 100, 110],
  ['the latest is first', [200, 100, 150, 120], 100, 200],
  ['backwards', [3, 2, 1], 1, 3],
  ['far apart', [2 ** 40, 5, 2 ** 33], 5, 2 ** 40],
])('a log whose threads are not in order: %s', (_, seconds, first, last) => {
  const bytes = log(...seconds.map((each, at) => trace(at + 1, each, frame(1, 0, 5))));
  for (const keepsTimes of [false, true]) {
    const { decoder } = decodeInput(HONEST_LOG, bytes, {}, undefined, keepsTimes);
    const { firstTime, lastTime } = decoder.facts();
    expect([firstTime, lastTime]).toEqual([BigInt(first) * 1_000_000_000n, BigInt(last) * 1_000_000_000n]);
  }
});

test('random orders', () => {
  const { randomFor } = testSeed('first and last time');
  for (let round = 0; round < 200; round++) {
    const random = randomFor(round);
    const seconds = Array.from({ length: 1 + random.below(30) }, () => 1 + random.below(1_000));
    const bytes = log(...seconds.map((each) => trace(1 + random.below(3), each, frame(1, 0, 5))));
    const { firstTime, lastTime } = decodeInput(HONEST_LOG, bytes).decoder.facts();
    expect([firstTime, lastTime].map((time) => Number(time! / 1_000_000_000n))).toEqual([
      Math.min(...seconds),
      Math.max(...seconds),
    ]);
  }
});

test('dumps that are joined in another order than they were made', () => {
  const dump = (time: string): string =>
    `2026-11-28 ${time}\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n\n"main" #1 prio=5 os_prio=0 tid=0x01 nid=0x1 runnable [0x1]\n   java.lang.Thread.State: RUNNABLE\n\tat Shop.run(Shop.java:3)\n\n`;
  const { decoder } = readInput(
    new TextEncoder().encode(['10:00:05', '10:00:01', '10:00:09', '10:00:03'].map(dump).join('')),
  );
  const { firstTime, lastTime, backwardSteps } = decoder.facts();
  const at = (time: string): bigint => BigInt(Date.parse(`2026-11-28T${time}Z`)) * 1_000_000n;
  expect([firstTime, lastTime, backwardSteps]).toEqual([at('10:00:01'), at('10:00:09'), 2]);
});
