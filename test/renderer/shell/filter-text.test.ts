import { expect, test } from 'vitest';
import { conditionsFrom, conditionsText } from '../../../renderer/shell/FilterDialog.tsx';
import { CHANGES } from '../../../shared/engine/views/row-conditions.ts';

test('what is written and what it means are the same in both directions', () => {
  const text = 'selfCount >= 5 and key starts java. or totalTime > 50500000 or key contains a and b or c';
  const conditions = [
    [
      { of: 'selfCount', comparison: '>=', value: 5 },
      { of: 'key', comparison: 'starts', text: 'java.' },
    ],
    [{ of: 'totalTime', comparison: '>', value: 50_500_000 }],
    [{ of: 'key', comparison: 'contains', text: 'a and b or c' }],
  ];
  expect(conditionsFrom(text)).toEqual(conditions);
  expect(conditionsText(conditions as never)).toBe(text);
  expect(conditionsFrom(' totalTime > 50.5e6 ')).toEqual(conditionsFrom('totalTime > 50500000'));
  expect([conditionsFrom(' '), conditionsText([]), conditionsFrom('gone')]).toEqual([[], '', CHANGES.gone]);
});

test.each([
  ['java.util', '“java.util” is not of the form: selfCount >= 20.'],
  ['selfCount > ', '“selfCount >” is not of the form: selfCount >= 20.'],
  ['selfCount >  ', '“selfCount >” is not of the form: selfCount >= 20.'],
  ['name contains a', 'Rows have no number that is called name.'],
  ['key is a', 'key is compared by contains, equals, starts, ends, matches, finds, not by is.'],
  ['selfCount == 5', 'selfCount is compared by =, >, <, >=, <=, not by ==.'],
  ['key contains a and selfCount > 1,000', 'selfCount > 1,000: not a number.'],
  ['selfShare > 101', 'selfShare > 101: a share is from 0 to 100 %.'],
])('%s: %s', (text, problem) => {
  expect(conditionsFrom(text)).toBe(problem);
});

test('an invalid expression says why', () => {
  expect(conditionsFrom('key matches a)|(b')).toMatch(/^key matches a\)\|\(b: .*regular expression/i);
});
