import { expect, test, vi } from 'vitest';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import type { Chosen } from '../../../../shared/facts/choice.ts';
import { JfrDecoder, JFR } from '../../../../shared/formats/jfr/format.ts';
import { RecordingFacts } from '../../../../shared/formats/jfr/facts/recording-facts.ts';
import { JfrBytes } from '../../../support/jfr-writer/jfr-bytes.ts';
import { JfrChunk, START_NS } from '../../../support/jfr-writer/jfr-chunk.ts';
import { foldedLines, methodText, stacksOf } from '../../../support/profile-stacks.ts';
import { decodeInput, type ReadInput } from '../../../support/read-input.ts';
import { cpuChunk, otherChunk } from '../../../support/small-recordings.ts';

const read = (input: Uint8Array, chosen?: Chosen): ReadInput => decodeInput(JFR, input, chosen);

/** `thread;root;…;leaf:line count`. */
function lines({ profile }: ReadInput, weight: 'count' | 'value' = 'count'): string[] {
  return foldedLines(
    stacksOf(profile),
    ({ thread, threadId, frames }) =>
      [thread ?? `#${threadId}`, ...frames.map((each) => `${methodText(each)}:${each.line}`)].join(';'),
    weight,
  );
}

test('execution samples with threads, lines and truncated stacks', () => {
  const found = read(cpuChunk());
  expect(lines(found)).toEqual([
    'main;Shop.run:-100 1',
    'main;Shop.run:3;shop.Cart.add:12 2',
    'w;(truncated):-100;Shop.run:5;U.park:-100 1',
    'w;Shop.run:3;shop.Cart.add:12 1',
  ]);
  const { firstTime, lastTime } = found.decoder.facts();
  expect([firstTime, lastTime]).toEqual([START_NS + 1_000n, START_NS + 3_500n]);
  // Without (truncated).
  expect([found.decoder.facts().deepestStack, found.aggregator.deepestStack]).toEqual([2, 3]);
});

test('CPU time samples say which of them have failed, and which are biased', () => {
  const chunk = new JfrChunk(['jdk.CPUTimeSample', 'jdk.ExecutionSample']);
  const main = chunk.thread('main', 1);
  const frame = { method: chunk.method('Shop', 'run'), line: 3, bci: 4, type: 'Interpreted' } as const;
  const stack = chunk.stack([frame]);
  chunk.event('jdk.ExecutionSample', 1_500, main, stack, chunk.state('STATE_RUNNABLE'));
  for (const [failed, biased] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [0, 1],
    [1, 0],
    [0, 1],
  ])
    chunk.event('jdk.CPUTimeSample', 2_000, failed === 1 ? 0 : stack, main, failed, 10, biased);
  const file = chunk.finish();
  const notesOf = (type: string): readonly string[] =>
    read(file, { 'sample-type': type }).decoder.facts().notes;
  expect(lines(read(file, { 'sample-type': 'cpu-time' }))).toEqual(['main;Shop.run:3 4']);
  expect(notesOf('cpu-time')).toEqual([
    '3 samples are biased: the stack is that of the next safepoint, not that of the moment.',
    '2 samples not counted. They have no stack trace. Of 2 samples the JVM has failed to walk the stack: the time was spent, but it is not known in which method.',
  ]);
  expect(notesOf('cpu')).toEqual([]);
  const lossesOf = (type: string): unknown => read(file, { 'sample-type': type }).decoder.facts().losses;
  expect(lossesOf('cpu-time')).toEqual([
    {
      kind: 'uncounted',
      amount: '2 samples',
      advice: undefined,
      why: 'They have no stack trace. Of 2 samples the JVM has failed to walk the stack: the time was spent, but it is not known in which method.',
    },
  ]);
  expect(lossesOf('cpu')).toEqual([]);
});

test('a thread state leaves its own samples', () => {
  expect(lines(read(cpuChunk(), { state: 'STATE_SLEEPING', cut: 'off' }))).toEqual([
    'main;Shop.run:3;shop.Cart.add:12 1',
    'w;Shop.run:5;U.park:-100 1',
  ]);
  expect(lines(read(cpuChunk(), { state: 'no such state' }))).toHaveLength(4);
});

