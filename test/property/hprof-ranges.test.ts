import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import { HPROF } from '../../shared/formats/hprof/format.ts';
import { checkProfile } from '../../shared/profile/check-profile.ts';
import { describedInput } from '../support/described-input.ts';
import { hprofFile, hprofRecords } from '../support/hprof-bytes.ts';
import { decodeInput } from '../support/read-input.ts';
import { readInRanges } from '../support/read-in-ranges.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('hprof ranges');

const { string, loadClass, frame, trace, startThread, endThread, cpuSamples, settings, record } =
  hprofRecords(4);

const NAMES = [
  ...['main', 'system', 'Shop', 'sell', 'Shop.java', 'Root', 'run'].map((text, at) => string(at + 1, text)),
  loadClass(1, 3),
  loadClass(2, 6),
];
const FRAMES = [frame(11, 4, 5, 1, 12), frame(12, 4, 5, 1, 13), frame(13, 7, 0, 2, -3)];
const HEAP = record(0x1c, Buffer.alloc(70));

/** What each file has that a range's end could get wrong. */
const SMALL_FILES: Readonly<Record<string, readonly Uint8Array[]>> = {
  'callers known before, stacks known before, callers that nothing counts': [
    ...[settings(2, 3), ...NAMES, ...FRAMES],
    trace(301, 7, 11, 12, 13),
    trace(302, 7, 12, 12, 13),
    trace(303, 7, 12, 13),
    trace(304, 7),
    trace(305, 7, 11, 13, 12, 13),
    trace(306, 7, 11, 12, 13),
    trace(307, 7, 11, 12, 12, 13),
    trace(308, 7, 13),
    trace(309, 7, 11, 13, 11, 13),
    trace(310, 7, 11, 13, 12, 13),
    cpuSamples(9, [2, 303], [1, 306], [1, 307], [1, 305], [1, 310], [3, 304]),
  ],
  'threads in the order in which they are met': [
    ...[...NAMES, ...FRAMES, startThread(7, 1, 1, 2)],
    trace(301, 7, 11),
    trace(302, 8, 12),
    startThread(8, 2, 1, 2),
    trace(303, 9, 11),
    endThread(10),
    trace(304, 11),
    startThread(7, 2, 2, 2),
    endThread(8),
    trace(305, 7, 11),
    cpuSamples(5, [1, 301], [1, 302], [1, 303], [1, 304], [1, 305]),
  ],
  'names, classes and frames again, late, and never': [
    ...[trace(301, 7, 11, 99), ...NAMES],
    trace(302, 7, 12, 98),
    ...FRAMES,
    trace(303, 7, 98, 13),
    ...[string(4, 'other'), loadClass(1, 4), frame(11, 7, 1, 2, 5), frame(99, 4, 5, 1, 12)],
    cpuSamples(3, [1, 301], [1, 302], [1, 303]),
    string(8, 'last'),
  ],
  'several tables, one before traces': [
    ...[...NAMES, ...FRAMES, trace(301, 7, 11), cpuSamples(1, [1, 301], [4, 302])],
    ...[trace(302, 7, 11, 12), cpuSamples(9, [2, 301], [4, 302])],
    ...[settings(2, 2), trace(303, 7, 12, 12), cpuSamples(20, [3, 301], [7, 302], [2, 303], [1, 999])],
  ],
  'a trace id twice': [
    ...[...NAMES, ...FRAMES, trace(301, 7, 11), trace(301, 7, 12), trace(302, 7, 13)],
    ...[trace(303, 7, 12), trace(303, 7, 11), trace(301, 7, 12, 11), trace(304, 8, 12)],
    cpuSamples(4, [1, 301], [1, 302], [1, 303], [1, 304]),
  ],
  'a heap, and what nobody knows': [
    ...[...NAMES, HEAP, ...FRAMES, trace(301, 7, 11), HEAP, trace(302, 7, 12), record(0x99, Buffer.alloc(9))],
    cpuSamples(2, [1, 301], [1, 302]),
  ],
  'times in some records': [
    ...[settings(2, 4), ...NAMES, ...FRAMES, trace(301, 7, 13)],
    hprofRecords(4, 77).trace(302, 7, 13),
    cpuSamples(2, [1, 301], [1, 302]),
  ],
  'a table that is cut': [
    ...[...NAMES, ...FRAMES, trace(301, 7, 11), trace(302, 7, 12)],
    cpuSamples(4, [1, 301], [1, 302], [2, 301]).subarray(0, -5),
  ],
  'a heap that is cut': [
    ...NAMES,
    ...FRAMES,
    trace(301, 7, 11),
    cpuSamples(1, [1, 301]),
    HEAP.subarray(0, 30),
  ],
  'a stack that does not fit its length': [
    ...[...NAMES, ...FRAMES, trace(301, 7, 11), cpuSamples(1, [1, 301]), trace(302, 7, 12)],
    ...[record(0x05, Buffer.alloc(17)), trace(303, 7, 12), cpuSamples(2, [1, 301], [1, 303])],
  ],
  'a table that does not fit its length': [
    ...[...NAMES, ...FRAMES, trace(301, 7, 11), cpuSamples(1, [1, 301]), trace(302, 7, 12)],
    ...[record(0x0d, Buffer.alloc(19)), cpuSamples(1, [5, 301])],
  ],
};

