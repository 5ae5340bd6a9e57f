import { expect, test } from 'vitest';
import {
  lanesText,
  measuredLane,
  measuredLanes,
  measuredText,
  scaleText,
} from '../../../../renderer/panes/timeline/MeasuredLanes.tsx';
import { bucketAfterKey } from '../../../../renderer/panes/timeline/timeline-keys.ts';
import type { MeasuredSeries } from '../../../../shared/facts/measured-series.ts';
import type { TimelineColumns } from '../../../../shared/engine/views/timeline-columns.ts';
import { logStatus } from '../../../support/window-events.ts';

const MS = 1e6;

/** Six buckets of 2 ms from `from` ms after the first sample on, which was at 1 s. */
function columnsFrom(from: number): TimelineColumns {
  const none = new Float64Array(6);
  return {
    first: '1000000000',
    last: 12 * MS,
    from: from * MS,
    bucketNs: 2 * MS,
    shown: { from: from * MS, to: (from + 12) * MS },
    samples: Float64Array.of(4, 0, 2, 1, 1, 1),
    errors: Float64Array.of(1, 0, 2, 0, 0, 0),
    matches: none,
    selected: none,
  };
}

const series = (
  kind: MeasuredSeries['kind'],
  points: readonly (readonly [at: number, value: number])[],
  id: MeasuredSeries['id'] = 'heap-used',
): MeasuredSeries => ({
  id,
  kind,
  first: '1000000000',
  at: points.map(([at]) => at),
  values: points.map(([, value]) => value),
});
const valuesOf = (measured: MeasuredSeries, from = 0): string =>
  [...measuredLane(measured, columnsFrom(from)).values].join(' ');

test('a value holds until the next; of several in a bucket the largest is shown', () => {
  const heap = series('bytes', [
    [3, 10],
    [4, 7],
    [4.5, 30],
    [5, 20],
  ]);
  expect(valuesOf(heap)).toBe('NaN 10 30 20 20 20');
  // Zoomed in, what was measured before holds, too.
  expect(valuesOf(heap, 4)).toBe('30 20 20 20 20 20');
  expect(valuesOf(heap, 20)).toBe('20 20 20 20 20 20');
  expect(scaleText(measuredLane(heap, columnsFrom(20)))).toBe('max 30 B');
  expect(valuesOf(series('bytes', []))).toBe('NaN NaN NaN NaN NaN NaN');
});

test('used heap rises between collections: it is estimated there, and said so', () => {
  const heap = series('bytes', [
    [1, 80],
    [1.5, 20],
    [9, 80],
    [9.5, 30],
  ]);
  const lane = measuredLane(heap, columnsFrom(0));
  // In the middle of a bucket, on the line from 20 at 1.5 ms to 80 at 9 ms.
  expect([...lane.drawn]).toEqual([80, 32, 48, 64, 80, 30]);
  expect([0, 1, 5].map((bucket) => measuredText(lane, bucket))).toEqual(['80 B', 'about 32 B', '30 B']);
  expect([...measuredLane(heap, columnsFrom(4)).drawn]).toEqual([48, 64, 80, 30, 30, 30]);
  expect([...measuredLane(series('bytes', [[9, 5]]), columnsFrom(0)).drawn]).toEqual([
    NaN,
    NaN,
    NaN,
    NaN,
    5,
    5,
  ]);
  // The load of a processor is that of the time before: it holds.
  const load = measuredLane(
    series(
      'share',
      [
        [1, 1],
        [9, 0],
      ],
      'cpu-jvm',
    ),
    columnsFrom(0),
  );
  expect(load.drawn).toBe(load.values);
});

test('a pause is in each bucket as long as it lasted in it', () => {
  const pauses = series(
    'pauses',
    [
      [0.5, 0.25],
      [3, 4.5],
      [7.5, 0.5],
    ],
    'gc-pause',
  );
  expect(valuesOf(pauses)).toBe([0.25 * MS, MS, 2 * MS, 2 * MS, 0, 0].join(' '));
  expect(valuesOf(pauses, 4)).toBe([2 * MS, 2 * MS, 0, 0, 0, 0].join(' '));
  const lane = measuredLane(pauses, columnsFrom(0));
  expect([0, 4].map((bucket) => measuredText(lane, bucket))).toEqual(['250 \u00b5s', 'none']);
});

test('the lanes of a log, and what is told of a time', () => {
  const status = logStatus({
    series: [
      series(
        'share',
        [
          [0, 0.5],
          [3, 0.125],
        ],
        'cpu-jvm',
      ),
      { ...series('bytes', [[2, 4e6]]), log: 'a' },
    ],
    errorSamples: { '-3': 3 },
  });
  const columns = columnsFrom(0);
  const lanes = measuredLanes({ ...status, gaps: Float64Array.of(0, 0, 0, 2 * MS, 0, 0) }, columns, {});
  expect([0, 1, 3].map((bucket) => lanesText(lanes, columns, bucket))).toEqual([
    '0:00: CPU, this JVM 50.0 %, a: Heap used not measured, Share of errors 25.0 %, No samples none',
    '0:00.002: CPU, this JVM 12.5 %, a: Heap used 4.0 MB, Share of errors not measured, No samples none',
    '0:00.006: CPU, this JVM 12.5 %, a: Heap used 4.0 MB, Share of errors 0.0 %, No samples 2.00 ms',
  ]);
  expect(measuredLanes({ ...logStatus({}), gaps: undefined }, columns, {})).toEqual([]);
});

test('any series of the file is a lane where it is chosen, with its unit and a round scale', () => {
  const threads = {
    ...series('number', [[1, 173]], 'jdk.JavaThreadStatistics.activeCount'),
    name: 'Threads',
  };
  const park = { ...series('time', [[1, 23e6]], 'demo.Queue.wait'), name: 'Queue: Wait' };
  const status = logStatus({ series: [series('bytes', [[1, 251e6]]), threads, park] });
  const lanesOf = (chosen: Readonly<Record<string, boolean>>): string[] =>
    measuredLanes({ ...status, gaps: undefined }, columnsFrom(0), chosen).map(
      (lane) => `${lane.name} ${measuredText(lane, 0)}, ${scaleText(lane)}`,
    );
  expect(lanesOf({})).toEqual(['Heap used 251 MB, max 300 MB']);
  expect(lanesOf({ 'heap-used': false, [threads.id]: true, [park.id]: true })).toEqual([
    'Threads 173, max 200',
    'Queue: Wait 23.0 ms, max 30.0 ms',
  ]);
});

test('a cursor stays among the buckets', () => {
  const keys = ['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End', 'x'];
  expect(keys.map((key) => bucketAfterKey(key, 3, 6))).toEqual([2, 4, 5, 0, 0, 5, undefined]);
});
