import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

/** A longer file has two concepts, or says one thing twice. */
const MOST_LINES = 450;

/** Longer files, with the reason. */
const LONGER: Readonly<Record<string, string>> = {
  'shared/aggregate/profile-aggregator.ts':
    'Samples of all kinds change the same tables, in loops that another object in between would slow down.',
};

test('no file is longer than 450 lines, but for those that say why', () => {
  const long = sourceFiles().filter(({ text }) => text.split('\n').length - 1 > MOST_LINES);
  expect(long.map(({ path }) => path).sort()).toEqual(Object.keys(LONGER).sort());
});
