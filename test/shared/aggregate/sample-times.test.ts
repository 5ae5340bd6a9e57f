import { describe, expect, test } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { CPUPROFILE } from '../../../shared/formats/cpuprofile.ts';
import { JFR } from '../../../shared/formats/jfr/format.ts';
import { OTLP } from '../../../shared/formats/otlp/format.ts';
import type { ProfileFormat } from '../../../shared/formats/profile-format.ts';
import { SPEEDSCOPE } from '../../../shared/formats/speedscope.ts';
import { JfrChunk, START_NS } from '../../support/jfr-writer/jfr-chunk.ts';
import { methodText, stacksOf } from '../../support/profile-stacks.ts';
import { decodeInput } from '../../support/read-input.ts';
import { stampedOtlp } from '../../support/stamped-otlp.ts';
import { cpuChunk, otherChunk } from '../../support/small-recordings.ts';

/** One line a sample: time, leaf, value; undefined if the format does not know the times. */
function samplesOf(format: ProfileFormat, input: Uint8Array, chosen = {}, origin = 0n): string[] | undefined {
  const { profile, decoder } = decodeInput(format, input, chosen, undefined, true);
  const { samples } = profile;
  if (samples === undefined || !decoder.facts().hasSampleTimes) return undefined;
  const stacks = stacksOf(profile);
  return Array.from({ length: samples.length }, (_, row) => {
    const leaf = stacks[samples.self[row]].frames.at(-1);
    return `${samples.timeOf(row) - origin} ${leaf && methodText(leaf)} ${samples.value.exact(row)}`;
  });
}

const json = (file: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(file));

describe('JFR', () => {
  test('execution samples', () => {
    expect(samplesOf(JFR, cpuChunk(), { period: '20' }, START_NS)).toEqual([
      '1000 shop.Cart.add 20000000',
      '2000 Shop.run 20000000',
      '2500 shop.Cart.add 20000000',
      '3000 shop.Cart.add 20000000',
      '3500 U.park 20000000',
    ]);
  });

  test('many chunks take no more memory than their samples need', () => {
    const input = Buffer.concat(Array.from({ length: 100 }, () => cpuChunk()));
    const { samples } = decodeInput(JFR, input, {}, undefined, true).profile;
    expect(samples?.length).toBe(500);
    expect(samples?.self.length).toBeLessThan(2000);
  });

  test('locks, with their time', () => {
    expect(samplesOf(JFR, otherChunk(), { 'sample-type': 'lock', classes: 'off' }, START_NS)).toEqual([
      '1700 Shop.run 1500',
    ]);
  });

  test('wall-clock samples that stand for several: one period after the other, or all at once if it is not known', () => {
    const wall = { 'sample-type': 'wall' };
    const [sleeping, running] = ['1000', '1500'].map((at) => `${at} Shop.run 0`);
    expect(samplesOf(JFR, otherChunk(), wall, START_NS)).toEqual([
      ...Array.from({ length: 40 }, () => sleeping),
      ...Array.from({ length: 2 }, () => running),
    ]);
    const every50 = samplesOf(JFR, otherChunk(), { ...wall, period: '50' }, START_NS);
    expect(every50).toHaveLength(42);
    expect(every50?.slice(38)).toEqual([
      `${1000 + 38 * 50e6} Shop.run 50000000`,
      `${1000 + 39 * 50e6} Shop.run 50000000`,
      '1500 Shop.run 50000000',
      `${1500 + 50e6} Shop.run 50000000`,
    ]);
  });

  test.each([true, false])('the last time is that of the last sample, with times kept: %s', (keepsTimes) => {
    const lastOf = (period: Chosen): number => {
      const chosen = { 'sample-type': 'wall', ...period };
      const { decoder } = decodeInput(JFR, otherChunk(), chosen, undefined, keepsTimes);
      return Number(decoder.facts().lastTime! - START_NS);
    };
    expect(lastOf({})).toBe(1500);
    expect(lastOf({ period: '50' })).toBe(1000 + 39 * 50e6);
  });
});

test('JFR: an event that stands for more samples than get times is counted without one, and that is said', () => {
  const chunk = new JfrChunk(['profiler.WallClockSample']);
  const thread = chunk.thread('main', 1);
  const stack = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 4, type: 'Interpreted' }]);
  for (const [at, count] of [
    [2_000, 2],
    [3_000, 900_000_000],
    [4_000, 1],
  ])
    chunk.event('profiler.WallClockSample', at, thread, stack, chunk.state('STATE_SLEEPING'), count);
  const { profile, decoder } = decodeInput(JFR, chunk.finish(), {}, undefined, true);
  expect(Array.from({ length: 3 }, (_, row) => profile.samples!.timeOf(row) - START_NS)).toEqual([
    1000n,
    1000n,
    3000n,
  ]);
  expect([profile.samples?.length, profile.selfValues.count[0]]).toEqual([3, 900_000_003]);
  expect(decoder.facts().hasSampleTimes).toBe(true);
  expect(decoder.facts().notes.join(' ')).toContain('900,000,000 samples of such events without a time');
});

