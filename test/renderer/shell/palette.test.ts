import { expect, test } from 'vitest';
import { rankOf } from '../../../renderer/shell/Palette.tsx';

const NAMES = [
  'Show the flame graph',
  'Turn the flame graph over',
  'Save a graph',
  'Show callers and callees as flame graphs',
  'Freeze or resume the view',
  'Theme: Dark',
];

/** The names that match, the best first. */
function found(typed: string): readonly string[] {
  return NAMES.map((name) => ({ name, rank: rankOf(typed, name) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank! - b.rank!)
    .map(({ name }) => name);
}

test('every word that is typed is in the name, in any order and case', () => {
  expect(found('GRAPH show')).toEqual(['Show the flame graph', 'Show callers and callees as flame graphs']);
  expect(found('graph theme')).toEqual([]);
  expect(found('')).toEqual(NAMES);
});

test('the begin of a name comes before that of a word, and this before the middle of one', () => {
  expect(
    ['Theme: Dark', 'Show the flame graph', 'Go to the demo', 'Read then'].map((each) => rankOf('the', each)),
  ).toEqual([0, 1, 1, 1]);
  expect(rankOf('raph', 'Save a graph')).toBe(3);
});

test('first letters of words and letters left out are found, others are not', () => {
  expect(found('tfg')).toEqual(['Show the flame graph', 'Turn the flame graph over']);
  expect(found('frz')).toEqual(['Freeze or resume the view']);
  expect(found('xyz')).toEqual([]);
});