test('other sample types: counts, bytes, ns, classes', () => {
  const wall = read(otherChunk());
  expect(lines(wall)).toEqual(['C2;Shop.run:3 2', 'mäin;Shop.run:3 40']);
  const [choice] = wall.decoder.facts().choices;
  expect(choice).toMatchObject({ kind: 'one', chosen: 'wall' });
  expect(choice.kind === 'one' && choice.options.map(({ value }) => value)).toEqual([
    'wall',
    'alloc',
    'lock',
  ]);
  expect(lines(read(otherChunk(), { 'sample-type': 'alloc' }), 'value')).toEqual([
    'mäin;Shop.run:3;byte[]:-100 4096',
  ]);
  const waits = { 'sample-type': 'lock', classes: 'off' };
  expect(lines(read(otherChunk(), waits), 'value')).toEqual(['mäin;Shop.run:3 1500']);
});

test('chunks: constants mean something else in each, methods and threads stay the same', () => {
  const other = new JfrChunk(['jdk.ExecutionSample']);
  other.thread('nobody', 99);
  other.class('Nothing');
  const stack = other.stack([{ method: other.method('Shop', 'run'), line: 65535, bci: 4, type: 'Inlined' }]);
  other.event('jdk.ExecutionSample', 9_000, other.thread('main', 1), stack, other.state('STATE_RUNNABLE'));
  const found = read(Buffer.concat([cpuChunk(), other.finish()]));
  expect(lines(found)[0]).toBe('main;Shop.run:-100 2');
  expect(found.decoder.facts().notes).toContain('The recording consists of 2 chunks.');
});

test('start times and weights of every width', () => {
  const chunk = new JfrChunk(['jdk.ObjectAllocationSample']);
  const stack = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 4, type: 'Inlined' }]);
  const [thread, klass] = [chunk.thread('main', 1), chunk.class('[B')];
  const widest = 52;
  for (let bits = 0; bits <= widest; bits++)
    chunk.event('jdk.ObjectAllocationSample', 2 ** bits, thread, stack, klass, 2 ** bits);
  const found = read(chunk.finish(), { classes: 'off' });
  expect(found.decoder.bytes.skipped).toBe(0);
  expect(lines(found)).toEqual([`main;Shop.run:3 ${widest + 1}`]);
  expect(lines(found, 'value')).toEqual([`main;Shop.run:3 ${2 ** (widest + 1) - 1}`]);
  const { firstTime, lastTime } = found.decoder.facts();
  expect([firstTime, lastTime]).toEqual([START_NS - 999n, START_NS + 2n ** 52n - 1_000n]);
});

test('a recording that was not finished is read as far as it goes', () => {
  const whole = cpuChunk(false);
  const found = read(whole);
  expect(lines(found)).toEqual(lines(read(cpuChunk())));
  expect(found.decoder.bytes).toEqual({ accepted: whole.length, skipped: 0, pending: 0 });
  expect(found.decoder.facts().skips).toEqual([
    'The recording was not finished: the end of its last chunk is missing.',
  ]);
  // Cut within the constants behind the metadata: the stack that they have is lost, the others are not.
  const cut = read(whole.subarray(0, whole.length - 3));
  expect(cut.decoder.damage).toBeUndefined();
  expect(lines(cut)).toHaveLength(3);
  expect(cut.decoder.facts().notes).toContain(
    '1 sample not counted. Their stack traces are not in the file.',
  );
});

test('a recording that ends before its metadata says so', () => {
  const { decoder } = read(cpuChunk(false).subarray(0, 120));
  expect(decoder.damage).toEqual({
    what: 'chunk',
    byteOffset: 0,
    record: 0,
    found: 'a chunk that ends before its metadata',
    expected: 'a finished recording (jcmd JFR.dump, JFR.stop)',
  });
  expect(decoder.bytes).toEqual({ accepted: 0, skipped: 120, pending: 0 });
});

test('a finished recording that was cut is damaged where it breaks off; what comes before is used', () => {
  const whole = cpuChunk();
  const early = read(whole.subarray(0, 120)).decoder;
  expect(early.damage).toEqual({
    what: 'chunk',
    byteOffset: 0,
    record: 0,
    found: 'a chunk that ends before its metadata, after 120 bytes',
    expected: `${whole.length} bytes, as its header says: the file was cut`,
  });
  for (const before of [[], [...cpuChunk()]]) {
    const end = before.length + whole.length - 3;
    const cut = read(Buffer.from([...before, ...whole.subarray(0, -3)]));
    expect(cut.decoder.damage).toEqual({
      what: 'chunk',
      byteOffset: end,
      record: cut.decoder.records,
      found: `the end of the file after ${whole.length - 3} bytes of the chunk`,
      expected: `${whole.length} bytes, as its header says: the file was cut`,
    });
    expect(lines(cut)).toHaveLength(before.length === 0 ? 3 : 4);
    expect(cut.decoder.facts().skips).toEqual([]);
    expect(cut.decoder.bytes).toMatchObject({ pending: 0 });
  }
  // Within the header of the second chunk.
  const inHeader = read(Buffer.from([...whole, ...whole.subarray(0, 40)])).decoder;
  expect(inHeader.damage).toMatchObject({ what: 'chunk header', byteOffset: whole.length });
  expect(inHeader.bytes).toEqual({ accepted: whole.length, skipped: 40, pending: 0 });
});

