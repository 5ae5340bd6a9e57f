import { expect, test } from 'vitest';
import {
  type MeasuredSeries,
  MeasuredValues,
  MOST_MEASURED,
} from '../../../../../shared/facts/measured-series.ts';
import { JFR } from '../../../../../shared/formats/jfr/format.ts';
import { JfrChunk, START_NS } from '../../../../support/jfr-writer/jfr-chunk.ts';
import { decodeInput } from '../../../../support/read-input.ts';
import { testSeed } from '../../../../support/test-seed.ts';

/** `cpu-jvm share +0 0.5 +1 0.75`: ms after the chunk began. */
function textOf({ id, kind, first, at, values }: MeasuredSeries): string {
  const start = Number(BigInt(first) - START_NS) / 1e6;
  const points = at.map((each, point) => `+${start + each} ${values[point]}`);
  return [id, kind, ...points].join(' ');
}

test('pauses, load and heap of a recording: when they were measured, in the order of time', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample', 'jdk.CPULoad', 'jdk.GCPhasePause', 'jdk.GCHeapSummary']);
  const run = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
  const sample = [chunk.thread('main', 1), run, chunk.state('STATE_RUNNABLE')] as const;
  chunk.event('jdk.ExecutionSample', 2_000, ...sample);
  chunk.eventWithFloat('jdk.CPULoad', [2_001_000], 0.25, 0.125, 1);
  // The buffers of threads are written one after the other.
  chunk.eventWithFloat('jdk.CPULoad', [1_001_000], 0.5, 0, 0.5);
  chunk.event('jdk.GCPhasePause', 3_001_000, 1_500_000, 7, 0);
  chunk.event('jdk.GCHeapSummary', 3_001_000, 7, 0, 5_000_000_000);
  chunk.event('jdk.GCHeapSummary', 5_001_000, 7, 1, 4096);
  const { profile, decoder } = decodeInput(JFR, chunk.finish());
  expect(profile.selfValues.count[0]).toBe(1);
  expect(decoder.facts().series.map(textOf)).toEqual([
    'gc-pause pauses +3 1.5',
    'cpu-jvm share +1 0.5 +2 0.375',
    'cpu-machine share +1 0.5 +2 1',
    'heap-used bytes +3 5000000000 +5 4096',
  ]);
});

test('numbers of any event without a stack are series, each with its unit; those of one of several things are not', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample', 'shop.Queue', 'shop.Shelf', 'jdk.DataLoss']);
  const main = chunk.thread('main', 1);
  chunk.eventWithFloat('shop.Queue', [1_001_000, main, 7, 12, 4096, 3], 0.5);
  chunk.eventWithFloat('shop.Queue', [3_001_000, main, 8, 9, 512, 0], 2.5);
  chunk.event('shop.Shelf', 2_000, 0, 44);
  chunk.event('jdk.DataLoss', 2_000, 55, 66);
  const { series } = decodeInput(JFR, chunk.finish()).decoder.facts();
  expect(series.map((each) => `${each.name}: ${textOf(each)}`)).toEqual([
    'Queue: held: shop.Queue.held bytes +1 4096 +3 512',
    'Queue: length: shop.Queue.length number +1 12 +3 9',
    'Queue: load: shop.Queue.load number +1 0.5 +3 2.5',
    'Queue: wait: shop.Queue.wait time +1 3000000 +3 0',
  ]);
});

test('a recording without such events, or with other fields of their names, has no series', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample', 'jdk.CPULoad']);
  // NaN, as a JVM has it before it has measured anything.
  chunk.eventWithFloat('jdk.CPULoad', [2_000], NaN, 0, -1);
  expect(decodeInput(JFR, chunk.finish()).decoder.facts().series).toEqual([]);
});

test('of many values the peaks remain and no pause is lost, in whatever order they come', () => {
  const random = testSeed('measured series').randomFor(0);
  const measured = Array.from({ length: 5 * MOST_MEASURED }, (_, at) => ({ at, value: random.below(100) }));
  const peak = { at: 1234, value: 1000 };
  for (const kind of ['pauses', 'bytes'] as const) {
    const [ascending, descending] = [1, -1].map((direction) => {
      const values = new MeasuredValues(kind);
      values.add(0n, 0, 0);
      for (const { at, value } of [...measured, peak].sort((a, b) => direction * (a.at - b.at)))
        values.add(0n, at * 1e6, value);
      return values.series('heap-used')!;
    });
    expect(descending).toEqual(ascending);
    expect(ascending.at.length).toBeLessThanOrEqual(MOST_MEASURED);
    expect(ascending.at.length).toBeGreaterThan(MOST_MEASURED / 4);
    const sum = [...measured, peak].reduce((all, { value }) => all + value, 0);
    if (kind === 'pauses') expect(ascending.values.reduce((all, value) => all + value, 0)).toBe(sum);
    else expect(Math.max(...ascending.values)).toBe(1000);
  }
});
