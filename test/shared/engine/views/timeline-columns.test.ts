import { expect, test } from 'vitest';
import { SampleTable } from '../../../../shared/profile/sample-table.ts';
import {
  NO_MARKS,
  type TimelineMarks,
  timelineColumns,
} from '../../../../shared/engine/views/timeline-columns.ts';
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
    ...{ first: '999', last: 30, from: 0, bucketNs: 11 },
    samples: Float64Array.of(3, 1, 1),
    errors: Float64Array.of(0, 1, 1),
    matches: new Float64Array(3),
    selected: new Float64Array(3),
  });
});

test('there is nothing to show without samples', () => {
  expect(timelineColumns(new SampleTable(), { zoom: undefined, buckets: 3 }, NO_MARKS)).toBeUndefined();
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
      Array.from({ length: buckets }, (_, bucket) => {
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
    const to = zoom?.to ?? columns.last + 1;
    expect(columns.from + columns.bucketNs * buckets, where).toBeGreaterThanOrEqual(to);
  }
});