test('a copy of a chunk that the JVM is still writing is said to be unfinished', () => {
  const flushed = cpuChunk();
  flushed[64] = 3;
  const { decoder } = read(flushed);
  expect(decoder.damage).toBeUndefined();
  expect(decoder.facts().skips).toEqual([
    'The recording was not finished: what the JVM writes after its latest flush is missing.',
  ]);
  // Less than the header says was flushed is a cut file, too.
  expect(read(flushed.subarray(0, -3)).decoder.damage).toMatchObject({ byteOffset: flushed.length - 3 });
});

test.each([
  ['Oracle JDK 8', 5, 1, /^version 1\.1, the format of Oracle JDK 8/],
  ['integers of fixed length', 67, 0, /integers of fixed length/],
  ['a size that is none', 8, 0x40, /a chunk of \d+ bytes/],
])('refused: %s', (_, at, value, found) => {
  const input = cpuChunk();
  input[at] = value;
  const { decoder } = read(input);
  expect(decoder.damage?.what).toBe('chunk header');
  expect(decoder.damage?.found).toMatch(found);
  expect(decoder.bytes.skipped).toBe(input.length);
});

test('an event without a size ends the chunk; what it refers to further on is found along the chain', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample']);
  const stack = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
  chunk.event('jdk.ExecutionSample', 2_000, chunk.thread('main', 1), stack, chunk.state('STATE_RUNNABLE'));
  const at = chunk.length;
  chunk.raw(new Uint8Array(8));
  chunk.writePools();
  chunk.class('Later');
  const input = chunk.finish();
  const found = read(input);
  expect(found.decoder.damage).toMatchObject({ what: 'event', byteOffset: at, record: 1 });
  expect(lines(found)).toEqual(['main;Shop.run:3 1']);
  expect(found.decoder.bytes).toEqual({ accepted: at, skipped: input.length - at, pending: 0 });
});

test('constants that are too many for their bytes are skipped', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample']);
  const fields = new JfrBytes();
  // start, duration, delta, mask, one pool: of threads, 2^40 of them.
  for (const value of [1, 0, 0, 0, 1, 24, 2 ** 40]) fields.integer(value);
  const pools = new JfrBytes();
  pools.event(1, fields);
  chunk.raw(pools.written.slice());
  const { decoder } = read(chunk.finish());
  expect(decoder.damage).toBeUndefined();
  expect(decoder.facts().skips).toEqual(['1 event with fields that do not match the metadata: skipped.']);
  expect(decoder.bytes.skipped).toBe(pools.length);
});

test('the sampling period is looked up for a chunk, not for each of its samples', () => {
  const chunk = new JfrChunk(['jdk.ActiveSetting', 'jdk.ExecutionSample']);
  chunk.setting('jdk.ExecutionSample', 'period', '20 ms');
  const run = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
  const sample = [chunk.thread('main', 1), run, chunk.state('STATE_RUNNABLE')] as const;
  for (let at = 0; at < 500; at++) chunk.event('jdk.ExecutionSample', 2_000 + at, ...sample);
  const lookUp = vi.spyOn(RecordingFacts.prototype, 'periodNs', 'get');
  const aggregator = new ProfileAggregator({ samples: true });
  const decoder = new JfrDecoder(aggregator, {});
  decoder.append(chunk.finish());
  decoder.emitOpen(true);
  expect(lookUp.mock.calls.length).toBeLessThan(5);
  lookUp.mockRestore();
  const { profile } = aggregator;
  expect([profile.samples?.length, profile.samples?.value.exact(499)]).toEqual([500, 20_000_000n]);
  // The period of the recording, once.
  expect(profile.samples?.value.column.ns.length).toBe(1);
});
