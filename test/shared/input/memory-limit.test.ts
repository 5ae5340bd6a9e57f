import { gzipSync } from 'node:zlib';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { memoryAllowed, MOST_FRAMES } from '../../../shared/aggregate/memory-budget.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';
import { MOST_NODES_BEYOND, ProfileReader } from '../../../shared/input/profile-reader.ts';
import { checkProfile } from '../../support/check-profile.ts';
import { WINDOW_MAX_NODES } from '../../../shared/protocol/messages.ts';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { logOf } from '../../support/log-writer/write-log.ts';
import { inCheckout } from '../../support/built-program.ts';
import { profileTables } from '../../support/profile-tables.ts';
import { STEP_BYTES } from '../../../shared/input/input-unpacker.ts';
import { readStored } from '../../support/read-stored.ts';

function bytesRead({ bytes }: ProfileReader): number {
  return bytes.accepted + bytes.skipped + bytes.pending;
}

/** Stacks with a common root and no other common caller, so that each line adds eight nodes. */
function distinctStacks(lines: number): Uint8Array {
  const line = (at: number): string => {
    const frames = Array.from({ length: 8 }, (_, depth) => `com.acme.shop.Type${at % 977}.run${depth}_${at}`);
    return `java.lang.Thread.run;${frames.join(';')} ${1 + (at % 7)}\n`;
  };
  return Buffer.from(Array.from({ length: lines }, (_, at) => line(at)).join(''));
}

test('any input has 64 MiB and 64 bytes per stored byte, and none more than 25 million nodes in a window', () => {
  expect(memoryAllowed(0)).toBe(64 << 20);
  expect(memoryAllowed(1_000_000)).toBe((64 << 20) + 64_000_000);
  expect(memoryAllowed(Infinity)).toBe((25 << 20) * 100);
  expect(WINDOW_MAX_NODES + MOST_NODES_BEYOND).toBe(25 << 20);
  // The longest chunk of JFR.
  expect(memoryAllowed(Infinity)).toBeGreaterThanOrEqual(2 ** 31 - 1);
});

test('B15: a stack as deep as the limit is read', async () => {
  const { reader, damage } = await readStored(Buffer.from(`${'a;'.repeat(MOST_FRAMES - 1)}a 1\n`), {
    pieceBytes: 1 << 16,
  });
  expect([damage, reader.aggregator.deepestStack]).toEqual([undefined, MOST_FRAMES]);
});

test('D06: the limit follows the stored bytes in fixed steps, however they arrive', async () => {
  const text = distinctStacks(5_000);
  expect(text.length).toBeGreaterThan(3 * STEP_BYTES);
  for (const stored of [
    text,
    gzipSync(text, { level: 1 }),
    zipSync({ 'a.collapsed': [text, { level: 0 }] }),
  ]) {
    const steps = Math.ceil(stored.length / STEP_BYTES);
    for (const pieceBytes of [stored.length, STEP_BYTES + 1, 99_999]) {
      const limits: [bytes: number, memory: number][] = [];
      const aggregator = new ProfileAggregator();
      Object.defineProperty(aggregator.memory, 'most', {
        get: () => Infinity,
        set: (most: number) => limits.push([bytesRead(reader), most]),
      });
      const reader = new ProfileReader(aggregator, NOTHING_CHOSEN, openGunzip);
      for (let at = 0; at < stored.length; at += pieceBytes)
        await reader.push(stored.subarray(at, at + pieceBytes));
      await reader.end();
      expect(limits.map(([, most]) => most)).toEqual(
        Array.from({ length: steps }, (_, step) => memoryAllowed(step * STEP_BYTES)),
      );
      if (stored === text)
        expect(limits.map(([bytes]) => bytes)).toEqual(limits.map((_, step) => step * STEP_BYTES));
    }
  }
});

test('B26: what is read of an input above the limit does not depend on how it is cut', async () => {
  for (const stored of [logOf('hostile', 4_000_000), distinctStacks(5_000)]) {
    const shown = async (pieceBytes: number): Promise<unknown> => {
      const { reader } = await readStored(stored, { pieceBytes, mostNodes: 20_000 });
      const { accepted, skipped, pending } = reader.bytes;
      expect([reader.aggregator.overflow, accepted + skipped + pending]).toEqual(['nodes', stored.length]);
      return [profileTables(reader.aggregator.profile), reader.bytes, reader.records];
    };
    const expected = await shown(stored.length);
    for (const pieceBytes of [STEP_BYTES, 100_003, 9_973]) expect(await shown(pieceBytes)).toEqual(expected);
  }
});

