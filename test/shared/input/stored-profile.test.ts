import { gzipSync } from 'node:zlib';
import { type Zippable, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openGunzip as openNodeGunzip } from '../../../electron/source/read-bytes.ts';
import { openGunzip as openPageGunzip } from '../../../renderer/profile-worker/open-gunzip.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';
import type { OpenGunzip } from '../../../shared/read/unpack/unpacker.ts';
import { leanText } from '../../support/mirrored-copy.ts';
import { goldenLog } from '../../support/read-log.ts';
import { logOf } from '../../support/log-writer/write-log.ts';

const log = new Uint8Array(goldenLog('hello'));
const readme = Buffer.from('Hello.\n');

/** Pushes the stored bytes in pieces, each of which is overwritten as soon as it has been taken. */
async function read(
  stored: Uint8Array,
  pieceBytes = stored.length,
  openGunzip: OpenGunzip = openNodeGunzip,
): Promise<ProfileReader> {
  const reader = new ProfileReader(new ProfileAggregator(), NOTHING_CHOSEN, openGunzip);
  for (let at = 0; at < stored.length; at += pieceBytes) {
    // `slice` of a Buffer would be the same memory.
    const piece = new Uint8Array(stored.subarray(at, at + pieceBytes));
    await reader.push(piece);
    piece.fill(0xee);
  }
  await reader.end();
  return reader;
}

const lean = (reader: ProfileReader): string => leanText(reader.aggregator.profile);

describe('however it is stored and cut, an input is the same profile', () => {
  const inputs: readonly (readonly [name: string, stored: Uint8Array])[] = [
    ['plain', log],
    ['gzip', gzipSync(log)],
    ['zip', zipSync({ 'README.md': readme, 'a.hpl': log, 'b.hpl': log })],
    ['zip, stored', zipSync({ 'a.hpl': [log, { level: 0 }] })],
  ];
  test.each(inputs)('%s', async (_name, stored) => {
    const expected = lean(await read(log));
    for (const pieceBytes of [stored.length, 1 << 12, 997, 3, 1]) {
      const reader = await read(stored, pieceBytes);
      expect(lean(reader), `pieces of ${pieceBytes}`).toBe(expected);
      expect([reader.damage, reader.problem, reader.bytes.accepted]).toEqual([
        undefined,
        undefined,
        log.length,
      ]);
      expect(reader.format?.id).toBe('honest-log');
    }
  });

  test.each([
    ['one member', gzipSync(log)],
    [
      'three members',
      Buffer.concat(
        [log.subarray(0, 1), log.subarray(1, 900), log.subarray(900)].map((part) => gzipSync(part)),
      ),
    ],
  ])('gzip as the page unpacks it: %s', async (_name, packed) => {
    for (const pieceBytes of [packed.length, 100, 1]) {
      const reader = await read(packed, pieceBytes, openPageGunzip);
      expect([lean(reader), reader.damage]).toEqual([lean(await read(log)), undefined]);
    }
  });
});

describe('what cannot be read says why, in one wording', () => {
  const zip = (files: Zippable): Uint8Array => zipSync(files);
  const cases: readonly (readonly [stored: Uint8Array, text: string, firstReason: string | undefined])[] = [
    [Buffer.from('Dear diary,\n'), 'this looks like plain text.', 'Honest Profiler log'],
    [gzipSync('Dear diary,\n'), 'this looks like plain text.', 'Honest Profiler log'],
    [Buffer.from([0xfe, 1, 2]), 'this looks like binary data.', 'Honest Profiler log'],
    [new Uint8Array(0), 'this is an empty file.', undefined],
    [gzipSync(''), 'this is an empty file.', undefined],
    [Buffer.from('PK'), 'this looks like plain text.', 'Honest Profiler log'],
    [zip({}), 'this is a ZIP archive without files.', undefined],
    [zip({ 'README.md': readme }), 'this is a ZIP archive without a profile.', 'README.md'],
    [
      gzipSync(log).subarray(0, 12),
      'this is gzip data that cannot be unpacked (the end of the file).',
      undefined,
    ],
  ];
  test.each(cases)('%#: %s', async (stored, text, firstReason) => {
    const { problem } = await read(stored);
    expect(problem?.text).toBe(`Not a supported profile: ${text}`);
    expect(problem?.reasons.at(0)?.name).toBe(firstReason);
    expect(problem?.advice).toMatch(/^(open|copy) /);
  });

  test('the files of an archive are named with what they look like', async () => {
    const { problem } = await read(zip({ 'README.md': readme, 'a.json': Buffer.from('{"a": 1}') }));
    expect(problem?.reasons).toEqual([
      { name: 'README.md', because: 'it looks like plain text' },
      { name: 'a.json', because: 'it looks like a JSON file' },
    ]);
  });
});

describe('damage of what packs a profile', () => {
  const packed = gzipSync(log);
  test.each([
    ['Node', openNodeGunzip],
    ['the page', openPageGunzip],
  ])('gzip that ends early, unpacked by %s', async (_name, openGunzip) => {
    const large = gzipSync(logOf('skewed', 1_000_000));
    const reader = await read(large.subarray(0, large.length >> 1), 1 << 14, openGunzip);
    expect(reader.damage?.what).toBe('gzip data');
    expect(reader.problem).toBeUndefined();
    expect(reader.aggregator.sampleCount).toBeGreaterThan(100);
  });

  test('a zip archive that ends early', async () => {
    const archive = zipSync({ 'a.hpl': log });
    const { damage } = await read(archive.subarray(0, archive.length >> 1), 500);
    expect(damage).toMatchObject({ what: 'zip archive', found: 'the end of the file' });
  });

  test.each([
    ['gzip', packed],
    ['zip', zipSync({ 'README.md': readme, 'a.hpl': log })],
  ])('%s that has grown is unpacked again, and nothing is read twice', async (_name, stored) => {
    const reader = await read(stored.subarray(0, stored.length - 200));
    expect([reader.damage === undefined, reader.needsRestart]).toEqual([false, true]);
    reader.restart();
    await reader.push(stored);
    await reader.end();
    expect([lean(reader), reader.damage]).toEqual([lean(await read(log)), undefined]);
  });
});

test('an error of the decoder is an error, and no damage of what packs the profile', async () => {
  for (const stored of [log, gzipSync(log), zipSync({ 'a.hpl': log })]) {
    const aggregator = new ProfileAggregator();
    aggregator.sample = () => {
      throw new RangeError('Array buffer allocation failed');
    };
    const reader = new ProfileReader(aggregator, NOTHING_CHOSEN, openNodeGunzip);
    await expect(
      (async () => {
        await reader.push(stored);
        await reader.end();
      })(),
    ).rejects.toThrow('Array buffer allocation failed');
  }
});
