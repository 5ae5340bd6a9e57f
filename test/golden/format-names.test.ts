import { expect, test } from 'vitest';
import { filesBelow, wronglyRecognised } from '../support/named-formats.ts';

test('no golden file is taken for another format than its name says', () => {
  const files = filesBelow('test/golden').filter((path) => !path.includes('/jvm/'));
  expect(files.length).toBeGreaterThan(100);
  expect(wronglyRecognised(files)).toEqual([]);
});