const CHOSEN: readonly Chosen[] = [NOTHING_CHOSEN, { period: '10', cut: 'off' }];

describe('a file read in byte ranges is the file read as one, row by row', () => {
  test.each(Object.entries(SMALL_FILES))('%s: at every byte, and at every two', (_, records) => {
    const input = hprofFile({ magic: 'JAVA PROFILE 1.0.1' }, ...records);
    const starts = recordStarts(records, input);
    for (const chosen of CHOSEN) {
      const whole = describedInput(decodeInput(HPROF, input, chosen));
      for (let start = 1; start < input.length; start++) {
        const read = readInRanges(HPROF, input, [start], { chosen, chunkBytes: 1 << 16 });
        expect(describedInput(read), `from byte ${start}`).toEqual(whole);
        expect(checkProfile(read.profile)).toEqual([]);
        if (!starts.includes(start)) expect(read.taken).toEqual([]);
      }
      for (const start of starts)
        for (const later of starts.filter((each) => each > start)) {
          const read = readInRanges(HPROF, input, [start, later], { chosen, chunkBytes: 50 });
          expect(describedInput(read), `${start}, ${later}`).toEqual(whole);
        }
    }
  });

  test('ranges are taken wherever a record begins, but for ids that are taken', () => {
    for (const [name, records] of Object.entries(SMALL_FILES)) {
      const input = hprofFile({}, ...records);
      const starts = recordStarts(records, input);
      const taken = starts.filter((start) => readInRanges(HPROF, input, [start]).taken.length === 1);
      if (name === 'a trace id twice') expect(taken.length).toBeLessThan(starts.length);
      else expect(taken, name).toEqual(starts.filter((start) => start <= damagedAt(input)));
    }
  });

  test('the text in front of a snapshot', () => {
    const records = SMALL_FILES['several tables, one before traces'];
    const plain = hprofFile({}, ...records);
    const text = Buffer.from('Version: 3\nModule: shop\n\n');
    const input = new Uint8Array(Buffer.concat([text, plain]));
    const start = recordStarts(records, plain)[16] + text.length;
    const read = readInRanges(HPROF, input, [start]);
    expect(read.taken).toEqual([start]);
    expect(describedInput(read)).toEqual(describedInput(decodeInput(HPROF, input)));
  });

  test('identifiers of 8 bytes are read as one', () => {
    const int64 = hprofRecords(8);
    const records = [
      int64.trace(301, 7, 11),
      int64.trace(302, 7, 11),
      int64.cpuSamples(2, [1, 301], [1, 302]),
    ];
    const input = hprofFile({ idSize: 8 }, ...records);
    const whole = describedInput(decodeInput(HPROF, input));
    for (const start of recordStarts(records, input)) {
      const read = readInRanges(HPROF, input, [start]);
      expect(read.taken).toEqual([]);
      expect(describedInput(read)).toEqual(whole);
    }
  });

  test('300 files that nobody wrote, in random ranges', () => {
    let taken = 0;
    for (let file = 0; file < 300; file++) {
      const random = randomFor(file);
      const records = randomRecords(random);
      const input = hprofFile({}, ...records);
      const share = random.pick([0.02, 0.1, 0.5]);
      const starts = recordStarts(records, input).filter(() => random.next() < share);
      const where = `SEED=${seed} file ${file}: ranges from ${starts.join()}`;
      const chunkBytes = random.pick([9, 100, 1 << 16]);
      const read = readInRanges(HPROF, input, starts, { chosen: NOTHING_CHOSEN, chunkBytes });
      expect(describedInput(read), where).toEqual(describedInput(decodeInput(HPROF, input)));
      expect(checkProfile(read.profile), where).toEqual([]);
      taken += read.taken.length;
    }
    expect(taken).toBeGreaterThan(500);
  });
});

