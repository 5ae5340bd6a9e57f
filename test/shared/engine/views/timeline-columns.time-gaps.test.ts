import { expect, test } from 'vitest';
import { SampleTable } from '../../../../shared/profile/sample-table.ts';
import { TimeOrder } from '../../../../shared/engine/values/time-order.ts';
import { timeGaps, timelineColumns } from '../../../../shared/engine/views/timeline-columns.ts';
import { NO_MARKS } from '../../../support/no-marks.ts';

function gapsOf(times: readonly number[], from: number, to: number, buckets: number): string {
  const table = new SampleTable();
  table.origin = 100n;
  for (const at of times) table.append(at, 0, 0);
  const order = new TimeOrder();
  order.update(table);
  const columns = timelineColumns(table, { zoom: { from, to }, buckets }, NO_MARKS)!;
  return timeGaps(table, order, { ...columns, buckets: columns.samples.length }, 10).join(' ');
}

test('a time of at least the limit without samples is a gap, in the order of time, in each bucket as long as it is there', () => {
  // Gaps from 4 to 24 and from 30 to 40; from 24 to 30 is none.
  const times = [0, 4, 40, 24, 30, 43];
  expect(gapsOf(times, 0, 50, 5)).toBe('6 10 4 10 0');
  expect(gapsOf(times, 10, 20, 2)).toBe('5 5');
  expect(gapsOf(times, 24, 30, 3)).toBe('0 0 0');
  expect(gapsOf([7], 0, 10, 2)).toBe('0 0');
});
