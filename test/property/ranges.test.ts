import { describe, expect, test } from 'vitest';
import { NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import { HONEST_LOG } from '../../shared/formats/honest-log/format.ts';
import { findTraceStart } from '../../shared/formats/honest-log/find-trace-start.ts';
import { checkProfile } from '../../shared/profile/check-profile.ts';
import {
  bciFrame,
  bytes,
  frame,
  log,
  method,
  oldTraceStart,
  thread,
  trace,
  traceStart,
  zeros,
} from '../support/log-bytes.ts';
import { logOf } from '../support/log-writer/write-log.ts';
import { describedInput } from '../support/described-input.ts';
import { randomLog } from '../support/random-log.ts';
import { decodeInput } from '../support/read-input.ts';
import { readInRanges } from '../support/read-in-ranges.ts';
import { goldenLog } from '../support/read-log.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('ranges');

const CART = method(0x10, 'Shop.java', 'Lshop/Cart;', 'total');

/** What each log has that a range's end could get wrong. */
const SMALL_LOGS: Readonly<Record<string, Uint8Array>> = {
  'frames and methods known before, new ones, and those defined late': log(
    thread(7, 'main'),
    trace(7, 1.5, frame(0x10, 3, 12), CART, bciFrame(0x20, -3)),
    trace(7, 1.6, frame(0x30, 1, 1), frame(0x10, 3, 12), bciFrame(0x20, -3)),
    trace(8, 1.7, frame(0x10, 3, 12), CART),
    thread(8, 'late'),
    trace(7, 1.8, frame(0x10, 3, 12), bciFrame(0x20, -3)),
  ),
  'thread names: replaced, empty, before their first trace': log(
    trace(1, 1, frame(1, 1, 1)),
    thread(2, 'two'),
    thread(1, ''),
    trace(2, 2, frame(1, 1, 1)),
    thread(2, ''),
    thread(1, 'one'),
    trace(1, 3, frame(1, 1, 1)),
    thread(1, 'uno'),
    trace(3, 4),
  ),
  'errors, known and unknown': log(
    trace(1, 1, frame(1, 1, 1)),
    traceStart(-3, 1, 2),
    traceStart(-77, 2, 3),
    traceStart(-3, 2, 3.5),
    traceStart(0, 1, 4),
  ),
  'clocks that run backwards, stand still and stop': log(
    trace(1, 5, frame(1, 1, 1)),
    trace(1, 4, frame(1, 1, 1)),
    trace(1, 0, frame(2, 1, 1)),
    trace(1, 3, frame(2, 1, 1)),
    oldTraceStart(1, 1),
    frame(1, 1, 1),
    oldTraceStart(1, 1),
    frame(1, 1, 1),
    trace(1, 9_000_000_000, frame(1, 1, 1)),
    trace(1, 2, frame(1, 1, 1)),
  ),
  'no times at all': log(
    oldTraceStart(1, 1),
    bciFrame(1, 1),
    oldTraceStart(1, 2),
    bciFrame(1, 1),
    oldTraceStart(1, 1),
    bciFrame(2, 1),
  ),
  'holes of zeros, and frames that lost their start': log(
    zeros(3),
    frame(9, 9, 9),
    trace(1, 1, frame(1, 1, 1)),
    zeros(5),
    trace(1, 2, frame(1, 1, 1), zeros(2), frame(2, 2, 2)),
    zeros(40),
    trace(1, 3, frame(1, 1, 1)),
    zeros(7),
  ),
  'stacks shorter and longer than announced': log(
    traceStart(5, 1, 1),
    frame(1, 1, 1),
    traceStart(1, 1, 2),
    frame(1, 1, 1),
    frame(2, 2, 2),
    traceStart(3, 1, 3),
    traceStart(1, 1, 4),
    frame(1, 1, 1),
    frame(2, 2, 2),
  ),
  'a record that is cut': log(
    trace(1, 1, frame(1, 1, 1)),
    trace(1, 2, frame(1, 1, 1)),
    frame(2, 2, 2).subarray(0, 9),
  ),
  damage: log(
    trace(1, 1, frame(1, 1, 1)),
    trace(1, 2, frame(1, 1, 1)),
    bytes(99),
    trace(1, 3, frame(1, 1, 1)),
  ),
  'a name too long': log(
    trace(1, 1, frame(1, 1, 1)),
    trace(1, 2, frame(1, 1, 1)),
    bytes(4, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 0, 0, 0),
    trace(1, 3, frame(1, 1, 1)),
  ),
};

describe('a log read in byte ranges is the log read as one, row by row', () => {
  test.each(Object.entries(SMALL_LOGS))('%s: at every byte, and at every two', (_, input) => {
    const whole = describedInput(decodeInput(HONEST_LOG, input));
    const starts = traceStarts(input);
    for (let start = 1; start < input.length; start++) {
      const read = readInRanges(HONEST_LOG, input, [start]);
      expect(describedInput(read), `from byte ${start}`).toEqual(whole);
      expect(checkProfile(read.profile)).toEqual([]);
      if (!starts.includes(start)) expect(read.taken).toEqual([]);
    }
    for (const start of starts)
      for (const later of starts.filter((each) => each > start))
        expect(describedInput(readInRanges(HONEST_LOG, input, [start, later])), `${start}, ${later}`).toEqual(
          whole,
        );
  });

  test('where the clock ticks, every range is taken', () => {
    for (const name of [
      'frames and methods known before, new ones, and those defined late',
      'no times at all',
    ]) {
      const input = SMALL_LOGS[name];
      const starts = traceStarts(input).filter((start) => start > 0);
      expect(starts.length).toBeGreaterThan(1);
      expect(readInRanges(HONEST_LOG, input, starts).taken).toEqual(starts);
    }
  });

  test('what is damaged in a range is told with its place in the log', () => {
    const input = SMALL_LOGS.damage;
    const [, second] = traceStarts(input);
    const { decoder, taken } = readInRanges(HONEST_LOG, input, [second]);
    expect(taken).toEqual([second]);
    expect(decoder.damage).toMatchObject({ byteOffset: input.indexOf(99), record: 4 });
  });

  test('300 logs that nobody recorded, in random ranges', () => {
    let taken = 0;
    for (let scenario = 0; scenario < 300; scenario++) {
      const random = randomFor(scenario);
      const input = randomLog(random, {
        traces: 1 + random.below(80),
        maxDepth: random.pick([3, 12, 200]),
        methods: random.pick([2, 12, 60]),
        holes: random.next() < 0.3,
      });
      const starts = someOf(random, traceStarts(input).slice(1));
      const where = `SEED=${seed} scenario ${scenario}: ranges from ${starts.join()}`;
      const chunkBytes = random.pick([5, 100, 1 << 16]);
      const read = readInRanges(HONEST_LOG, input, starts, { chosen: NOTHING_CHOSEN, chunkBytes });
      expect(describedInput(read), where).toEqual(describedInput(decodeInput(HONEST_LOG, input)));
      taken += read.taken.length;
    }
    expect(taken).toBeGreaterThan(100);
  });

  test.each(['hello', 'threads', 'deeprec', 'classchurn', 'server-small'])('recorded: %s', (name) => {
    const input = goldenLog(name);
    const whole = describedInput(decodeInput(HONEST_LOG, input));
    const starts = traceStarts(input).slice(1);
    for (let turn = 0; turn < 5; turn++) {
      const some = someOf(randomFor(turn), starts).slice(0, 8);
      const read = readInRanges(HONEST_LOG, input, some);
      expect(read.taken, `SEED=${seed}`).toEqual(some);
      expect(describedInput(read), `SEED=${seed}`).toEqual(whole);
    }
  });

  test.each(['skewed', 'hostile', 'deep', 'threads', 'methods'] as const)('written: %s', (shape) => {
    const input = logOf(shape, 3_000_000);
    const starts =
      HONEST_LOG.byteRanges?.findStarts(peekOf(input), input.length, [1_000_000, 2_000_000]) ?? [];
    expect(starts.length).toBe(2);
    const read = readInRanges(HONEST_LOG, input, starts);
    expect(read.taken).toEqual(starts);
    expect(describedInput(read)).toEqual(describedInput(decodeInput(HONEST_LOG, input)));
  });
});

describe('where a range may begin', () => {
  test.each(['server-small', 'classchurn', 'threads'])('from every 997th byte of %s', (name) => {
    const input = goldenLog(name);
    const starts = new Set(traceStarts(input));
    const wrong: string[] = [];
    for (let from = 0; from < input.length - 60_000; from += 997) {
      const found = findTraceStart(input.subarray(from, from + 60_000));
      if (found === undefined || !starts.has(from + found)) wrong.push(`${from}: ${found}`);
    }
    expect(wrong).toEqual([]);
  });

  test('nowhere in frames without end, in zeros, or in text', () => {
    const frames = Array.from({ length: 3_000 }, (_, at) => frame(at % 300, at % 7, at % 11));
    expect(findTraceStart(log(...frames))).toBeUndefined();
    expect(findTraceStart(zeros(50_000))).toBeUndefined();
    expect(findTraceStart(new TextEncoder().encode('main;Shop.total 11\n'.repeat(3_000)))).toBeUndefined();
  });
});

/** Offsets of the trace starts of a log, up to a damage. */
function traceStarts(input: Uint8Array): number[] {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const sizes: Readonly<Record<number, number | undefined>> = { 0: 1, 1: 13, 11: 29, 2: 13, 21: 17 };
  const strings: Readonly<Record<number, number | undefined>> = { 3: 3, 31: 6, 4: 1 };
  const starts: number[] = [];
  for (let at = 0; at < input.length;) {
    const type = input[at];
    const size = sizes[type];
    if (type === 1 || type === 11) starts.push(at);
    if (size !== undefined) {
      at += size;
      continue;
    }
    const count = strings[type];
    if (count === undefined) break;
    at += 9;
    for (let index = 0; index < count && at + 4 <= input.length; index++) {
      const length = view.getInt32(at);
      if (length < 0 || length > 1 << 20) return starts;
      at += 4 + length;
    }
  }
  return starts;
}

function someOf(random: SeededRandom, values: readonly number[]): number[] {
  const share = random.pick([0.02, 0.1, 0.5, 1]);
  return values.filter(() => random.next() < share);
}

function peekOf(input: Uint8Array): (offset: number, length: number) => Uint8Array {
  return (offset, length) => input.slice(offset, offset + length);
}
