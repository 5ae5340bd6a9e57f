import { expect, test } from 'vitest';
import { decodeModifiedUtf8 } from '../../../shared/text/modified-utf8.ts';

const decode = (...bytes: number[]): string => decodeModifiedUtf8(Uint8Array.from(bytes), 0, bytes.length);

test.each([
  ['ASCII', [0x6d, 0x61, 0x69, 0x6e], 'main'],
  ['two bytes', [0xc3, 0xb6], '\u00f6'],
  ['three bytes', [0xe6, 0x97, 0xa5], '\u65e5'],
  ['NUL as the JVM writes it', [0x61, 0xc0, 0x80, 0x62], 'a\0b'],
  ['a supplementary character as two surrogates', [0xed, 0xa0, 0xbd, 0xed, 0xb4, 0xa5], '\u{1f525}'],
  ['the same as ordinary UTF-8', [0xf0, 0x9f, 0x94, 0xa5], '\u{1f525}'],
  ['a stray tail', [0x61, 0x80, 0x62], 'a\ufffdb'],
  ['a sequence cut at the end', [0x61, 0xe6, 0x97], 'a\ufffd\ufffd'],
  ['a head without its tail', [0xc3, 0x28], '\ufffd('],
  ['beyond Unicode', [0xf7, 0xbf, 0xbf, 0xbf], '\ufffd'],
  ['no byte of UTF-8', [0xff, 0xfe], '\ufffd\ufffd'],
  ['nothing', [], ''],
])('%s', (_, bytes, text) => {
  expect(decode(...bytes)).toBe(text);
});

test('every UTF-16 unit survives the way through modified UTF-8', () => {
  for (let unit = 1; unit < 0x10000; unit++) {
    const bytes =
      unit < 0x80
        ? [unit]
        : unit < 0x800
          ? [0xc0 | (unit >> 6), 0x80 | (unit & 0x3f)]
          : [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
    if (decode(...bytes) !== String.fromCharCode(unit))
      expect(decode(...bytes)).toBe(String.fromCharCode(unit));
  }
});

test('a text of a mebibyte, of which only a part is wanted', () => {
  const bytes = new Uint8Array(1 << 20).fill(0x61);
  bytes[5] = 0xc3;
  bytes[6] = 0xa4;
  expect(decodeModifiedUtf8(bytes, 4, 8)).toBe('aäa');
  expect(decodeModifiedUtf8(bytes, 0, bytes.length)).toHaveLength((1 << 20) - 1);
});
