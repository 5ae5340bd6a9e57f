import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPerfData } from '../../../electron/jvm/perf-data.ts';
import { perfDataOf } from '../../support/perf-data-writer.ts';

const recorded = gunzipSync(readFileSync('test/golden/jvm/jdk17.hsperfdata.gz'));

const small = (isLittle: boolean): Uint8Array =>
  perfDataOf({ 'a.text': 'h\u00e9y', 'a.number': -7 }, isLittle);

test('texts and numbers in both byte orders', () => {
  for (const isLittle of [true, false])
    expect(readPerfData(small(isLittle))).toEqual(
      new Map<string, string | number>([
        ['a.text', 'h\u00e9y'],
        ['a.number', -7],
      ]),
    );
  expect(readPerfData(small(true), new Set(['a.number']))).toEqual(new Map([['a.number', -7]]));
});

test('a file that the JVM has not finished is no error, one of something else is', () => {
  expect(readPerfData(recorded.subarray(0, 31))).toBeUndefined();
  const inaccessible = small(true);
  inaccessible[7] = 0;
  expect(readPerfData(inaccessible)).toBeUndefined();
  const other = small(true);
  other[0] = 0x7f;
  expect(readPerfData(other)).toEqual({ at: 0, found: '0x7ffec0c0', expected: '0xcafec0c0' });
  const version = small(true);
  version[5] = 1;
  expect(readPerfData(version)).toEqual({ at: 5, found: 'version 1', expected: 'version 2' });
});

test('an entry count beyond the file and an entry of length 0 end the reading', () => {
  const many = small(true);
  new DataView(many.buffer).setUint32(28, 0xffffffff, true);
  expect((readPerfData(many) as Map<string, unknown>).size).toBe(2);
  const empty = small(true);
  new DataView(empty.buffer).setUint32(32, 0, true);
  expect((readPerfData(empty) as Map<string, unknown>).size).toBe(0);
});