describe('where a range may begin', () => {
  const small = readFileSync('test/golden/hprof/small-main.hprof');
  const find = (input: Uint8Array, ...wanted: number[]): readonly number[] | undefined =>
    HPROF.byteRanges?.findStarts(
      (offset, length) => input.slice(offset, offset + length),
      input.length,
      wanted,
    );

  test('only at traces, from every byte of a file that Android wrote', () => {
    const traces = tracesIn(small);
    const found = new Set<number>();
    for (let from = 1; from < small.length; from++) {
      const starts = find(small, from) ?? [];
      expect(traces).toEqual(expect.arrayContaining([...starts]));
      for (const start of starts) found.add(start);
    }
    // The last three traces have too few behind them.
    expect([...found]).toEqual(traces.slice(0, -3));
  });

  test('nowhere in a heap, in a table, in text, or where identifiers have 8 bytes', () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => [1 + (at % 5), 300_001 + at] as const);
    expect(find(hprofFile({}, cpuSamples(9, ...rows)), 100)).toEqual([]);
    expect(find(hprofFile({}, record(0x0c, Buffer.alloc(90_000, 5))), 100)).toEqual([]);
    expect(find(new TextEncoder().encode('JAVA PROFILE 1.0.1, created Fri\n'.repeat(4_000)), 100)).toEqual(
      [],
    );
    const { trace: int64Trace } = hprofRecords(8);
    const traces = Array.from({ length: 9 }, (_, at) => int64Trace(at, 1, 5, 6));
    expect(find(hprofFile({ idSize: 8 }, ...traces), 40)).toEqual([]);
  });
});

/** Offsets where records begin. */
function recordStarts(records: readonly Uint8Array[], input: Uint8Array): number[] {
  let at = input.length - records.reduce((sum, { length }) => sum + length, 0);
  return records.map(({ length }) => (at += length) - length);
}

function damagedAt(input: Uint8Array): number {
  const { damage } = decodeInput(HPROF, input).decoder;
  return damage === undefined ? Infinity : damage.byteOffset;
}

function tracesIn(input: Uint8Array): number[] {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const traces: number[] = [];
  for (let at = input.indexOf(0) + 13; at < input.length; at += 9 + view.getUint32(at + 5))
    if (input[at] === 0x05) traces.push(at);
  return traces;
}

/** Threads that start and end, stacks that go on where another ended, ids in no order, tables in between. */
function randomRecords(random: SeededRandom): Uint8Array[] {
  const records = [settings(2, 5), ...NAMES];
  const frames = [...FRAMES, frame(500, 1, 0, 2, 3), frame(70_000, 2, 5, 1, 4)];
  const ids = [11, 12, 13, 500, 70_000, 4_000_000_000];
  const base = random.pick([1, 300_001, 4_294_900_000]);
  const known: number[] = [];
  let stack: number[] = [];
  for (let at = 0; at < 5 + random.below(80); at++) {
    if (random.below(6) === 0) records.push(random.pick(frames));
    if (random.below(12) === 0) records.push(startThread(random.below(5), 1, 2, 3));
    if (random.below(12) === 0) records.push(endThread(random.below(5)));
    if (random.below(20) === 0) records.push(HEAP);
    stack = stack.slice(0, random.below(stack.length + 1));
    while (stack.length < 7 && random.below(4) > 0) stack.push(random.pick(ids));
    const isTaken = random.below(40) === 0;
    const id = isTaken && known.length > 0 ? random.pick(known) : base + at * 3 - random.below(3);
    known.push(id);
    records.push(trace(id, random.below(4), ...stack.toReversed()));
    if (random.below(30) === 0) records.push(table());
  }
  records.push(table());
  return records;

  function table(): Uint8Array {
    const rows = known.map((id) => [random.below(3), id] as const);
    return cpuSamples(
      rows.reduce((sum, [count]) => sum + count, 0),
      ...rows,
    );
  }
}
