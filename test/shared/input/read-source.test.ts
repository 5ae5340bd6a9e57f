import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';
import {
  type ByteSource,
  type Next,
  PieceSource,
  readNext,
  readToEnd,
} from '../../../shared/input/read-source.ts';
import { draw, names, shop } from '../../support/session-logs.ts';
import { log, zeros } from '../../support/log-bytes.ts';
import { logOf } from '../../support/log-writer/write-log.ts';

const newReader = (): ProfileReader => new ProfileReader(new ProfileAggregator(), NOTHING_CHOSEN, openGunzip);

/** A file in memory that grows, read in pieces. */
class GrowingSource implements ByteSource {
  offset = 0;
  readonly finals: (number | undefined)[] = [];
  readonly #pieceBytes: number;
  content: Uint8Array;
  /** Answered before anything else. */
  readonly answers: Next[] = [];

  constructor(content: Uint8Array, pieceBytes = content.length) {
    this.content = content;
    this.#pieceBytes = pieceBytes;
  }

  get size(): number {
    return this.content.length;
  }

  next(): Next {
    const answer = this.answers.shift();
    if (answer !== undefined) return answer;
    const { offset } = this;
    const bytes = this.content.slice(offset, offset + this.#pieceBytes);
    this.offset += bytes.length;
    return bytes.length === 0 ? 'atEnd' : { bytes, offset };
  }

  took(final: number | undefined): void {
    this.finals.push(final);
  }

  peek(offset: number, length: number): Uint8Array {
    return this.content.slice(offset, offset + length);
  }
}

async function readAll(source: ByteSource, reader: ProfileReader): Promise<unknown> {
  for (;;) {
    const read = await readNext(source, reader);
    if (read !== 'more') return read;
  }
}

describe('an archive', () => {
  const hostile = logOf('hostile', 30_000);

  test('is read as it grows, and says what it lacks when it has ended', async () => {
    const archive = zipSync({ 'README.md': Buffer.from('Hello.\n'), 'a.hpl': hostile });
    for (const pieceBytes of [archive.length, 1_000, 3]) {
      const reader = newReader();
      const source = new GrowingSource(archive, pieceBytes);
      expect(await readAll(source, reader)).toBe('atEnd');
      expect([reader.problem, source.finals.at(-1)]).toEqual([undefined, archive.length]);
      await reader.end();
      expect([reader.bytes.accepted, reader.damage, reader.problem]).toEqual([
        hostile.length,
        undefined,
        undefined,
      ]);
      expect(reader.format?.id).toBe('honest-log');
    }
  });

  test.each([
    ['zip', zipSync({ 'a.hpl': hostile }), 'zip archive'],
    ['gzip', gzipSync(hostile), 'gzip data'],
  ])('that ended early and has grown is unpacked again: %s', async (_name, whole, what) => {
    const reader = newReader();
    const source = new GrowingSource(whole.subarray(0, whole.length >> 1), 1_000);
    await readAll(source, reader);
    await reader.end();
    expect(reader.damage).toMatchObject({ what, found: 'the end of the file' });
    source.content = whole;
    await readAll(source, reader);
    const { accepted, pending } = reader.bytes;
    expect([accepted + pending, reader.damage]).toEqual([hostile.length, undefined]);
  });
});

describe('a file whose writer keeps zeros ahead', () => {
  const whole = log(shop, zeros(100));
  const begun = log(names, draw);

  test('is final up to its zeros, and what overwrites them is read once', async () => {
    const reader = newReader();
    const source = new GrowingSource(log(begun, zeros(whole.length - begun.length)));
    expect(await readAll(source, reader)).toBe('atEnd');
    expect(source.finals).toEqual([begun.length]);
    source.answers.push({
      bytes: whole.subarray(begun.length),
      offset: begun.length,
      replacesZeros: true,
    });
    await readAll(source, reader);
    expect([source.finals.at(-1), reader.bytes.skipped]).toEqual([shop.length, 0]);
    await reader.end();
    expect(reader.facts().samples).toBe(3);
  });

  test('has to be read again if the zeros are a part of a record by now', async () => {
    const reader = newReader();
    const source = new GrowingSource(begun);
    await readAll(source, reader);
    source.answers.push({ bytes: Uint8Array.of(1), offset: 5, replacesZeros: true });
    await readNext(source, reader);
    expect(source.finals).toEqual([begun.length, undefined]);
  });
});

test('new content, and why there is nothing, is told and changes nothing', async () => {
  const reader = newReader();
  const source = new GrowingSource(shop);
  source.answers.push({ begins: 'truncated' }, 'missing');
  expect(await readNext(source, reader)).toEqual({ begins: 'truncated' });
  expect(await readNext(source, reader)).toBe('missing');
  expect([reader.bytes.accepted, source.finals]).toEqual([0, []]);
});

describe('a source that is read once', () => {
  const pieces = [shop.subarray(0, 50), shop.subarray(50)];

  test.each([
    ['pieces', pieces],
    ['a stream', new Blob(pieces.map((each) => new Uint8Array(each))).stream()],
  ])('%s: to its end', async (_name, given) => {
    const reader = newReader();
    const seen: number[] = [];
    const source = new PieceSource({ pieces: given, size: shop.length });
    await readToEnd(source, reader, { onPiece: () => seen.push(source.offset) > 0 });
    expect([reader.facts().samples, seen.at(-1)]).toEqual([3, shop.length]);
  });

  test('as far as its bytes are of use, and as long as it is wanted; it is closed', async () => {
    let closed = 0;
    function* given(): Generator<Uint8Array, void> {
      try {
        yield* [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), shop, shop];
      } finally {
        closed++;
      }
    }
    const image = newReader();
    await readToEnd(new PieceSource({ pieces: given(), size: undefined }), image);
    expect([image.bytes.skipped, image.problem?.text, closed]).toEqual([
      8,
      'Not a supported profile: this looks like a PNG image.',
      1,
    ]);
    const stopped = new PieceSource({ pieces: given(), size: undefined });
    await readToEnd(stopped, newReader(), { onPiece: () => false });
    expect([stopped.offset, stopped.size, closed]).toEqual([8, undefined, 2]);
  });
});
