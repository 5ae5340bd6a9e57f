import { expect, test } from 'vitest';
import { sampleSpan, SampleTable } from '../../../../shared/profile/sample-table.ts';
import { BLOCK_ROWS, SampleBlocks, TimelineCounts } from '../../../../shared/engine/views/timeline-counts.ts';
import {
  placesInTime,
  type TimelineColumns,
  timelineColumns,
  type TimelineMarks,
  type TimelineView,
} from '../../../../shared/engine/views/timeline-columns.ts';
import { NO_MARKS } from '../../../support/no-marks.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { testSeed } from '../../../support/test-seed.ts';
import { testSize } from '../../../support/test-size.ts';

const { seed, randomFor } = testSeed('timeline-counts');
const SELF_ROWS = 40;

/** Bucket -> samples in scope, with an error, with a match, with the selected method, one by one. */
function counted(
  table: SampleTable,
  { from, bucketNs, samples: { length } }: TimelineColumns,
  marks: TimelineMarks,
): number[][] {
  const times = Array.from({ length: table.length }, (_, row) => table.timeOf(row));
  const first = times.reduce((least, at) => (at < least ? at : least));
  const columns = Array.from({ length: 4 }, () => new Array<number>(length).fill(0));
  for (const [row, at] of times.entries()) {
    const bucket = Math.floor((Number(at - first) - from) / bucketNs);
    const self = table.self[row];
    if (bucket < 0 || bucket >= length || marks.isOutside?.[self] === 1) continue;
    for (const [column, mark] of [undefined, marks.isError, marks.isMatch, marks.isSelected].entries())
      if (column === 0 || mark?.[self] === 1) columns[column][bucket]++;
  }
  return columns;
}

function randomMarks(random: SeededRandom): TimelineMarks {
  // Marks may end before the rows of the SelfTable do.
  const mark = (): Uint8Array | undefined =>
    random.below(3) === 0
      ? undefined
      : Uint8Array.from({ length: random.below(SELF_ROWS + 1) }, () => random.below(2));
  return { isOutside: mark(), isError: mark(), isMatch: mark(), isSelected: mark() };
}

function randomView(random: SeededRandom, clock: number): TimelineView {
  const from = random.below(clock + 1);
  const to = from + 1 + random.below(clock + 1);
  return { zoom: random.below(2) === 0 ? undefined : { from, to }, buckets: 1 + random.below(12) };
}

test('what is remembered of a growing table gives the same counts as its samples one by one', () => {
  for (let scenario = 0; scenario < testSize(60, 3_000); scenario++) {
    const random = randomFor(scenario);
    const table = new SampleTable();
    table.origin = 5_000n;
    const counts = new TimelineCounts();
    let clock = 0;
    // How often a clock goes backwards: never, now and then, or any order.
    const backwards = random.pick([0, 0.01, 1]);
    let marks = randomMarks(random);
    for (let step = 0; step < 6; step++) {
      table.truncate(table.finalLength);
      const before = table.length;
      for (let added = random.below(4 * BLOCK_ROWS); added > 0; added--) {
        clock += random.below(5);
        table.append(random.next() < backwards ? random.below(clock + 1) : clock, random.below(SELF_ROWS), 1);
      }
      table.provisional = random.below(Math.min(3, table.length - before) + 1);
      if (random.below(8) === 0) table.convert((ns) => 3 * ns, 5_000n, 5_000n);
      if (random.below(3) === 0) marks = randomMarks(random);
      if (table.length === 0) continue;
      const view = randomView(random, clock);
      const columns = timelineColumns(table, view, marks, counts)!;
      const where = `SEED=${seed} scenario ${scenario} step ${step}`;
      const { samples, errors, matches, selected } = columns;
      expect(
        [samples, errors, matches, selected].map((column) => [...column]),
        where,
      ).toEqual(counted(table, columns, marks));
      expect(counts.blocks.span(table), where).toEqual(sampleSpan(table));
      const start = Number(BigInt(columns.first) - 5_000n) + columns.from;
      const places = Array.from({ length: table.length }, (_, row) => {
        const bucket = Math.floor((table.at.ns[row] - start) / columns.bucketNs);
        return bucket >= 0 && bucket < samples.length ? bucket : -1;
      });
      expect([...placesInTime(table, columns, counts.blocks)], where).toEqual(places);
    }
  }
});

test('times beyond 2^53 ns have their exact span', () => {
  const table = new SampleTable();
  table.origin = 0n;
  for (let row = 0; row < 2 * BLOCK_ROWS; row++) table.append(row, 0, 1);
  table.append(-(2n ** 53n) - 1n, 0, 1);
  const blocks = new SampleBlocks();
  blocks.update(table);
  expect(blocks.span(table)).toEqual({ first: -(2n ** 53n) - 1n, last: BigInt(2 * BLOCK_ROWS - 1) });
});

/** How often the elements of a column are read. */
function counting<Column extends object>(column: Column): { readonly column: Column; reads: number } {
  const counter = {
    reads: 0,
    column: new Proxy(column, {
      get(of, name) {
        counter.reads++;
        const value: unknown = Reflect.get(of, name);
        return typeof value === 'function' ? (value.bind(of) as unknown) : value;
      },
    }),
  };
  return counter;
}

test('another zoom, width or a little growth looks at few samples again; other marks at no time', () => {
  const rows = 100 * BLOCK_ROWS;
  const table = new SampleTable();
  table.origin = 0n;
  table.reserve(rows + 1_000);
  for (let row = 0; row < rows; row++) table.append(10 * row, row % 7, 1);
  const counts = new TimelineCounts();
  const self = counting(table.self);
  const ns = counting(table.at.ns);
  table.self = self.column;
  table.at.ns = ns.column;
  const marks = { ...NO_MARKS, isError: Uint8Array.of(0, 1) };
  /** Reads of times and rows of the SelfTable that drawing a view costs. */
  const cost = (view: TimelineView, of = marks): readonly number[] => {
    const before = [ns.reads, self.reads];
    timelineColumns(table, view, of, counts);
    return [ns.reads - before[0], self.reads - before[1]];
  };
  const whole = { zoom: undefined, buckets: 9 };
  for (const reads of cost(whole)) expect(reads).toBeGreaterThanOrEqual(rows);
  // A block at each of the 8 edges between buckets, and two at those of a zoom.
  const edges = 10 * BLOCK_ROWS;
  const middle = { from: 3.5 * rows, to: 6.5 * rows };
  const redraws = [whole, { ...whole, buckets: 4 }, { zoom: middle, buckets: 9 }];
  for (const view of redraws) for (const reads of cost(view)) expect(reads).toBeLessThanOrEqual(edges);
  for (let row = rows; row < rows + 300; row++) table.append(10 * row, 0, 1);
  // The new block is read three times at most: its bounds, its marks, and at the end of the last bucket.
  for (const reads of cost(whole)) expect(reads).toBeLessThanOrEqual(edges + 4 * BLOCK_ROWS);
  const [times, marked] = cost(whole, { ...marks, isMatch: Uint8Array.of(0, 0, 1) });
  expect(times).toBeLessThanOrEqual(edges + BLOCK_ROWS);
  expect(marked).toBeGreaterThanOrEqual(rows);
});