const events = (unit: string): unknown => ({
  $schema: 'https://www.speedscope.app/file-format-schema.json',
  shared: { frames: [{ name: 'main' }, { name: 'work' }] },
  profiles: [
    {
      type: 'evented',
      name: 'one',
      unit,
      startValue: 0,
      endValue: 7,
      events: [
        { type: 'O', frame: 0, at: 1 },
        { type: 'O', frame: 1, at: 3 },
        { type: 'C', frame: 1, at: 6.5 },
        { type: 'C', frame: 0, at: 7 },
      ],
    },
  ],
});

test('speedscope: the times between events', () => {
  expect(samplesOf(SPEEDSCOPE, json(events('microseconds')))).toEqual([
    '1000 main 2000',
    '3000 work 3500',
    '6500 main 500',
  ]);
});

test('speedscope: units that are no time, and samples with weights, say nothing of it', () => {
  expect(samplesOf(SPEEDSCOPE, json(events('bytes')))).toBeUndefined();
  const sampled = { type: 'sampled', name: 'one', unit: 'seconds', samples: [[0]], weights: [1] };
  const file = { ...(events('none') as object), profiles: [sampled] };
  expect(samplesOf(SPEEDSCOPE, json(file))).toBeUndefined();
});

const NODES = [
  { id: 1, callFrame: { functionName: '(root)' }, children: [2] },
  { id: 2, callFrame: { functionName: 'main', url: '', lineNumber: 0 }, hitCount: 2 },
];

test('cpuprofile: time deltas in microseconds; a file without them does not know', () => {
  const timed = { nodes: NODES, startTime: 10, endTime: 60, samples: [2, 1, 2], timeDeltas: [5, 10, 20] };
  expect(samplesOf(CPUPROFILE, json(timed))).toEqual(['5000 main 10000', '35000 main 15000']);
  expect(samplesOf(CPUPROFILE, json({ nodes: NODES, samples: [2] }))).toBeUndefined();
});

describe('OTLP', () => {
  const BASE = 1_795_174_578_000_000_000n;
  const sample = (values: readonly number[], ...stamps: readonly number[]) => ({
    thread: 'main',
    stack: ['work', 'main'],
    values,
    stamps: stamps.map((stamp) => (stamp === 0 ? 0n : BASE + BigInt(stamp))),
  });
  const notesOf = (input: Uint8Array): string =>
    decodeInput(OTLP, input, {}, undefined, true).decoder.facts().notes.join(' ');

  test('a value for each time stamp, one for all of them, and none', () => {
    const samples = [sample([2, 1], 500, 700), sample([3], 900, 800), sample([], 600)];
    expect(samplesOf(OTLP, stampedOtlp('links', 'count', samples), {}, BASE)).toEqual([
      '500 work 0',
      '500 work 0',
      '700 work 0',
      // Of three samples, half are two.
      '900 work 0',
      '900 work 0',
      '800 work 0',
      '600 work 0',
    ]);
    expect(samplesOf(OTLP, stampedOtlp('links', 'microseconds', samples), {}, BASE)).toEqual([
      '500 work 2000',
      '700 work 1000',
      '900 work 2000',
      '800 work 1000',
      '600 work 1000',
    ]);
  });

  test.each([true, false])('first and last time are those of stamps, with times kept: %s', (keepsTimes) => {
    const input = stampedOtlp('values', 'count', [sample([1, 1], 700, 500), sample([1], 600)]);
    const facts = decodeInput(OTLP, input, {}, undefined, keepsTimes).decoder.facts();
    expect(facts).toMatchObject({ firstTime: BASE + 500n, lastTime: BASE + 700n, hasSampleTimes: true });
  });

  test('samples without a stamp are in no range, and that is said unless no sample has one', () => {
    const input = stampedOtlp('links', 'count', [sample([2, 3], 500, 0), sample([4])]);
    expect(samplesOf(OTLP, input, {}, BASE)).toEqual(['500 work 0', '500 work 0']);
    expect(notesOf(input)).toBe(
      '7 samples without a time stamp: in the whole profile, but in no range of time.',
    );
    const without = stampedOtlp('links', 'count', [sample([4])]);
    expect([samplesOf(OTLP, without), notesOf(without)]).toEqual([undefined, '']);
  });

  test('a stamp that stands for more samples than get times is counted without one, and that is said', () => {
    const input = stampedOtlp('links', 'count', [sample([2, 900_000_000, 1], 500, 600, 700)]);
    const { profile } = decodeInput(OTLP, input, {}, undefined, true);
    expect([profile.samples?.length, profile.selfValues.count[0]]).toEqual([3, 900_000_003]);
    expect(notesOf(input)).toBe(
      '900,000,000 samples of stamps that stand for too many: in no range of time.',
    );
  });

  test('times that there is no memory for are not kept', () => {
    const aggregator = new ProfileAggregator({ samples: true });
    aggregator.memory.most = 200_000;
    const decoder = OTLP.createDecoder(aggregator, {});
    decoder.append(stampedOtlp('links', 'count', [sample([1_000, 5_000, 1], 500, 600, 700)]));
    decoder.emitOpen(true);
    expect([aggregator.profile.samples?.length, aggregator.sampleCount]).toEqual([1_001, 6_001]);
    expect(aggregator.overflow).toBeUndefined();
  });
});
