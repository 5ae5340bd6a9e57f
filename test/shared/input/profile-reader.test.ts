import { beforeEach, expect, test, vi } from 'vitest';

let ProfileAggregator: typeof import('../../../shared/aggregate/profile-aggregator.ts').ProfileAggregator;
let FORMATS: typeof import('../../../shared/formats/formats.ts').FORMATS;
let ProfileReader: typeof import('../../../shared/input/profile-reader.ts').ProfileReader;

// Other tests in this worker may have loaded decoders: these modules are loaded again for each, so that none are.
beforeEach(async () => {
  vi.resetModules();
  ({ ProfileAggregator } = await import('../../../shared/aggregate/profile-aggregator.ts'));
  ({ FORMATS } = await import('../../../shared/formats/formats.ts'));
  ({ ProfileReader } = await import('../../../shared/input/profile-reader.ts'));
});

const STACKS = Buffer.from('main;Shop.sell 3\nmain;Shop.pay 1\n');
const loaded = (): string[] => FORMATS.filter(({ code }) => code.isLoaded).map(({ id }) => id);
const newReader = () => new ProfileReader(new ProfileAggregator(), {});

test('the decoder of the format is loaded, and no other; until it is there bytes are held', async () => {
  expect(loaded()).toEqual([]);
  const image = newReader();
  expect(image.append(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))).toBeUndefined();
  expect(image.unrecognised?.guess).toBe('a PNG image');
  expect(image.bytes).toEqual({ accepted: 0, skipped: 8, pending: 0 });

  const reader = newReader();
  const bytes = Buffer.from(STACKS);
  const loading = reader.append(bytes.subarray(0, 20));
  expect(loading).toBeInstanceOf(Promise);
  // Who does not wait loses nothing.
  void reader.append(bytes.subarray(20));
  bytes.fill(0);
  expect([reader.format?.id, reader.decoder, reader.bytes.pending]).toEqual([
    'collapsed',
    undefined,
    STACKS.length,
  ]);
  await reader.end();
  expect([loaded(), reader.aggregator.sampleCount]).toEqual([['collapsed'], 4]);
  expect(reader.bytes).toEqual({ accepted: STACKS.length, skipped: 0, pending: 0 });

  const second = newReader();
  expect(second.append(STACKS), 'it is there').toBeUndefined();
  expect(second.end()).toBeUndefined();
  expect(second.aggregator.sampleCount).toBe(4);
});

test('an input that may still become one of a format is unrecognised only at its end', async () => {
  const reader = newReader();
  expect(reader.append(Buffer.from('a;b'))).toBeUndefined();
  expect([reader.unrecognised, reader.bytes.pending]).toEqual([undefined, 3]);
  await reader.end();
  expect([reader.unrecognised?.guess, reader.bytes.skipped]).toEqual(['plain text', 3]);
});

test.each([1, 7, 1000])('files of one format are one input, in pieces of %i bytes', async (pieceBytes) => {
  const reader = newReader();
  for (const [at, file] of ['a;b 1\nc 2', '', 'a;b 3\n'].entries()) {
    for (let from = 0; from < file.length; from += pieceBytes)
      await reader.append(Buffer.from(file.slice(from, from + pieceBytes)));
    await reader.end(at === 2);
  }
  // A line break was put between the first two.
  expect([reader.aggregator.sampleCount, reader.bytes.accepted]).toEqual([6, 16]);
  expect(reader.mismatch).toBeUndefined();
});

test('a further file of another format is not read', async () => {
  const reader = newReader();
  await reader.append(STACKS);
  await reader.end(false);
  await reader.append(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  await reader.append(STACKS);
  await reader.end();
  expect(reader.mismatch).toMatchObject({ format: undefined, guess: 'a PNG image' });
  expect(reader.aggregator.sampleCount).toBe(4);
});
