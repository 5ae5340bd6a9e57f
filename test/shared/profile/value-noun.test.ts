import { expect, test } from 'vitest';
import { valueNoun } from '../../../shared/profile/profile-units.ts';

test('a value keeps its abbreviation within a sentence', () => {
  const nouns = ['Time', 'Blocked', 'CPU time'].map((name) => valueNoun({ value: { name, unit: 'ns' } }));
  expect(nouns).toEqual(['time', 'blocked', 'CPU time']);
  expect(valueNoun({ value: undefined })).toBe('');
});
