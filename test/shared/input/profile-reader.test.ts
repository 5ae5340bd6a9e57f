import { expect, test } from 'vitest';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';

const STACKS = Buffer.from('main;Shop.sell 3\nmain;Shop.pay 1\n');
const newReader = () => new ProfileReader(new ProfileAggregator(), {}, openGunzip);

test('bytes of a known format are decoded at once, and those of no format are skipped', () => {
  const image = newReader();
  void image.push(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  expect(image.unrecognised?.guess).toBe('a PNG image');
  expect(image.bytes).toEqual({ accepted: 0, skipped: 8, pending: 0 });

  const reader = newReader();
  void reader.push(STACKS.subarray(0, 20));
  expect([reader.format?.id, reader.aggregator.sampleCount]).toEqual(['collapsed', 3]);
  void reader.push(STACKS.subarray(20));
  void reader.end();
  expect(reader.aggregator.sampleCount).toBe(4);
  expect(reader.bytes).toEqual({ accepted: STACKS.length, skipped: 0, pending: 0 });
});

test('an input that may still become one of a format is unrecognised only at its end', () => {
  const reader = newReader();
  void reader.push(Buffer.from('a;b'));
  expect([reader.unrecognised, reader.bytes.pending]).toEqual([undefined, 3]);
  void reader.end();
  expect([reader.unrecognised?.guess, reader.bytes.skipped]).toEqual(['plain text', 3]);
});

test.each([1, 7, 1000])('files of one format are one input, in pieces of %i bytes', (pieceBytes) => {
  const reader = newReader();
  for (const [at, file] of ['a;b 1\nc 2', '', 'a;b 3\n'].entries()) {
    if (at > 0) reader.beginFile();
    for (let from = 0; from < file.length; from += pieceBytes)
      void reader.push(Buffer.from(file.slice(from, from + pieceBytes)));
    void reader.end(at === 2);
  }
  // A line break was put between the first two.
  expect([reader.aggregator.sampleCount, reader.bytes.accepted]).toEqual([6, 16]);
  expect(reader.mismatch).toBeUndefined();
});

test('a further file of another format is not read', () => {
  const reader = newReader();
  void reader.push(STACKS);
  void reader.end(false);
  reader.beginFile();
  void reader.push(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  void reader.push(STACKS);
  void reader.end();
  expect(reader.mismatch).toMatchObject({ format: undefined, guess: 'a PNG image' });
  expect(reader.aggregator.sampleCount).toBe(4);
});
