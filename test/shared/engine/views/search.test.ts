import { expect, test } from 'vitest';
import { parseSearch } from '../../../../shared/engine/views/search.ts';

const finds = (text: string, label: string): boolean | string => {
  const search = parseSearch(text);
  return search.problem ?? search.ranges([label])[0] >= 0;
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
  expect(finds('/[/', 'x')).toBe('Invalid regular expression: Unterminated character class');
});

/** The label with its match in brackets. */
function marked(text: string, label: string): string {
  const search = parseSearch(text);
  if (search.problem !== undefined) return search.problem;
  const [start, end] = search.ranges(['x', label], 1);
  return start < 0 ? label : `${label.slice(0, start)}[${label.slice(start, end)}]${label.slice(end)}`;
}

test('the first match begins and ends somewhere', () => {
  expect(marked('hashmap', 'java.util.HashMap.get')).toBe('java.util.[HashMap].get');
  expect(marked('/h.*p/', 'java.util.HashMap.get')).toBe('java.util.[HashMap].get');
  expect(marked('Foo$Bar.run(', 'Foo$Bar.run(')).toBe('[Foo$Bar.run(]');
  expect(marked('nothing', 'Foo.run')).toBe('Foo.run');
  expect(marked('', 'Foo.run')).toBe('Foo.run');
  expect(marked('/x*/', 'Foo.run')).toBe('[]Foo.run');
});
