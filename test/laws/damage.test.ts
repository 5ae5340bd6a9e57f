import { expect, test } from 'vitest';
import { CountingSink } from '../support/counting-sink.ts';
import {
  bciFrame,
  bytes,
  frame,
  i32,
  i64,
  log,
  method,
  oldMethod,
  oldTraceStart,
  thread,
  trace,
  zeros,
} from '../support/log-bytes.ts';
import { leanOf } from '../support/profile-tables.ts';
import { randomPieces } from '../support/random-log.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { checkProfile } from '../support/check-profile.ts';

const { seed, randomFor } = testSeed('damage');

/** Every record type, and a zero fill at the end. */
const SEED_LOG = log(
  thread(7, 'main'),
  trace(7, 1.5, frame(0x10, 3, 12), method(0x10, 'Shop.java', 'Lshop/Cart;', 'total'), bciFrame(0x20, -3)),
  oldMethod(0x20, 'Main.java', 'LMain;', 'main'),
  trace(7, 1.6, frame(0x30, 1, 1), frame(0x10, 3, 12)),
  trace(-9, 1.55),
  oldTraceStart(1, 8),
  bciFrame(0x30, 9),
  goldenLog('hello').subarray(0, 1_500),
  zeros(20),
);

/** Reads the input without keeping what it says: no error, bounded work, every byte accounted for. */
function readAnything(input: Uint8Array, where: string): HonestLogDecoder {
  const decoder = new HonestLogDecoder(new CountingSink(1_000 + 10 * input.length));
  decoder.append(input);
  decoder.emitOpen(true);
  const { accepted, skipped, pending } = decoder.bytes;
  if (accepted + skipped + pending !== input.length || accepted < 0 || skipped < 0 || pending < 0) {
    throw new Error(`${where}: ${accepted} + ${skipped} + ${pending} is not ${input.length}`);
  }
  return decoder;
}

test('B04: every beginning of a log is a log', () => {
  expect(readLog(SEED_LOG).decoder.damage).toBeUndefined();
  let samples = 0;
  for (let length = 0; length <= SEED_LOG.length; length++) {
    const beginning = SEED_LOG.subarray(0, length);
    readAnything(beginning, `first ${length} bytes`);
    const { decoder, aggregator } = readLog(beginning);
    if (decoder.damage !== undefined) throw new Error(`first ${length} bytes: ${decoder.damage.found}`);
    expect(aggregator.sampleCount).toBeGreaterThanOrEqual(samples);
    samples = aggregator.sampleCount;
  }
  expect(samples).toBeGreaterThan(5);
});

test('B05: every single bit, flipped', () => {
  let damaged = 0;
  for (let bit = 0; bit < SEED_LOG.length * 8; bit++) {
    const input = SEED_LOG.slice();
    input[bit >> 3] ^= 1 << (bit & 7);
    if (readAnything(input, `bit ${bit}`).damage !== undefined) damaged++;
  }
  // Most bits are ids and names, where another value is as good; a length or a type is not.
  expect(damaged).toBeGreaterThan(500);
});

test('B06: every window of four bytes, made a hostile number', () => {
  for (const value of [0x7fffffff, -0x80000000, -1, 0, 0x40000000, 0x10001]) {
    for (let at = 0; at + 4 <= SEED_LOG.length; at++) {
      const input = SEED_LOG.slice();
      input.set(i32(value), at);
      readAnything(input, `${value} at byte ${at}`);
    }
  }
});

/** Besides the 20 000 of honest-log-laws: with larger changes, and bytes at random. */
const MUTANTS = testSize(5_000, 100_000);

test(`${MUTANTS} mutants, in one piece and in several: no throw, nothing lost, the same reading`, () => {
  for (let scenario = 0; scenario < MUTANTS; scenario++) {
    const random = randomFor(scenario);
    const input = mutant(random);
    const where = `SEED=${seed} scenario ${scenario}`;
    readAnything(input, where);
    if (scenario % 10 !== 0) continue;
    const whole = readLog(input);
    expect(checkProfile(whole.profile), where).toEqual([]);
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    for (const piece of randomPieces(random, input)) decoder.append(piece);
    decoder.emitOpen(true);
    expect(decoder.bytes, where).toEqual(whole.decoder.bytes);
    expect(decoder.damage, where).toEqual(whole.decoder.damage);
    expect(leanOf(aggregator.profile), where).toBe(leanOf(whole.profile));
  }
});

