import { expect, test } from 'vitest';
import { StackFingerprint } from '../../../../shared/formats/honest-log/stack-fingerprint.ts';
import { NONE } from '../../../../shared/profile/columns.ts';
import { bciFrame, bytes, frame, log, method, traceStart } from '../../../support/log-bytes.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('stack fingerprint');

test.each([
  ['whole frames', log(frame(1, 2, 3), frame(4, 5, 6)), 2, 34],
  ['a frame without a line', log(frame(1, 2, 3), bciFrame(4, 5), frame(6, 7, 8)), 3, 47],
  ['more behind them', log(frame(1, 2, 3), frame(4, 5, 6)), 1, 17],
  ['fewer than announced', log(frame(1, 2, 3), frame(4, 5, 6)), 3, NONE],
  ['the last is cut', log(frame(1, 2, 3), frame(4, 5, 6)).subarray(0, 33), 2, NONE],
  ['a definition between them', log(frame(1, 2, 3), method(1, 'A', 'A', 'a'), frame(4, 5, 6)), 2, NONE],
  ['another trace between them', log(frame(1, 2, 3), traceStart(1, 2, 3), frame(4, 5, 6)), 2, NONE],
  ['damage between them', log(frame(1, 2, 3), bytes(99), frame(4, 5, 6)), 2, NONE],
  ['too many for any input', log(frame(1, 2, 3)), 0x7fffffff, NONE],
])('where a stack ends: %s', (_, input, depth, end) => {
  expect(new StackFingerprint().take(input, viewOf(input), 0, depth)).toBe(end);
});

test('whatever differs in one field of one frame is another stack', () => {
  for (let scenario = 0; scenario < 2_000; scenario++) {
    const random = randomFor(scenario);
    const depth = 1 + random.below(12);
    const input = log(
      ...Array.from({ length: depth }, () => frame(random.below(9), random.below(9), random.below(9))),
    );
    const other = input.slice();
    // The byte of a frame's type is none of its fields.
    const changed = random.below(depth) * 17 + 1 + random.below(16);
    other[changed] ^= 1 + random.below(255);
    expect(printOf(other, depth), `SEED=${seed} scenario ${scenario}`).not.toEqual(printOf(input, depth));
  }
});

test('a frame without a line is none with whatever line', () => {
  const without = printOf(log(bciFrame(7, 1), frame(8, 2, 3)), 2);
  for (let line = -5; line < 70_000; line++) {
    expect(printOf(log(frame(7, 1, line), frame(8, 2, 3)), 2)).not.toEqual(without);
  }
});

test('each word by itself tells stacks of small numbers apart as well as chance does', () => {
  const random = randomFor(-1);
  const stacks = new Map<string, readonly number[]>();
  while (stacks.size < 100_000) {
    const depth = 2 + random.below(4);
    const frames = Array.from(
      { length: depth },
      () => [random.below(8) * 8, random.below(4), random.below(4)] as const,
    );
    stacks.set(
      frames.join(),
      printOf(log(...frames.map(([id, bci, line]) => frame(0x7f0000000000 + id, bci, line))), depth),
    );
  }
  const prints = [...stacks.values()];
  for (const word of [0, 1, 2]) {
    const same = prints.length - new Set(prints.map((print) => print[word])).size;
    // 100 000² / 2 pairs, each with a chance of one in 2³²: 1.2 are to be expected.
    expect(same, `SEED=${seed}, word ${word}`).toBeLessThan(12);
  }
});

const viewOf = (input: Uint8Array): DataView =>
  new DataView(input.buffer, input.byteOffset, input.byteLength);

function printOf(input: Uint8Array, depth: number): readonly number[] {
  const print = new StackFingerprint();
  expect(print.take(input, viewOf(input), 0, depth)).toBe(input.length);
  return [print.a, print.b, print.c];
}
