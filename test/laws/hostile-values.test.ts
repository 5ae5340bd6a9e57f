import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { writeCsv, writeFlat } from '../../shared/export/flat.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { writeTree } from '../../shared/export/tree.ts';
import { int64Text } from '../../shared/profile/int64.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { CallTree } from '../../shared/engine/trees/call-tree.ts';
import { RowSums } from '../../shared/engine/values/row-sums.ts';
import { SAMPLES_AND_TIME } from '../../shared/profile/profile-units.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import {
  bytes,
  frame,
  i32,
  i64,
  log,
  method,
  thread,
  trace,
  traceStart,
  zeros,
} from '../support/log-bytes.ts';
import { readLog } from '../support/read-log.ts';
import { stackCells } from '../support/stack-cells.ts';

/** Methods that every Honest Profiler log has. */
const ERROR_METHODS = 11;
const FLAT = { frames: 'fqmn', recursion: 'once', filter: KEEP_ALL } as const;

function flatOf(profile: LeanProfile): string[] {
  return collectText((sink) => writeFlat({ profile, ...FLAT }, sink))
    .trimEnd()
    .split('\n');
}

test.each([2 ** 31 - 1, -(2 ** 31), -1, 0, -3, -999])('B07: a trace of %i frames', (frames) => {
  const after = log(trace(8, 2, frame(1, 1, 1)), trace(8, 3, frame(1, 1, 1)));
  const begun = traceStart(frames, 7, 1);
  const { decoder, aggregator, profile } = readLog(log(begun, after));
  const { accepted, skipped, pending } = decoder.bytes;
  expect(accepted + skipped + pending).toBe(begun.length + after.length);
  if (frames > 0) {
    // The trace after it begins before its frames are all there: a damage, or a trace that still waits for them.
    expect(aggregator.sampleCount).toBeLessThanOrEqual(2);
    return;
  }
  // The number is an error code: a sample with a frame of its own.
  expect(decoder.damage).toBeUndefined();
  expect(aggregator.sampleCount).toBe(3);
  const error = flatOf(profile).find((line) => line.startsWith('AGCT'));
  expect(error).toMatch(/^AGCT\.\w+\t1\t1\t1000000000\t1000000000$/);
});

test('B09: an unknown record type, first, in the middle and last', () => {
  const valid = log(thread(7, 'main'), trace(7, 1, frame(1, 1, 1)), trace(7, 2, frame(1, 1, 1)));
  for (let type = 0; type < 256; type++) {
    if ([0, 1, 2, 3, 4, 11, 21, 31].includes(type)) continue;
    for (const at of [0, 17, valid.length]) {
      const input = log(valid.subarray(0, at), bytes(type), valid.subarray(at));
      const { decoder } = readLog(input);
      expect(decoder.damage).toMatchObject({ what: 'record type', byteOffset: at });
      expect(decoder.bytes).toEqual({ accepted: at, skipped: input.length - at, pending: 0 });
    }
  }
});

test.each([1, 4_096])(
  'B10: %i bytes of zeros at the end are not written yet, between traces they are a hole',
  (count) => {
    const before = log(trace(7, 1, frame(1, 1, 1)));
    const after = log(trace(7, 2, frame(1, 1, 1)));
    expect(readLog(log(before, zeros(count))).decoder.bytes).toEqual({
      accepted: before.length,
      skipped: 0,
      pending: count,
    });
    const { decoder, aggregator } = readLog(log(before, zeros(count), after));
    expect(decoder.bytes).toEqual({ accepted: before.length + after.length, skipped: count, pending: 0 });
    expect([decoder.damage, aggregator.sampleCount]).toEqual([undefined, 2]);
  },
);

