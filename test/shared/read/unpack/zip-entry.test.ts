import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { GzipContent } from '../../../../shared/read/unpack/zip-entry.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { randomFor } = testSeed('gzip content');

/** The content of a gzip file, read in pieces of these sizes; or what is wrong with it. */
function unpacked(file: Uint8Array, nextSize: () => number): string {
  const parts: Uint8Array[] = [];
  const content = new GzipContent((bytes) => parts.push(bytes.slice()));
  try {
    for (let at = 0; at < file.length;) {
      const end = at + nextSize();
      content.push(file.subarray(at, end));
      at = end;
    }
    content.end();
  } catch (error) {
    return (error as Error).message;
  }
  return Buffer.concat(parts).toString();
}

const TEXT = 'main;Shop.sell 12\n'.repeat(3000);
/** With all fields that a header can have. */
function withFields(file: Uint8Array): Uint8Array {
  const fields = Buffer.concat([
    Buffer.of(3, 0, 1, 2, 3),
    Buffer.from('name\0'),
    Buffer.from('comment\0'),
    Buffer.of(7, 7),
  ]);
  const header = Buffer.from(file.subarray(0, 10));
  header[3] = 2 | 4 | 8 | 16;
  return Buffer.concat([header, fields, file.subarray(10)]);
}

test('members, with and without fields, and zeros behind them are unpacked in pieces of any size', () => {
  const [one, two] = [gzipSync(TEXT), gzipSync(`${TEXT}end`)];
  const file = Buffer.concat([withFields(one), two, new Uint8Array(700)]);
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(scenario);
    const most = random.pick([1, 5, 60, 5000, file.length]);
    expect(unpacked(file, () => 1 + random.below(most))).toBe(`${TEXT}${TEXT}end`);
  }
});

test('a file that is cut, damaged or followed by something else is said to be so', () => {
  const file = gzipSync(TEXT);
  const whole = (bytes: Uint8Array) => unpacked(bytes, () => 4096);
  for (const length of [2, 15, file.length - 9, file.length - 1])
    expect(whole(file.subarray(0, length)), `${length}`).toBe('unexpected end of gzip data');
  const changed = Buffer.from(file);
  changed[file.length - 5] ^= 1;
  expect(whole(changed)).toBe('gzip data with another checksum or size');
  expect(whole(Buffer.concat([file, Buffer.from('and a long text behind it')]))).toBe('invalid gzip header');
  const endless = Buffer.concat([
    file.subarray(0, 3),
    Buffer.of(8),
    file.subarray(4, 10),
    Buffer.alloc(1 << 18, 'x'),
  ]);
  expect(whole(endless)).toBe('invalid gzip header');
});