/** Inputs of formats without golden files. */
const SMALL_INPUTS = [
  '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"callFrame":{"functionName":"a"},' +
    '"hitCount":1,"children":[3]},{"id":3,"callFrame":{"functionName":"b"},"hitCount":1,"children":[4]},' +
    '{"id":4,"callFrame":{"functionName":"c"},"hitCount":1}],"startTime":0,"endTime":9,"samples":[2,3,4,4],"timeDeltas":[0,3,3,3]}',
  '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},{"name":"b"}]},' +
    '"profiles":[{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":3,"samples":[[0],[0,1],[0,1,0]],"weights":[1,1,1]}]}',
  'list:\n  - data:\n      limit: 10\n      timeRanges: 0-2\n      snapshots:\n        - A-B-C-D\n        - A-B\n        - A-B-E\n',
];

test('B26: every format takes a refusal: no error, valid tables', async () => {
  const golden = readdirSync(inCheckout('test/golden'), { recursive: true, withFileTypes: true });
  const stored = golden
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
  const seen = new Set<string>();
  const full = new Set<string>();
  for (const bytes of [...stored, ...SMALL_INPUTS.map((text) => Buffer.from(text))]) {
    const { reader, problem } = await readStored(bytes, { pieceBytes: 50_000, mostNodes: 3 });
    if (problem !== undefined) continue;
    const { aggregator, format } = reader;
    expect([format?.id, checkProfile(aggregator.profile)]).toEqual([format?.id, []]);
    seen.add(format?.id ?? '');
    if (aggregator.isFull) full.add(format?.id ?? '');
  }
  expect(full.size).toBeGreaterThanOrEqual(13);
  expect([...full].sort()).toEqual([...seen].sort());
});

test('a growing log: a last sample without room is refused for now, and counted when there is room', () => {
  const aggregator = new ProfileAggregator();
  aggregator.limitNodes(1_100);
  const thread = aggregator.thread(0, 1);
  const stack = new Int32Array(4 * 2_000).map((_, at) => (at % 4 === 2 ? at : 0));
  aggregator.provisionalSample(thread, stack, 2_000, 5);
  expect([aggregator.isFull, aggregator.sampleCount]).toEqual([true, 0]);
  aggregator.withdrawProvisional();
  aggregator.limitNodes(10_000);
  aggregator.sample(thread, stack, 2_000, 5);
  expect([aggregator.isFull, aggregator.sampleCount]).toEqual([false, 1]);
  expect(checkProfile(aggregator.profile)).toEqual([]);
});

test('the same where there is no room for its time', () => {
  const aggregator = new ProfileAggregator({ samples: true });
  const thread = aggregator.thread(0, 1);
  const stack = Int32Array.of(0, 1, 2, 3);
  aggregator.takenAt(0n, 0);
  // Memory is reserved for 257 samples at a time.
  const full = 4 * 257;
  for (let sample = 0; sample < full; sample++) aggregator.sample(thread, stack, 1, 5);
  aggregator.memory.most = 0;
  aggregator.provisionalSample(thread, stack, 1, 5);
  aggregator.provisionalSampleAt(aggregator.profile.threads.root[thread] + 1, 5);
  expect([aggregator.isFull, aggregator.sampleCount]).toEqual([true, full]);
  aggregator.withdrawProvisional();
  aggregator.memory.most = 1 << 20;
  aggregator.sample(thread, stack, 1, 5);
  expect([aggregator.isFull, aggregator.sampleCount]).toEqual([false, full + 1]);
  expect(checkProfile(aggregator.profile)).toEqual([]);
});

test('what is reserved by an estimate, as a window and the command line do differently, is not counted', () => {
  const counts = [0, 20_000, 1e6].map((rows) => {
    const aggregator = new ProfileAggregator({ samples: true });
    aggregator.memory.most = 1 << 20;
    const thread = aggregator.thread(0, 1);
    aggregator.takenAt(0n, 0);
    for (let sample = 0; !aggregator.isFull; sample++) {
      if (sample === 1_000) {
        aggregator.reserveSamples(rows);
        aggregator.reserveNodes(rows);
      }
      aggregator.sample(thread, Int32Array.of(0, sample % 5, 2, 3, 0, sample % 500, 4, 5), 2, 5);
    }
    return [aggregator.sampleCount, aggregator.profile.samples?.length, aggregator.profile.nodes.length];
  });
  expect(counts[0][0]).toBeGreaterThan(10_000);
  expect(counts[1]).toEqual(counts[0]);
  expect(counts[2]).toEqual(counts[0]);
});
