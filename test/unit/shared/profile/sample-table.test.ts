import { expect, test } from 'vitest';
import { SampleTable } from '../../../../shared/profile/sample-table.ts';

const TIMES = {
  length: 4,
  at: Float64Array.of(5, -2, 9, 1),
  group: Int32Array.of(1, 0, 2, 1),
  value: Float64Array.of(10, 20, 30, -40),
};
/** Samples of group 2 are not counted. */
const SELF = Int32Array.of(7, 8, -1);

function textOf({ length, at, self, value }: SampleTable): string {
  return Array.from({ length }, (_, row) => `${at.exact(row)} ${self[row]} ${value.exact(row)}`).join(', ');
}

test('samples that are appended together are those that are appended one by one', () => {
  const table = new SampleTable();
  table.append(3, 4, 5);
  const { revision } = table;
  expect(table.appendAll(1000, TIMES, SELF)).toBe(true);
  expect(textOf(table)).toBe('3 4 5, 1005 8 10, 998 7 20, 1001 8 -40');
  expect(table.revision).toBeGreaterThan(revision);
});

test('where sums may not be exact as doubles, nothing is appended at once', () => {
  const large = Number.MAX_SAFE_INTEGER - 1;
  const refused = [
    { base: large, times: TIMES },
    { base: 0, times: { ...TIMES, at: Float64Array.of(5, -2, large, 1) } },
    { base: 0, times: { ...TIMES, value: Float64Array.of(5, -2, 1, -large) } },
  ].map(({ base, times }) => {
    const table = new SampleTable();
    return [table.appendAll(base, times, SELF), table.length];
  });
  expect(refused).toEqual([
    [false, 0],
    [false, 0],
    [false, 0],
  ]);
  const exact = new SampleTable();
  exact.append(2n ** 60n, 0, 0);
  const apart = new SampleTable();
  apart.append(1, 0, 1, 1);
  expect([exact, apart].map((table) => table.appendAll(0, TIMES, SELF))).toEqual([false, false]);
});

function capacityOf({ at, self, value, valueSelf }: SampleTable): number {
  const columns = [at.ns, self, value.ns, ...(valueSelf === undefined ? [] : [valueSelf])];
  return columns.reduce((bytes, column) => bytes + column.byteLength, 0);
}

test('a table that is trimmed has its rows and no more, and grows as before', () => {
  const table = new SampleTable();
  for (let row = 0; row < 4_000; row++) table.append(row, row % 7, 2 * row, row % 3);
  const text = textOf(table);
  expect(capacityOf(table)).toBeGreaterThan(24 * 4_500);
  table.trim();
  expect([capacityOf(table), textOf(table)]).toEqual([24 * 4_000, text]);
  table.append(9, 1, 2, 3);
  expect([textOf(table), table.valueSelf![4_000]]).toEqual([`${text}, 9 1 2`, 3]);
  const capacity = capacityOf(table);
  table.truncate(3_900);
  for (let row = 0; row < 1_900; row++) table.append(row, 0, 0);
  table.trim();
  // Little is not worth a copy.
  expect(capacityOf(table)).toBe(capacity);
});
