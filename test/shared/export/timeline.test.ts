import { expect, test } from 'vitest';
import { collectText } from '../../../shared/export/text-sink.ts';
import type { TimelineMeasured } from '../../../shared/export/export-input.ts';
import { exportTimeline } from '../../../shared/export/timeline.ts';
import type { MeasuredSeries } from '../../../shared/facts/measured-series.ts';
import { SampleTable } from '../../../shared/profile/sample-table.ts';
import { UNBOUNDED } from '../../../shared/engine/values/time-range.ts';

const ORIGIN = 1_795_174_022_000_000_000n;

/** Six samples in 8 ms; those of row 1 are errors. */
function timelineOf(measured: TimelineMeasured | undefined): readonly string[] {
  const samples = new SampleTable();
  samples.origin = ORIGIN;
  for (const [at, self] of [
    [0, 0],
    [0.5, 1],
    [1, 1],
    [6, 0],
    [7, 2],
    [7.999999, 0],
  ])
    samples.append(at * 1e6, self, 1000);
  // Samples of row 2 are outside of the scope.
  const options = { bounds: UNBOUNDED, isOutside: Uint8Array.of(0, 0, 1), buckets: 4, measured };
  const lines = collectText((sink) => exportTimeline(samples, options, sink))
    .trimEnd()
    .split('\n');
  return lines.map((line) => line.replaceAll('\t', ' ').replace(String(ORIGIN).slice(0, 10), ''));
}

const series = (change: Partial<MeasuredSeries>): MeasuredSeries => ({
  id: 'heap-used',
  kind: 'bytes',
  first: String(ORIGIN + 2_500_000n),
  at: [0, 1, 3],
  values: [5e6, 4e6, 7e6],
  ...change,
});

test('series, errors in scope and gaps are columns below their names', () => {
  const pauses = series({
    id: 'gc-pause',
    kind: 'pauses',
    log: 'a.jfr',
    at: [-2, 3],
    values: [0.25, 1.5],
  });
  const measured = { series: [series({}), pauses], isError: Int32Array.of(0, 1, 0), leastGapNs: 2_000_000 };
  expect(timelineOf(measured)).toEqual([
    'start samples value heap-used gc-pause a.jfr errors gap',
    '000000000 3 3000  250000 2 1000000',
    '002000000 0 0 5000000 0 0 2000000',
    '004000000 0 0 7000000 500000 0 2000000',
    '006000000 2 2000 7000000 1000000 0 0',
  ]);
});

test('without them it is a line for each part of the time, as before', () => {
  const [first, ...rest] = timelineOf(undefined);
  expect([first, rest.length]).toEqual(['000000000 3 3000', 3]);
  const none = { series: [], isError: new Int32Array(3), leastGapNs: undefined };
  expect(timelineOf(none)[0]).toBe('start samples value errors');
});
