import { expect, test } from 'vitest';
import { alignedLines } from '../../../shared/text/aligned-lines.ts';

test('columns are as wide as their widest cell, and numbers end below each other', () => {
  const rows = [
    ['Name', 'Samples', ''],
    ['com.acme.Shop', '7', 'new'],
  ];
  expect(alignedLines(rows)).toEqual(['Name           Samples', 'com.acme.Shop  7        new']);
  expect(alignedLines(rows, (column) => column === 1)[1]).toBe('com.acme.Shop        7  new');
  expect(alignedLines([])).toEqual([]);
});