test('B11: ids that one JavaScript number cannot tell apart are distinct', () => {
  const ids = [0n, -1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
  for (let neighbour = 0n; neighbour < 2_048n; neighbour++) ids.push(2n ** 62n + neighbour);
  const frames = ids.map((id) =>
    log(trace(id as never, 1, frame(id as never, 0, 1)), thread(id as never, `t${id}`)),
  );
  const names = ids.map((id) => method(id as never, 'A.java', 'LA;', `m${id}`));
  const { profile, decoder } = readLog(log(...frames, ...names));
  expect(decoder.damage).toBeUndefined();
  const { methods, threads } = profile;
  const methodIds = methods.names.flatMap((name, row) =>
    name?.className === 'A' ? [`m${int64Text(methods.idHi[row], methods.idLo[row])} ${name.methodName}`] : [],
  );
  // The reference has a method of its own at -1: an error.
  expect(methodIds.sort()).toEqual(ids.flatMap((id) => (id === -1n ? [] : [`m${id} m${id}`])).sort());
  const threadIds = Array.from(
    threads.name,
    (name, row) => `t${int64Text(threads.idHi[row], threads.idLo[row])} ${name}`,
  );
  expect(threadIds.sort()).toEqual(ids.map((id) => `t${id} t${id}`).sort());
});

test('B12: a method defined again, a thread named again, a name that nobody uses', () => {
  const { profile, decoder } = readLog(
    log(
      thread(7, 'first'),
      trace(7, 1, frame(1, 1, 1), method(1, 'A.java', 'LA;', 'first')),
      method(1, 'A.java', 'LA;', 'second'),
      method(99, 'A.java', 'LA;', 'unused'),
      thread(7, 'second'),
      thread(98, 'unused'),
      trace(7, 2, frame(1, 1, 1)),
    ),
  );
  expect(decoder.damage).toBeUndefined();
  // One row with both samples, under one of its names.
  expect(flatOf(profile)).toEqual([expect.stringMatching(/^A\.(first|second)\t2\t2\t/)]);
  const tree = collectText((sink) =>
    writeTree({ profile, threads: 'name', frames: 'fqmn', filter: KEEP_ALL }, sink),
  );
  expect(tree.split('\n').filter((line) => line.startsWith('0\t'))).toHaveLength(1);
});

test('B12: a million ids without a definition', () => {
  const FRAMES = 1_000;
  const stack = log(...Array.from({ length: FRAMES }, () => frame(0, 0, 1)));
  const frameBytes = stack.length / FRAMES;
  const traces = Array.from({ length: 1_000 }, (_, at) => {
    const records = stack.slice();
    const view = new DataView(records.buffer);
    // The id is the end of the record.
    for (let depth = 0; depth < FRAMES; depth++)
      view.setUint32((depth + 1) * frameBytes - 4, at * FRAMES + depth);
    return log(traceStart(FRAMES, 7, at), records);
  });
  const { profile, decoder, aggregator } = readLog(log(...traces));
  expect([decoder.damage, aggregator.sampleCount]).toEqual([undefined, 1_000]);
  expect(profile.methods.length - ERROR_METHODS).toBe(1_000_000);
  expect(profile.frames.length).toBe(1_000_000);
});

test.each([
  ['nanoseconds of a second and more', 1_000_000_000n, 999_999_999n],
  ['negative nanoseconds', -1n, -999_999_999n],
  ['the largest numbers', 2n ** 63n - 1n, 2n ** 63n - 1n],
  ['the smallest numbers', -(2n ** 63n), -(2n ** 63n)],
])('B13: %s: sums stay exact, and nothing is NaN or infinite', (_, first, second) => {
  const at = (seconds: bigint, ns: bigint) =>
    log(bytes(11), i32(1), i64(7), i64(seconds), i64(ns), frame(1, 1, 1));
  const { profile, decoder, aggregator } = readLog(
    log(at(3n, first), at(2n, second), at(2n ** 63n - 1n, 0n), at(-5n, 1n)),
  );
  expect([decoder.damage, aggregator.sampleCount]).toEqual([undefined, 4]);
  const csv = collectText((sink) =>
    writeCsv(
      { profile, ...FLAT, order: { by: 'selfTime', descending: true }, units: SAMPLES_AND_TIME },
      sink,
    ),
  );
  expect(csv).not.toMatch(/NaN|Infinity|e\+/);
  // Times are 64-bit integers that overflow, as in the reference. The last trace repeats the interval before it.
  const times = [
    3n * 10n ** 9n + first,
    2n * 10n ** 9n + second,
    (2n ** 63n - 1n) * 10n ** 9n,
    -5n * 10n ** 9n + 1n,
  ];
  const wrapped = times.map((time) => BigInt.asIntN(64, time));
  const intervals = [1, 2, 3, 3].map((next) => BigInt.asIntN(64, wrapped[next] - wrapped[next - 1]));
  const sum = intervals.reduce((total, interval) => total + interval, 0n);
  expect(csv.split('\r\n')[1].split(',')[5]).toBe(String(sum));
});

test('B14: without samples and time, shares are empty and never NaN', () => {
  const aggregator = new ProfileAggregator();
  aggregator.defineMethod(aggregator.method(0, 1), { file: '', className: 'A', methodName: 'a' });
  aggregator.sample(aggregator.thread(0, 1), stackCells([0, 1, 1, 1]), 1, 0);
  const csv = collectText((sink) =>
    writeCsv(
      {
        profile: aggregator.profile,
        ...FLAT,
        order: { by: 'selfTime', descending: true },
        units: SAMPLES_AND_TIME,
      },
      sink,
    ),
  );
  expect(csv.split('\r\n')[1]).toBe('"A.a",1,1,100.0000,100.0000,0,0,,');
});

test('B16: a million distinct leaves under one frame', () => {
  const LEAVES = 1_000_000;
  const aggregator = new ProfileAggregator();
  const thread7 = aggregator.thread(0, 7);
  const cells = stackCells([0, 0, 0, 0], [0, 0, 0, 0]);
  for (let leaf = 1; leaf <= LEAVES; leaf++) {
    // The low half of the id of the first frame.
    cells[1] = leaf;
    aggregator.sample(thread7, cells, 2, 1);
  }
  expect(aggregator.profile.nodes.length).toBe(LEAVES + 2);
  const tree = new CallTree(aggregator.profile, { threads: 'all', frames: 'method-id' });
  tree.update();
  const sums = new RowSums(tree, aggregator.profile.selfValues);
  sums.update();
  const [root] = tree.roots();
  expect([tree.length, sums.totalCount[root]]).toEqual([LEAVES + 2, LEAVES]);
});

/** Bytes of a name -> its text. Names of a JVM are in modified UTF-8. */
const NAMES: readonly (readonly [name: string, encoded: readonly number[], shown: string])[] = [
  ['empty', [], ''],
  ['NUL', [0xc0, 0x80], '\\x00'],
  ['NUL as one byte', [0], '\\x00'],
  ['no UTF-8', [0xff, 0xfe], '\ufffd\ufffd'],
  ['half of a surrogate pair', [0xed, 0xa0, 0x80], '\\ud800'],
  ['a pair of surrogates', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], '\u{1f600}'],
  ['an override of direction', [0xe2, 0x80, 0xae], '\\u202e'],
  ['64 KiB', Array<number>(65_536).fill(0x61), 'a'.repeat(65_536)],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map(
    (name) => [name, [...Buffer.from(name)], name] as const,
  ),
];

test.each(NAMES)('B17: a name that is %s, of a method and of a thread', (_, encoded, shown) => {
  const name = log(i32(encoded.length), Uint8Array.from(encoded));
  const empty = i32(0);
  const { profile, decoder } = readLog(
    log(
      bytes(4),
      i64(7),
      name,
      trace(7, 1, frame(1, 1, 1), log(bytes(3), i64(1), empty, empty, name)),
      trace(7, 2, frame(1, 1, 1)),
    ),
  );
  expect(decoder.damage).toBeUndefined();
  expect(flatOf(profile)[0].split('\t').slice(-5)).toEqual([shown, '2', '2', '2000000000', '2000000000']);
  const tree = collectText((sink) =>
    writeTree({ profile, threads: 'name', frames: 'fqmn', filter: KEEP_ALL }, sink),
  );
  expect(tree.split('\t')[1]).toBe(shown === '' ? 'Unknown Thread(s)' : shown);
});
