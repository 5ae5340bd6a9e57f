import { expect, test, vi } from 'vitest';
import { ZipUnpacker } from '../../../../shared/read/unpack/zip.ts';
import { testSize } from '../../../support/test-size.ts';
import { testSeed } from '../../../support/test-seed.ts';
import { type WrittenEntry, writtenZip } from '../../../support/zip-writer.ts';

// Entries whose size is only known behind them, and bytes that belong to nothing.

const { seed, randomFor } = testSeed('zip, entries of unknown size');

interface Unpacked {
  readonly text: string;
  readonly archive: Pick<ZipUnpacker, 'accepted' | 'entries' | 'refusal' | 'damage'>;
}

/** Entries with other names than `wanted…` are refused when 10 bytes of them are known. */
function unpack(bytes: Uint8Array, pieceBytes: () => number): Unpacked {
  const pieces: Uint8Array[] = [];
  const unpacker = new ZipUnpacker(
    (head, ended, name) => (head.length < 10 && !ended ? undefined : name.startsWith('wanted')),
    (piece) => pieces.push(piece.slice()),
  );
  for (let at = 0; at < bytes.length;) {
    const piece = bytes.slice(at, (at += pieceBytes()));
    unpacker.write(piece);
    piece.fill(0xee);
  }
  unpacker.end();
  const { accepted, entries, refusal, damage } = unpacker;
  return { text: Buffer.concat(pieces).toString('latin1'), archive: { accepted, entries, refusal, damage } };
}

const whole = (bytes: Uint8Array): Unpacked => unpack(bytes, () => bytes.length);

const text = (length: number): Uint8Array =>
  Buffer.from(Array.from({ length }, (_, at) => `line ${(at * 7919) % 1009}\n`).join(''));
const DESCRIPTORS = [true, false].flatMap((isSigned) =>
  [true, false].map((isLong) => ({ isSigned, isLong })),
);

test.each(DESCRIPTORS)('entries that end with a descriptor %j, wanted or not', (descriptor) => {
  // Data that are not compressed again contain the headers of another archive.
  const inner = writtenZip([{ name: 'inner', content: text(3), descriptor }]);
  const archive = writtenZip([
    { name: 'other', content: text(3_000), descriptor },
    { name: 'other.zip', content: Buffer.concat([inner, inner, inner]), descriptor },
    { name: 'wanted', content: text(5_000), descriptor },
    { name: 'other2', content: new Uint8Array(0), descriptor },
    { name: 'wanted2', content: Buffer.from('the end'), descriptor },
  ]);
  const { text: found, archive: state } = whole(archive);
  expect(found === `${Buffer.from(text(5_000)).toString()}the end`).toBe(true);
  expect(state).toEqual({ accepted: 'wanted2', entries: 5, refusal: undefined, damage: undefined });
});

test('an entry that is stored inside without being compressed further is not cut at a header within', () => {
  const descriptor = { isSigned: true, isLong: false };
  const inner = writtenZip([{ name: 'inner', content: text(3), descriptor }]);
  // Random bytes are not compressed, so the headers within stand in the data as they are.
  const random = randomFor(0);
  const noise = (): Uint8Array => Uint8Array.from({ length: 20_000 }, () => random.below(256));
  const content = Buffer.concat([noise(), inner, noise()]);
  for (const name of ['wanted', 'other']) {
    const archive = writtenZip([
      { name, content, descriptor },
      { name: 'wanted2', content: text(2), descriptor },
    ]);
    expect(archive.length).toBeGreaterThan(40_000);
    const { text: found, archive: state } = whole(archive);
    expect(state).toMatchObject({ entries: 2, damage: undefined });
    expect(found.length).toBe((name === 'wanted' ? content.length : 0) + text(2).length);
  }
});

test('the checksum behind an entry is verified', () => {
  const archive = writtenZip([
    { name: 'wanted', content: text(30), descriptor: { isSigned: true, isLong: false } },
  ]);
  const at = Buffer.from(archive).indexOf('PK\x07\x08') + 4;
  archive[at] ^= 1;
  expect(whole(archive).archive.damage).toMatchObject({ found: 'data with another checksum' });
});

/** Bytes that are copied while an archive is unpacked. */
function copiedBytes(archive: Uint8Array): number {
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const set = vi.spyOn(typedArray, 'set');
  const slice = vi.spyOn(typedArray, 'slice');
  try {
    unpackInPieces(archive);
    const copied = set.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0);
    return copied + slice.mock.results.reduce((sum, { value }) => sum + (value as Uint8Array).length, 0);
  } finally {
    set.mockRestore();
    slice.mockRestore();
  }
}

function unpackInPieces(archive: Uint8Array): void {
  const unpacker = new ZipUnpacker(
    (_, __, name) => name.startsWith('wanted'),
    () => undefined,
  );
  for (let at = 0; at < archive.length; at += 4096) unpacker.write(archive.subarray(at, at + 4096));
  unpacker.end();
}

const junk = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0x78);

test.each<readonly [what: string, entry: Partial<WrittenEntry>, isKnown: boolean]>([
  ['whose size is behind it', { descriptor: { isSigned: true, isLong: false } }, false],
  ['whose size is before it', {}, true],
])('bytes behind the end of a wanted entry %s cost no more than others', (_, entry, isKnown) => {
  const archive = (bytes: number): Uint8Array => {
    const written = writtenZip([{ name: 'wanted', content: text(1_000), ...entry, junk: junk(bytes) }]);
    // The size includes the junk.
    if (isKnown) new DataView(written.buffer).setUint32(18, written.length - 40, true);
    return written;
  };
  const few = copiedBytes(archive(1 << 20));
  const many = copiedBytes(archive(4 << 20));
  expect(few).toBeGreaterThan(0);
  expect(many - few).toBeLessThan(5 * (3 << 20));
});

test('what is reported of damage does not depend on the chunks', () => {
  const count = testSize(60, 3_000);
  let damaged = 0;
  for (let scenario = 0; scenario < count; scenario++) {
    const random = randomFor(scenario + 1);
    const maybe = <Value>(value: Value): Value | undefined => (random.below(4) === 0 ? value : undefined);
    const entries = Array.from({ length: 1 + random.below(4) }, (_, at): WrittenEntry => {
      const isOpen = random.below(2) === 0;
      return {
        name: `${random.pick(['wanted', 'other'])}${at}`,
        content: text(random.pick([0, 1, 30, 3_000])),
        isStored: !isOpen && random.below(2) === 0,
        ...(isOpen ? { descriptor: random.pick(DESCRIPTORS) } : {}),
        junk: isOpen ? maybe(junk(random.below(9_000))) : undefined,
        junkBehind: maybe(junk(random.below(9_000))),
      } as WrittenEntry;
    });
    let archive = writtenZip(entries);
    if (random.below(3) === 0) archive = archive.subarray(0, random.below(archive.length));
    if (random.below(3) === 0) {
      archive = archive.slice();
      for (let at = 0; at < 3; at++) archive[random.below(archive.length)] = random.below(256);
    }
    const expected = whole(archive);
    if (expected.archive.damage !== undefined) damaged++;
    for (const pieceBytes of [
      () => 4096,
      () => 1 + random.below(10),
      () => 1 + random.below(9_000),
      () => 1 + random.below(300),
    ])
      expect(unpack(archive, pieceBytes), `SEED=${seed}, case ${scenario}`).toEqual(expected);
  }
  expect(damaged).toBeGreaterThan(count / 10);
});
