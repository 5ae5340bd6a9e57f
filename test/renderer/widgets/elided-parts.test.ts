import { expect, test } from 'vitest';
import { elidedParts } from '../../../renderer/widgets/ElidedText.tsx';

test('the end of a text stays, and begins with a word where that is short enough', () => {
  expect(elidedParts('compared with 😀')).toEqual(['compared with 😀', '']);
  expect(elidedParts('a-very-long-name-26-11-22.hpl')).toEqual(['a-very-long-name-26', '-11-22.hpl']);
  for (const [text, tail] of [
    ['compared with before 0:40.283', 'before 0:40.283'],
    ['the rest compared with 0:02 to 0:14', '0:02 to 0:14'],
    ['compared with control-a.hpl', 'control-a.hpl'],
    ['compared with a-very-long-name-26-11-22.hpl', '-11-22.hpl'],
    ['compared with main, a part of them', 'part of them'],
  ])
    expect(elidedParts(text)).toEqual([text.slice(0, -tail.length), tail]);
});
