import { expect, test } from 'vitest';
import { cellText, noteOf } from '../../../../renderer/panes/timeline/DurationsTrack.tsx';
import { cellAfterKey } from '../../../../renderer/panes/timeline/timeline-keys.ts';
import type { DurationColumns } from '../../../../shared/engine/views/duration-columns.ts';

const SECOND = 1e9;

/** Two columns of a second, with rows from 10 to 100 ms. */
const DURATIONS: DurationColumns = {
  first: '0',
  last: 1.5 * SECOND,
  columnNs: SECOND,
  rows: 6,
  lowest: 42,
  from: 0,
  counts: Uint32Array.of(0, 12, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0),
  marked: undefined,
  marks: undefined,
  operations: Uint32Array.of(0, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0),
  name: Int32Array.of(-1, 1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1),
  names: ['checkout', 'search'],
  most: 12,
  mostMarked: 0,
  all: 13,
  without: 0,
  beyond: 0,
};
const SPANS = { began: { from: 310 * SECOND, to: 315 * SECOND }, took: { from: 80e6, to: 120e6 } };

test('a cell is spoken with its requests, their operations, begin and duration', () => {
  const where = 'began 5:10 to 5:15 and took 80 ms to 120 ms';
  const marked = { ...DURATIONS, marked: DURATIONS.counts.map((count) => Math.floor(count / 4)) };
  expect([
    cellText(DURATIONS, 1, SPANS),
    cellText(DURATIONS, 6, SPANS),
    cellText(DURATIONS, 0, SPANS),
    cellText(marked, 1, SPANS),
    cellText({ ...marked, marks: 'operation=search' }, 6, SPANS),
    // Beside what is on screen nothing is counted.
    cellText(DURATIONS, -3, SPANS),
  ]).toEqual([
    `12 requests of 4 operations ${where}`,
    `1 request of checkout ${where}`,
    `No request ${where}`,
    `12 requests of 4 operations ${where}, 3 of them in scope`,
    `1 request of checkout ${where}, 0 of them search`,
    `No request ${where}`,
  ]);
});

test('what is not drawn is said in a sentence', () => {
  const noted = (change: Partial<DurationColumns>): string | undefined => noteOf({ ...DURATIONS, ...change });
  expect([noted({}), noted({ without: 1 }), noted({ without: 20, beyond: 3 }), noted({ all: 0 })]).toEqual([
    undefined,
    '1 request took no time and is not drawn.',
    '20 requests took no time and are not drawn. 3 requests began before the first sample or after the last one.',
    'No request is in this scope.',
  ]);
});

test('keys move by cells and columns, and stay in their row and column', () => {
  const after = (key: string, cell: number): number | undefined => cellAfterKey(key, cell, 6, 20);
  const keys = ['ArrowUp', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'PageDown', 'PageUp', 'Home', 'End', 'x'];
  expect(keys.map((key) => after(key, 62))).toEqual([63, 61, 68, 56, 122, 2, 2, 122, undefined]);
  expect([after('ArrowUp', 65), after('ArrowDown', 60), after('ArrowRight', 121)]).toEqual([65, 60, 121]);
});
