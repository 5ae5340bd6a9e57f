import { expect, test } from 'vitest';
import { prefixesIn } from '../../../renderer/shell/StepDialog.tsx';

test.each([
  ['', []],
  [' \n*', []],
  ['com.acme.', ['com.acme.']],
  ['com.acme.*\norg.acme.\n  com.acme.\nShop', ['com.acme.', 'org.acme.', 'Shop']],
  ['foo(int, char', ['foo(int, char']],
])('the prefixes in %j', (text, expected) => {
  expect(prefixesIn(text, [])).toEqual(expected);
});

test('the prefixes of the step that is edited stay as they are', () => {
  expect(prefixesIn(' odd*\n odd2* ', [' odd*'])).toEqual([' odd*', 'odd2']);
});
