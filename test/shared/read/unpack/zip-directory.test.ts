import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import {
  dataStart,
  type DirectoryEntry,
  findDirectory,
  readDirectory,
  unpackEntry,
} from '../../../../shared/read/unpack/zip-directory.ts';
import { LOCAL_HEADER_BYTES } from '../../../../shared/read/unpack/zip-format.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('zip directory');

const SHOP = zipSync({
  'META-INF/': new Uint8Array(0),
  'com/acme/Shop.java': strToU8('class Shop {}\n'.repeat(50)),
  'com/acme/Kasse.java': [strToU8('class Kasse {}'), { level: 0 }],
});

const LIMIT = 10_000;

/** `name: content`, or what is wrong with it. */
function read(archive: Uint8Array, limit = LIMIT): string[] | string {
  const place = findDirectory(archive, archive.length);
  if ('damage' in place) return `${place.damage.found}, not ${place.damage.expected}`;
  const directory = archive.subarray(place.offset, place.offset + place.bytes);
  const entries: DirectoryEntry[] = [];
  for (let at = 0; at < directory.length;) {
    const part = readDirectory(directory, place, at, 2);
    if ('damage' in part) return `${part.damage.found}, not ${part.damage.expected}`;
    expect(part.next).toBeGreaterThan(at);
    entries.push(...part.entries);
    at = part.next;
  }
  return entries.map((entry) => `${entry.name}: ${contentOf(archive, entry, limit)}`);
}

function contentOf(archive: Uint8Array, entry: DirectoryEntry, limit: number): string {
  const start = dataStart(archive.subarray(entry.offset, entry.offset + LOCAL_HEADER_BYTES), entry);
  if (typeof start !== 'number') return start.damage.found;
  const from = entry.offset + start;
  const unpacked = unpackEntry(entry, archive.subarray(from, from + entry.storedBytes), limit);
  return 'damage' in unpacked ? unpacked.damage.found : new TextDecoder().decode(unpacked);
}

const CONTENT = [
  `com/acme/Shop.java: ${'class Shop {}\n'.repeat(50)}`,
  'com/acme/Kasse.java: class Kasse {}',
];

test('single entries, deflated or stored; folders are left out', () => {
  expect(read(SHOP)).toEqual(CONTENT);
});

test('an archive behind other bytes, and one with a comment', () => {
  const moved = new Uint8Array([...strToU8('#!/bin/sh\n'), ...SHOP]);
  expect(read(moved)).toEqual(CONTENT);
  const commented = new Uint8Array([...SHOP, ...strToU8('a comment')]);
  commented[SHOP.length - 2] = 'a comment'.length;
  expect(read(commented)).toEqual(CONTENT);
});

test('sizes of 64 bits', () => {
  const place = findDirectory(SHOP, SHOP.length);
  if ('damage' in place) throw new Error('the archive is whole');
  const end = place.offset + place.bytes;
  const record = new DataView(new ArrayBuffer(56 + 20));
  record.setUint32(0, 0x06064b50, true);
  record.setBigUint64(40, BigInt(place.bytes), true);
  record.setBigUint64(48, BigInt(place.offset), true);
  record.setUint32(56, 0x07064b50, true);
  const last = SHOP.slice(end);
  last.set([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 12);
  expect(read(new Uint8Array([...SHOP.slice(0, end), ...new Uint8Array(record.buffer), ...last]))).toEqual(
    CONTENT,
  );
});

test('what unpacks to more than the limit is refused, whatever its directory says', () => {
  const bomb = zipSync({ 'Bomb.java': new Uint8Array(5_000_000) });
  expect(read(bomb)).toEqual([`Bomb.java: more than ${LIMIT} bytes in Bomb.java`]);
});

test('what is no archive, or a part of one', () => {
  expect(read(strToU8('text'))).toBe('the end of the file, not the directory of a ZIP archive');
  expect(read(SHOP.subarray(0, SHOP.length - 30))).toBe(
    'the end of the file, not the directory of a ZIP archive',
  );
  expect(read(SHOP.subarray(60))).toBe('a directory outside of the archive, not the place of the directory');
});

test('2000 damaged archives: never an error, never other content', () => {
  for (let scenario = 0; scenario < 2000; scenario++) {
    const random = randomFor(scenario);
    const mutant = SHOP.slice();
    for (let times = 1 + random.below(3); times > 0; times--)
      mutant[random.below(mutant.length)] = random.below(256);
    const result = read(mutant);
    const texts = typeof result === 'string' ? [] : result;
    // Names are not covered by a checksum.
    const contents = texts.map((text) => text.slice(text.indexOf(': ') + 2));
    for (const content of contents.filter((each) => each.startsWith('class ')))
      expect(
        CONTENT.map((each) => each.slice(each.indexOf(': ') + 2)),
        `SEED=${seed} ${scenario}`,
      ).toContain(content);
  }
});
