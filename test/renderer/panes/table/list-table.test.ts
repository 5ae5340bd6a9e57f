import { expect, test } from 'vitest';
import { inOrderOf, type ListColumn, sortedRows } from '../../../../renderer/panes/table/ListTable.tsx';

interface Row {
  readonly name: string;
  readonly count: number;
}

const COLUMNS: readonly ListColumn<Row>[] = [
  {
    id: 'count',
    title: 'Count',
    hint: '',
    width: 10,
    value: ({ count }) => count,
    text: ({ count }) => String(count),
  },
];
const rows = (...counts: readonly number[]): readonly Row[] =>
  counts.map((count, at) => ({ name: 'abcdef'[at], count }));
const names = (of: readonly Row[]): string => of.map(({ name }) => name).join('');

test('rows are sorted by a column or by name, and equal ones keep their order', () => {
  const all = rows(1, 3, 3, 2);
  expect(names(sortedRows(all, COLUMNS, { by: 'count', descending: true }))).toBe('bcda');
  expect(names(sortedRows(all, COLUMNS, { by: 'count', descending: false }))).toBe('adbc');
  expect(names(sortedRows(all, COLUMNS, { by: 'name', descending: true }))).toBe('dcba');
});

test('rows that are read keep their places while values change; new ones come last', () => {
  const before = sortedRows(rows(5, 4, 3), COLUMNS, { by: 'count', descending: true });
  const after = sortedRows(rows(1, 2, 9, 8), COLUMNS, { by: 'count', descending: true });
  expect(names(after)).toBe('cdba');
  expect(names(inOrderOf(after, before))).toBe('abcd');
  expect(inOrderOf(after, before).map(({ count }) => count)).toEqual([1, 2, 9, 8]);
  // One that is not there any more leaves no gap.
  expect(names(inOrderOf(after.slice(1), before))).toBe('abd');
});