test('a damage is the same wherever the input was cut, and what is before it is what the input up to it says', () => {
  const before = log(thread(7, 'main'), trace(7, 1, frame(1, 1, 1)), trace(7, 2, frame(2, 1, 1)));
  const input = log(before, bytes(99, 1, 2, 3), before);
  for (let cut = 0; cut <= input.length; cut++) {
    const decoder = new HonestLogDecoder(new ProfileAggregator());
    decoder.append(input.subarray(0, cut));
    decoder.append(input.subarray(cut));
    expect(decoder.damage).toEqual({
      what: 'record type',
      byteOffset: before.length,
      record: 5,
      found: 'type 99 (0x63)',
      expected: '1, 2, 3, 4, 11, 21 or 31',
    });
    expect(decoder.bytes).toEqual({
      accepted: before.length,
      skipped: input.length - before.length,
      pending: 0,
    });
  }
  expect(leanOf(readLog(input).profile)).toBe(leanOf(readLog(before).profile));
});

test('frames whose trace start was lost in a hole are skipped; without a hole they are a damage', () => {
  const lost = log(bciFrame(1, 0), frame(2, 1, 1));
  const after = trace(7, 1, frame(3, 1, 1));
  const { decoder, profile } = readLog(log(zeros(9), lost, after));
  expect(decoder.damage).toBeUndefined();
  expect(decoder.bytes).toEqual({ accepted: after.length, skipped: 9 + lost.length, pending: 0 });
  expect(leanOf(profile)).toBe(leanOf(readLog(after).profile));
  expect(readLog(log(lost, after)).decoder.damage).toMatchObject({
    byteOffset: 0,
    found: 'a frame (record type 2) before the first trace start',
  });
});

test('B08: strings: as long as may be, and one byte longer', () => {
  const record = (length: number): Uint8Array =>
    log(bytes(4), i64(7), i32(length), new Uint8Array(length).fill(0x61));
  expect(readLog(record(1 << 20)).profile.threads.name[0]).toHaveLength(1 << 20);
  const { decoder } = readLog(record((1 << 20) + 1));
  expect(decoder.damage).toMatchObject({ byteOffset: 0, found: 'string length 1048577 at byte 9' });
});

test('B10: a gigabyte of zeros costs no memory', () => {
  const decoder = new HonestLogDecoder(new ProfileAggregator());
  const block = new Uint8Array(1 << 24);
  const before = process.memoryUsage().arrayBuffers;
  for (let at = 0; at < 64; at++) decoder.append(block);
  expect(decoder.bytes).toEqual({ accepted: 0, skipped: 0, pending: 1 << 30 });
  decoder.append(trace(7, 1, frame(1, 1, 1)));
  expect(decoder.bytes).toEqual({ accepted: 46, skipped: 1 << 30, pending: 0 });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 20);
});

function mutant(random: SeededRandom): Uint8Array {
  let input: Uint8Array = SEED_LOG.slice(0, 1 + random.below(SEED_LOG.length));
  for (let round = random.below(5); round >= 0; round--) {
    const at = random.below(input.length + 1);
    const length = random.below(random.pick([2, 20, 400]));
    switch (random.below(6)) {
      case 0:
        input[at % input.length] = random.below(256);
        break;
      case 1:
        input = log(input.subarray(0, at), input.subarray(at + length));
        break;
      case 2:
        input = log(input.subarray(0, at), input.subarray(at, at + length), input.subarray(at));
        break;
      case 3:
        input = log(
          input.subarray(0, at),
          bytes(...Array.from({ length }, () => random.below(256))),
          input.subarray(at),
        );
        break;
      case 4:
        input = log(input.subarray(0, at), zeros(length), input.subarray(at + length));
        break;
      default: {
        const from = random.below(SEED_LOG.length);
        input = log(input.subarray(0, at), SEED_LOG.subarray(from, from + length), input.subarray(at));
      }
    }
    if (input.length === 0) input = bytes(random.below(256));
  }
  return input;
}
