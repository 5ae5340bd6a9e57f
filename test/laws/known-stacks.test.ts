import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { bciFrame, type Bytes, frame, log, method, traceStart } from '../support/log-bytes.ts';
import { profileTables } from '../support/profile-tables.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

/*
 * A stack is recognised only where all of its bytes are in one chunk. In chunks shorter than a stack nothing
 * is: so the same log, read whole and in such chunks, must give the same profile.
 */

const { seed, randomFor } = testSeed('known stacks');

test('hot stacks, announced rightly and wrongly, with definitions in between', () => {
  for (let scenario = 0; scenario < testSize(10, 100); scenario++) {
    const random = randomFor(scenario);
    const stacks = Array.from({ length: random.pick([1, 5, 60]) }, () =>
      stackOf(random, 1 + random.below(9)),
    );
    const bytes = log(
      ...Array.from({ length: 3_000 }, (_, at) => {
        const stack = random.next() < 0.1 ? stackOf(random, 4) : random.pick(stacks);
        const announced = random.next() < 0.1 ? random.below(9) : stack.length;
        return log(
          traceStart(announced, random.below(3), 10 + at),
          ...stack,
          ...(random.next() < 0.1 ? [method(random.below(5), 'A.java', 'LA;', 'a')] : []),
        );
      }),
    );
    expect(read(bytes, bytes.length), `SEED=${seed} scenario ${scenario}`).toEqual(read(bytes, 16));
  }
});

test('more stacks than are kept: what was pushed out is not known any more', () => {
  const random = randomFor(1_000);
  // Of 80 000, in 65 536 slots.
  const stacks = Array.from({ length: 80_000 }, (_, at) => [frame(at, 1, 1), ...stackOf(random, 1)]);
  const bytes = log(
    // The second time it is known, and this keeps the log worth looking up.
    ...[...stacks, ...stacks.slice(0, 5_000)].map((stack, at) =>
      log(traceStart(2, 1, 10 + at), ...stack, traceStart(2, 1, 10.5 + at), ...stack),
    ),
  );
  expect(read(bytes, bytes.length)).toEqual(read(bytes, 64));
});

test('a known stack that goes on, or is looked at in a pause, is unfolded', () => {
  const stack = [frame(1, 1, 1), frame(2, 2, 2)];
  const known = log(traceStart(2, 1, 10), ...stack);
  // Looking for known stacks begins with the 513th trace.
  const before = log(...Array.from({ length: 513 }, () => known));
  const bytes = log(before, known, frame(3, 3, 3), known, bciFrame(4, 4), known);
  const aggregator = new ProfileAggregator();
  const decoder = new HonestLogDecoder(aggregator);
  decoder.append(bytes);
  decoder.emitOpen(false);
  expect(aggregator.sampleCount).toBe(516);
  decoder.append(frame(5, 5, 5));
  decoder.emitOpen(true);
  expect(profileTables(aggregator.profile)).toEqual(read(log(bytes, frame(5, 5, 5)), 16));
});

function stackOf(random: SeededRandom, depth: number): readonly Bytes[] {
  return Array.from({ length: depth }, () =>
    random.next() < 0.05
      ? bciFrame(random.below(5), random.below(3))
      : frame(random.below(5), random.below(3), random.below(3)),
  );
}

function read(bytes: Uint8Array, chunkBytes: number): ReturnType<typeof profileTables> {
  const aggregator = new ProfileAggregator();
  const decoder = new HonestLogDecoder(aggregator);
  for (let at = 0; at < bytes.length; at += chunkBytes) decoder.append(bytes.subarray(at, at + chunkBytes));
  decoder.emitOpen(true);
  return profileTables(aggregator.profile);
}
