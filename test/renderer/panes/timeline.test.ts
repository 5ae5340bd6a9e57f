import { expect, test } from 'vitest';
import {
  axisLabels,
  between,
  dayTimeOf,
  intervalOf,
  moved,
  panned,
  rangeOf,
  timeText,
  zoomed,
} from '../../../renderer/panes/timeline/timeline-geometry.ts';
import { rangeAfterKey } from '../../../renderer/panes/timeline/timeline-keys.ts';
import { SampleTable } from '../../../shared/profile/sample-table.ts';
import {
  type Interval,
  timelineColumns,
  type TimelineView,
} from '../../../shared/engine/views/timeline-columns.ts';
import { NO_MARKS } from '../../support/no-marks.ts';

/** Two samples, 1 ms less 1 ns apart: all of the time is 1 ms. */
function columnsOf(zoom?: TimelineView['zoom']): NonNullable<ReturnType<typeof timelineColumns>> {
  const table = new SampleTable();
  table.origin = 5_000n;
  table.append(0, 0, 0);
  table.append(999_999, 0, 0);
  return timelineColumns(table, { zoom, buckets: 100 }, NO_MARKS)!;
}

const WHOLE = columnsOf();
const text = (interval: Interval | 'none' | undefined): string =>
  typeof interval === 'object' ? `${interval.from} ${interval.to}` : String(interval);

test('a range is exact in ns, and the whole ends after the last sample', () => {
  expect(rangeOf({ from: 0, to: 1_000_000 }, WHOLE)).toEqual({
    kind: 'between',
    from: '5000',
    to: '1005000',
  });
  const ranges = [
    { kind: 'between', from: '5010', to: '5020' },
    { kind: 'between', from: undefined, to: '5020' },
    { kind: 'between', from: '4000', to: undefined },
    { kind: 'latest', ns: 10 },
    { kind: 'latest', ns: 5e9 },
  ] as const;
  expect(ranges.map((range) => text(intervalOf(range, WHOLE)))).toEqual([
    '10 20',
    '0 20',
    '-1000 1000000',
    '999989 1000000',
    '0 1000000',
  ]);
});

test('dragging stays within the samples and selects at least 1 ns', () => {
  expect(text(between(70, 50, WHOLE))).toBe('50 70');
  expect(text(between(-10, 2e9, WHOLE))).toBe('0 1000000');
  expect(text(between(7, 7, WHOLE))).toBe('7 8');
  expect(text(between(2e9, 2e9, WHOLE))).toBe('999999 1000000');
  expect(text(moved({ from: 100, to: 300 }, -200, WHOLE))).toBe('0 200');
  expect(text(moved({ from: 100, to: 300 }, 2e6, WHOLE))).toBe('999800 1000000');
});

test('a zoom keeps the time at the pointer; all is no zoom', () => {
  expect(text(zoomed(WHOLE, 0.5, 250_000))).toBe('125000 625000');
  expect(text(zoomed(WHOLE, 1.5, 0))).toBe('undefined');
  const inner = columnsOf({ from: 125_000, to: 625_000 });
  expect(text(inner.shown)).toBe('125000 625000');
  expect(text(panned(inner, -200_000))).toBe('0 500000');
  expect(text(panned(inner, 1e6))).toBe('500000 1000000');
  expect(text(zoomed(inner, 1e-9, 125_000))).toBe('125000 126000');
});

test.each([
  ['from', 'ArrowRight', '20000 50000', '30000 60000'],
  ['to', 'ArrowLeft', '20000 50000', '10000 40000'],
  ['from', 'PageDown', '20000 50000', '0 30000'],
  ['from', 'Shift+ArrowLeft', '20000 50000', '10000 50000'],
  ['from', 'Shift+PageUp', '20000 50000', '49999 50000'],
  ['to', 'Shift+ArrowUp', '20000 50000', '20000 60000'],
  ['to', 'Shift+PageDown', '20000 50000', '20000 20001'],
  ['from', 'Home', '20000 50000', '0 30000'],
  ['from', 'End', '20000 50000', '970000 1000000'],
  ['to', 'Shift+End', '20000 50000', '20000 1000000'],
  ['from', 'Shift+Home', '20000 50000', '0 50000'],
  ['from', 'ArrowRight', '', '10000 1000000'],
  ['to', 'ArrowLeft', '', '0 990000'],
  ['to', 'Escape', '20000 50000', 'none'],
  ['to', 'Escape', '', 'undefined'],
  ['to', 'x', '20000 50000', 'undefined'],
] as const)('%s %s: %j becomes %j', (end, keys, before, after) => {
  const [from, to] = before.split(' ').map(Number);
  const press = { key: keys.replace('Shift+', ''), shiftKey: keys.startsWith('Shift+') };
  expect(text(rangeAfterKey(press, end, before === '' ? undefined : { from, to }, WHOLE))).toBe(after);
});

test('times are told since the earliest sample, or as a time of day where the file knows it', () => {
  // 2026-11-28, 22:30:00.5 UTC.
  const first = String(BigInt(Date.UTC(2026, 10, 28, 22, 30, 0, 500)) * 1_000_000n);
  const utc = dayTimeOf(first, 'utc');
  const [hour, minute] = [3_600e9, 60e9];
  expect(utc).toBe(22 * hour + 30 * minute + 500e6);
  const offset = new Date(2026, 10, 28).getTimezoneOffset() * minute;
  expect(dayTimeOf(first, 'local')).toBe((utc! - offset + 24 * hour) % (24 * hour));
  // A clock that began with the machine tells no time of day.
  expect([dayTimeOf(first, 'since'), dayTimeOf('123456789', 'utc')]).toEqual([undefined, undefined]);
  expect([timeText(hour + 5e6), timeText(5e6, utc), timeText(2 * hour, utc)]).toEqual([
    '1:00:00.005',
    '22:30:00.505',
    '00:30:00.5',
  ]);
  // Labels are at round times of the day, with their places on the axis.
  const labels = axisLabels({ from: 0, to: 4e9 }, 0.25, utc);
  expect(labels.map(({ time, text }) => `${time / 1e9} ${text}`)).toEqual([
    '0.5 22:30:01',
    '1.5 22:30:02',
    '2.5 22:30:03',
    '3.5 22:30:04',
  ]);
});
