import { expect, test } from 'vitest';
import {
  readPreferences,
  type ColumnLayout,
  LEAST_COLUMN_WIDTH,
} from '../../../../renderer/store/state/preferences.ts';
import {
  usualColumns,
  withMoved,
  withShown,
  withWidth,
} from '../../../../renderer/panes/table/column-layout.ts';

const THREE: ColumnLayout = { shown: ['totalShare', 'selfShare', 'totalCount'], widths: {} };

test('a column goes away and comes back behind the others; the last one stays', () => {
  const two = withShown(THREE, 'selfShare', false);
  expect(two.shown).toEqual(['totalShare', 'totalCount']);
  expect(withShown(two, 'selfShare', true).shown).toEqual(['totalShare', 'totalCount', 'selfShare']);
  expect(withShown(two, 'totalShare', true)).toBe(two);
  const one = withShown(two, 'totalShare', false);
  expect(withShown(one, 'totalCount', false)).toBe(one);
});

test('a column moves in front of another one, or behind all', () => {
  expect(withMoved(THREE, 'totalCount', 'totalShare').shown).toEqual([
    'totalCount',
    'totalShare',
    'selfShare',
  ]);
  expect(withMoved(THREE, 'totalShare', undefined).shown).toEqual(['selfShare', 'totalCount', 'totalShare']);
  expect(withMoved(THREE, 'selfShare', 'selfShare')).toBe(THREE);
  expect(withMoved(THREE, 'selfShare', 'selfTime')).toBe(THREE);
});

test('a width is a whole number of pixels between sensible limits', () => {
  expect(withWidth(THREE, 'name', 333.4).widths).toEqual({ name: 333 });
  expect(withWidth(THREE, 'name', -5).widths.name).toBe(LEAST_COLUMN_WIDTH);
  expect(withWidth(withWidth(THREE, 'name', 300), 'selfShare', 90).widths).toEqual({
    name: 300,
    selfShare: 90,
  });
});

test('what was stored comes back, and nothing else', () => {
  const layout = withWidth(withMoved(usualColumns('self'), 'selfTime', 'selfShare'), 'name', 320);
  const stored = JSON.stringify({ columns: { flat: layout, nowhere: layout } });
  expect(readPreferences(stored).columns).toEqual({ flat: layout });
  const read = (flat: unknown): unknown =>
    readPreferences(JSON.stringify({ columns: { flat } })).columns.flat;
  expect(
    read({ shown: ['selfShare', 'colour', 'selfShare', 7], widths: { selfShare: 'wide', name: 1e9 } }),
  ).toEqual({ shown: ['selfShare'], widths: { name: 2000 } });
  for (const value of [undefined, null, 7, [], {}, { shown: [] }, { shown: ['colour'] }])
    expect(read(value)).toBeUndefined();
});
