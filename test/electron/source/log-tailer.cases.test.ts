import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_OPEN_FILES, openFilesBelow } from '../../support/open-files.ts';
import { FaultyFiles, following, newPath, TailReader } from '../../support/tail-reader.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';

test('T20: replaced between being looked up and being opened', () => {
  const files = new FaultyFiles();
  const path = newPath();
  writeFileSync(path, 'old');
  const { open } = files;
  const replacing = Object.assign(files, {
    open: (name: string): number => {
      writeFileSync(`${name}.new`, 'new');
      renameSync(`${name}.new`, name);
      return open(name);
    },
  });
  const reader = new TailReader(path, replacing);
  reader.poll();
  Object.assign(files, { open });
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened new']);
});

test('T20: replaced between being opened and being read', () => {
  const files = new FaultyFiles();
  const path = newPath();
  writeFileSync(path, 'old');
  files.beforeRead = () => {
    files.beforeRead = () => undefined;
    writeFileSync(`${path}.new`, 'new');
    renameSync(`${path}.new`, path);
  };
  const reader = new TailReader(path, files);
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened old', 'replaced new']);
});

test('T21: appended during the first read, and after each of the next ones', () => {
  const files = new FaultyFiles();
  const path = newPath();
  writeFileSync(path, '0');
  let reads = 0;
  files.beforeRead = () => {
    if (++reads <= 9) appendFileSync(path, String(reads));
  };
  const reader = new TailReader(path, files);
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened 0123456789']);
});

test('T25: a file that is replaced by a link to another one', () => {
  const folder = temporaryFolder();
  const { path, reader } = following('old');
  writeFileSync(join(folder, 'target'), 'new');
  symlinkSync(join(folder, 'target'), `${path}.new`);
  renameSync(`${path}.new`, path);
  reader.pollAWhile();
  appendFileSync(join(folder, 'target'), ' more');
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened old', 'replaced new more']);
});

test('T43 T44 D20: nobody looks for an hour, in which the file grows, is rotated, and the new one grows', () => {
  const { path, reader } = following('old');
  appendFileSync(path, ' more');
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'new');
  appendFileSync(`${path}.1`, ' last');
  appendFileSync(path, ' more');
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened old more last', 'replaced new more']);
});

testUnless(NO_OPEN_FILES)('T45: a thousand rotations leave no descriptor open', () => {
  const { path, reader } = following('0');
  for (let rotation = 1; rotation <= 1_000; rotation++) {
    renameSync(path, `${path}.1`);
    writeFileSync(path, String(rotation));
    reader.pollAWhile();
  }
  expect(reader.read.length).toBe(1_001);
  expect(reader.read.at(-1)).toBe('replaced 1000');
  expect(openFilesBelow(dirname(path))).toBe(1);
});

test('T48: an open file can be renamed, deleted and made again, and its folder removed', () => {
  const folder = join(temporaryFolder(), 'logs');
  mkdirSync(folder);
  const path = join(folder, 'a.log');
  writeFileSync(path, 'abc');
  const reader = new TailReader(path);
  reader.pollToEnd();
  renameSync(path, `${path}.1`);
  rmSync(`${path}.1`);
  writeFileSync(path, 'new');
  rmSync(folder, { recursive: true });
  expect(() => statSync(folder)).toThrow('ENOENT');
});

test('T50: names in both Unicode normal forms are two files', () => {
  const folder = temporaryFolder();
  const composed = join(folder, 'Profil für ä.hpl'.normalize('NFC'));
  const decomposed = composed.normalize('NFD');
  writeFileSync(composed, 'composed');
  writeFileSync(decomposed, 'decomposed');
  const read = [composed, decomposed].map((path) => {
    const reader = new TailReader(path);
    reader.pollToEnd();
    return reader.read[0];
  });
  expect(read).toEqual(['opened composed', 'opened decomposed']);
});
