import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPerfData } from '../../../../electron/jvm/perf-data.ts';
import { mutantOf } from '../../../support/mutant.ts';
import { testSeed } from '../../../support/test-seed.ts';

const recorded = gunzipSync(readFileSync('test/golden/jvm/jdk17.hsperfdata.gz'));
const { seed, randomFor } = testSeed('perf data');

/** A file with one text and one number, in either byte order. */
function small(isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(32 + 40 + 40);
  const view = new DataView(bytes.buffer);
  const u32 = (at: number, value: number): void => view.setUint32(at, value, isLittle);
  view.setUint32(0, 0xcafec0c0);
  bytes.set([isLittle ? 1 : 0, 2, 0, 1], 4);
  u32(24, 32);
  u32(28, 2);
  for (const [at, name, type, vector] of [
    [32, 'a.text', 'B', 5],
    [72, 'a.number', 'J', 0],
  ] as const) {
    u32(at, 40);
    u32(at + 4, 20);
    u32(at + 8, vector);
    bytes[at + 12] = type.charCodeAt(0);
    u32(at + 16, 32);
    bytes.set(Buffer.from(`${name}\0`), at + 20);
  }
  bytes.set(Buffer.from('h\u00e9y\0'), 64);
  view.setBigInt64(104, -7n, isLittle);
  return bytes;
}

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

test('every mutant gives a result, and none has more entries than bytes allow', () => {
  for (let scenario = 0; scenario < 3000; scenario++) {
    const input = mutantOf(scenario % 2 === 0 ? recorded : small(true), randomFor(scenario));
    const data = readPerfData(input);
    if (data instanceof Map) expect(data.size, `SEED=${seed} ${scenario}`).toBeLessThan(input.length / 20);
  }
});

test('an entry count beyond the file and an entry of length 0 end the reading', () => {
  const many = small(true);
  new DataView(many.buffer).setUint32(28, 0xffffffff, true);
  expect((readPerfData(many) as Map<string, unknown>).size).toBe(2);
  const empty = small(true);
  new DataView(empty.buffer).setUint32(32, 0, true);
  expect((readPerfData(empty) as Map<string, unknown>).size).toBe(0);
});
