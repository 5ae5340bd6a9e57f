import { expect, test } from 'vitest';
import { parseSearch } from '../../../../shared/engine/views/search.ts';

const finds = (text: string, label: string): boolean | string => {
  const search = parseSearch(text);
  return search.problem ?? search.matches(label);
};

test('a text is contained, whatever its case; nothing finds nothing', () => {
  expect(finds('hashset', 'java.util.regex.IntHashSet.contains')).toBe(true);
  expect(finds('Hash.*', 'java.util.HashMap.get')).toBe(false);
  expect(finds('', 'java.util.HashMap.get')).toBe(false);
  expect(finds('//', 'java.util.HashMap.get')).toBe(false);
});

test('between slashes stands a regular expression', () => {
  expect(finds('/hash(map|set)\\.get$/', 'java.util.HashMap.get')).toBe(true);
  expect(finds('/^get/', 'java.util.HashMap.get')).toBe(false);
  expect(finds('/(Foo|Bar)+\\.[a-z]*/', 'acme.FooBar.run')).toBe(true);
  expect(finds('/[(+*]+x{2}(?:ab{1,3})+/', '(xxab')).toBe(true);
  expect(finds('/[/', 'x')).toMatch(/expression/i);
});

test.each(['/^(\\w+[.$]?)+!$/', '/(a*)*b/', '/((a+)b?){2,}/', '/(?:(x+))+!/', '/([(a]+)*!$/'])(
  '%s ends, though a backtracking engine would never',
  (text) => {
    expect(finds(text, 'java.util.regex.Pattern$GroupTail.matchesNothingThatEndsSo')).toBe(false);
  },
);
