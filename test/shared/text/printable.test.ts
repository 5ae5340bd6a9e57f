import { expect, test } from 'vitest';
import { printable, printableJson } from '../../../shared/text/printable.ts';

test.each([
  ['java.util.HashMap.get', 'java.util.HashMap.get'],
  ['a\tb\r\nc\0', 'a\\x09b\\x0d\\x0ac\\x00'],
  ['\x1b[31mred\x07', '\\x1b[31mred\\x07'],
  ['\x9b31m\x7f', '\\x9b31m\\x7f'],
  ['gpj.\u202eexe', 'gpj.\\u202eexe'],
  ['\u061c\u200e\u2066x\u2069', '\\u061c\\u200e\\u2066x\\u2069'],
  ['a\u2028b\u2029', 'a\\u2028b\\u2029'],
  ['\ud800 \udcff \udf00 \ud83d\ude00', '\\ud800 \\xff \\udf00 \ud83d\ude00'],
  ['\u00e4 \u05d0\u05d1 \u4e2d C:\\x09', '\u00e4 \u05d0\u05d1 \u4e2d C:\\x09'],
])('X08: %j is shown as %s, and so if it is shown twice', (text, shown) => {
  expect(printable(text)).toBe(shown);
  expect(printable(shown)).toBe(shown);
});

test('X01: of all UTF-16 units none is left that a terminal or a browser interprets', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
  const kept = units.filter((unit) => printable(unit) === unit);
  // C0 and DEL, C1, separators and twelve marks of direction, halves of surrogate pairs.
  expect(kept).toHaveLength(0x10000 - (33 + 32) - (2 + 12) - 0x800);
});

test('X01: as JSON, every unit reads back as itself', () => {
  const all = Array.from({ length: 0x10000 }, (_, unit) => `${String.fromCharCode(unit)}.`).join('');
  const json = printableJson({ name: all });
  expect(JSON.parse(json)).toEqual({ name: all });
  expect(printable(json)).toBe(json);
});
