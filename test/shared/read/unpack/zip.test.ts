import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { detectFormat } from '../../../../shared/input/detect-format.ts';
import { storageOf } from '../../../../shared/input/input-unpacker.ts';
import { type Accepts, ZipEntry } from '../../../../shared/read/unpack/zip-entry.ts';
import { ZipUnpacker } from '../../../../shared/read/unpack/zip.ts';
import { goldenLog } from '../../../support/read-log.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const log = goldenLog('hello');
const readme = Buffer.from('A test program of this project.\n'.repeat(500));

/** Wants the first entry that is a profile. */
function firstProfile(): Accepts {
  let isFound = false;
  return (head, ended) => {
    const detected = isFound ? undefined : detectFormat(head, ended);
    if (detected === undefined) return isFound ? false : undefined;
    isFound = detected.format !== undefined;
    return isFound;
  };
}

interface Unpacked {
  readonly text: Buffer;
  readonly largestPiece: number;
  readonly unpacker: ZipUnpacker;
}

function unpack(archive: Uint8Array, pieceBytes = 1 << 17): Unpacked {
  const pieces: Uint8Array[] = [];
  let largestPiece = 0;
  const unpacker = new ZipUnpacker(firstProfile(), (bytes) => {
    pieces.push(bytes.slice());
    largestPiece = Math.max(largestPiece, bytes.length);
  });
  for (let at = 0; at < archive.length; at += pieceBytes) {
    const piece = archive.slice(at, at + pieceBytes);
    unpacker.write(piece);
    piece.fill(0xee);
  }
  unpacker.end();
  return { text: Buffer.concat(pieces), largestPiece, unpacker };
}

function expectLog(archive: Uint8Array, entry: string, entries: number): void {
  expect(storageOf(archive)).toBe('zip');
  for (const pieceBytes of [1 << 17, 977, 13, 1]) {
    const { text, unpacker } = unpack(archive, pieceBytes);
    expect(text.equals(log), `pieces of ${pieceBytes}`).toBe(true);
    expect(unpacker).toMatchObject({ accepted: entry, entries, refusal: undefined, damage: undefined });
  }
}

const archives: readonly (readonly [string, Zippable, string, number])[] = [
  ['deflated', { 'hello.hpl': log }, 'hello.hpl', 1],
  ['stored', { 'hello.hpl': [log, { level: 0 }] }, 'hello.hpl', 1],
  ['behind a README', { 'README.md': readme, 'hello.hpl': log, 'other.hpl': log }, 'hello.hpl', 3],
  [
    'in nested folders, behind stored and empty files',
    {
      'logs/': [new Uint8Array(0), {}],
      'logs/a': [readme, { level: 0 }],
      'logs/b': new Uint8Array(0),
      'logs/c': { 'ä.hpl': log },
    },
    'logs/c/ä.hpl',
    3,
  ],
];

test.each(archives)('a log %s', (_, files, entry, entries) => {
  expectLog(zipSync(files), entry, entries);
});

test('as the zip program writes it, also into a pipe, where sizes come behind', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'logs/a.md'), readme);
  writeFileSync(join(folder, 'logs/b.hpl'), log);
  const python = (script: string): void => void execFileSync('python3', ['-c', script], { cwd: folder });
  try {
    python('import zipfile');
  } catch {
    console.log('skipped: there is no python3');
    return;
  }
  python(`
import zipfile, io
class Pipe(io.RawIOBase):
  def __init__(self, file): self.file = file
  def writable(self): return True
  def write(self, data): return self.file.write(data)
for name, method in (('deflated', zipfile.ZIP_DEFLATED), ('bzip2', zipfile.ZIP_BZIP2)):
  with open(name + '.zip', 'wb') as out, zipfile.ZipFile(Pipe(out), 'w', method) as archive:
    archive.write('logs'); archive.write('logs/a.md'); archive.write('logs/b.hpl')
`);
  expectLog(new Uint8Array(readFileSync(join(folder, 'deflated.zip'))), 'logs/b.hpl', 2);
  expect(unpack(new Uint8Array(readFileSync(join(folder, 'bzip2.zip')))).unpacker.refusal).toBe(
    'a ZIP archive in which logs/a.md is compressed by method 12, which is not supported',
  );
});

test('archives without a profile say why', () => {
  const refusalOf = (files: Zippable): string | undefined => unpack(zipSync(files)).unpacker.refusal;
  expect(refusalOf({})).toBe('a ZIP archive without files');
  expect(refusalOf({ 'README.md': readme })).toBe('a ZIP archive without a profile');
  const encrypted = zipSync({ 'hello.hpl': log });
  encrypted[6] |= 1;
  expect(unpack(encrypted).unpacker.refusal).toBe('a ZIP archive in which hello.hpl is encrypted');
});

test('what is truncated or damaged is reported, and everything before it is emitted', () => {
  const archive = zipSync({ 'hello.hpl': log });
  for (const length of [archive.length - 100, 2000, 500]) {
    const { text, unpacker } = unpack(archive.subarray(0, length), 64);
    if (text.length > 0) expect(text.equals(log.subarray(0, text.length))).toBe(true);
    if (length < archive.length - 100) {
      expect(unpacker.damage).toMatchObject({ found: 'the end of the file', expected: 'more of an entry' });
      expect(unpacker.accepted).toBe('hello.hpl');
      expect(text.length).toBeGreaterThan(length / 2);
    }
  }
  const broken = archive.slice();
  broken.fill(0xff, 1000, 1040);
  expect(unpack(broken).unpacker.damage).toBeDefined();
  for (let length = 0; length < 120; length++)
    expect(() => unpack(archive.subarray(0, length))).not.toThrow();
});

test('B18: a bomb is unpacked in pieces, and no further than needed when it is no profile', () => {
  const bomb = zipSync({ zeros: [new Uint8Array(16 << 20), { level: 9 }] });
  expect(bomb.length).toBeLessThan(100_000);
  const { text, largestPiece, unpacker } = unpack(bomb);
  // A log may begin with zeros that are not written yet.
  expect(unpacker.accepted).toBe('zeros');
  expect(text.length).toBe(16 << 20);
  expect(largestPiece).toBeLessThan(8 << 20);
  const text2 = zipSync({ text: [new Uint8Array(16 << 20).fill(0x78), { level: 9 }] });
  expect(unpack(text2).unpacker.refusal).toBe('a ZIP archive without a profile');
});

test('while an entry is undecided, its bytes are not copied again with each piece', () => {
  const entry = new ZipEntry(
    'server.log',
    false,
    () => undefined,
    () => undefined,
  );
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const spy = vi.spyOn(typedArray, 'set');
  const piece = new Uint8Array(4096);
  for (let at = 0; at < 1_000; at++) entry.write(piece);
  const copied = spy.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0);
  spy.mockRestore();
  expect(copied).toBeGreaterThan(0);
  expect(entry.isAccepted).toBe(undefined);
  expect(copied).toBeLessThan(4 * 1_000 * piece.length);
});
