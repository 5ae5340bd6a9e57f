import { expect, test } from 'vitest';
import { SampleTable } from '../../../../shared/profile/sample-table.ts';
import { type TimelineMarks, timelineColumns } from '../../../../shared/engine/views/timeline-columns.ts';
import { NO_MARKS } from '../../../support/no-marks.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('timeline-columns');

function tableOf(...samples: readonly (readonly [at: number, self: number])[]): SampleTable {
  const table = new SampleTable();
  table.origin = 1_000n;
  for (const [at, self] of samples) table.append(at, self, 1);
  return table;
}

test('samples are counted by their time, whatever their order', () => {
  const table = tableOf([20, 0], [0, 1], [29, 0], [9, 1], [10, 2], [-1, 1]);
  const marks = { ...NO_MARKS, isError: Uint8Array.of(1, 0, 0), isOutside: Uint8Array.of(0, 0, 1) };
  expect(timelineColumns(table, { zoom: undefined, buckets: 3 }, marks)).toEqual({
    first: '999',
    last: 30,
    shown: { from: 0, to: 31 },
    from: 0,
    bucketNs: 20,
    samples: Float64Array.of(3, 2),
    errors: Float64Array.of(0, 2),
    matches: new Float64Array(2),
    selected: new Float64Array(2),
  });
});

test('there is nothing to show without samples', () => {
  expect(timelineColumns(new SampleTable(), { zoom: undefined, buckets: 3 }, NO_MARKS)).toBeUndefined();
});

test('one busy thread is no comb: a bucket holds five samples or more, at multiples of its width', () => {
  // A sample every 10 ms, give or take 2 ms, for 20 s; none from 8 to 12 s.
  const random = randomFor(1);
  const times = Array.from({ length: 2_000 }, (_, at) => at * 10_000_000 + random.below(4_000_000));
  const table = tableOf(...times.filter((at) => at < 8e9 || at >= 12e9).map((at) => [at, 0] as const));
  for (const zoom of [undefined, { from: 1_234_567, to: 4e9 }, { from: 15e9 + 7, to: 16e9 }]) {
    const { samples, from, bucketNs, shown } = timelineColumns(table, { zoom, buckets: 600 }, NO_MARKS)!;
    expect(from % bucketNs).toBe(0);
    const busy = [...samples.slice(1, -1)].filter((count) => count > 0);
    expect(busy.reduce((sum, count) => sum + count, 0) / busy.length).toBeGreaterThanOrEqual(
      (shown.to - shown.from) / bucketNs > 48 ? 5 : 2,
    );
  }
});

test('while a log grows, the buckets so far keep their samples', () => {
  const all = Array.from({ length: 4_000 }, (_, at) => [at * 5_000_000, 0] as const);
  const view = { zoom: undefined, buckets: 600 };
  const before = timelineColumns(tableOf(...all.slice(0, 3_000)), view, NO_MARKS)!;
  const after = timelineColumns(tableOf(...all), view, NO_MARKS)!;
  expect(after.bucketNs).toBe(before.bucketNs);
  expect(after.samples.slice(0, before.samples.length - 1)).toEqual(before.samples.slice(0, -1));
});

test('on random tables each bucket has the samples that a count one by one has', () => {
  for (let scenario = 0; scenario < 300; scenario++) {
    const random = randomFor(scenario);
    const samples = Array.from(
      { length: 1 + random.below(50) },
      () => [random.below(1_000), random.below(4)] as const,
    );
    // Marks may end before the rows of the SelfTable do.
    const mark = (): Uint8Array => Uint8Array.from({ length: random.below(5) }, () => random.below(2));
    const marks: TimelineMarks = { isOutside: mark(), isError: mark(), isMatch: mark(), isSelected: mark() };
    const from = random.below(500);
    const zoom = random.below(2) === 0 ? undefined : { from, to: from + 1 + random.below(500) };
    const buckets = 1 + random.below(12);
    const columns = timelineColumns(tableOf(...samples), { zoom, buckets }, marks)!;
    const first = Math.min(...samples.map(([at]) => at));
    const counted = (isCounted: Uint8Array | undefined): number[] =>
      Array.from({ length: columns.samples.length }, (_, bucket) => {
        const start = first + columns.from + bucket * columns.bucketNs;
        return samples.filter(
          ([at, self]) =>
            at >= start &&
            at < start + columns.bucketNs &&
            marks.isOutside![self] !== 1 &&
            (isCounted === undefined || isCounted[self] === 1),
        ).length;
      });
    const where = `SEED=${seed} scenario ${scenario}`;
    expect([...columns.samples], where).toEqual(counted(undefined));
    expect([...columns.errors], where).toEqual(counted(marks.isError));
    expect([...columns.matches], where).toEqual(counted(marks.isMatch));
    expect([...columns.selected], where).toEqual(counted(marks.isSelected));
    // A part of the time that no sample reaches is not shown.
    const isReached = zoom !== undefined && zoom.from <= columns.last;
    expect(columns.shown, where).toEqual(isReached ? zoom : { from: 0, to: columns.last + 1 });
    expect(columns.from, where).toBeLessThanOrEqual(columns.shown.from);
    const end = columns.from + columns.bucketNs * columns.samples.length;
    expect(end, where).toBeGreaterThanOrEqual(columns.shown.to);
  }
});
