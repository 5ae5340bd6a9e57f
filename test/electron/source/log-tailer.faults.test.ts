import { appendFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FaultyFiles, following, newPath, TailReader } from '../../support/tail-reader.ts';

test('rewritten between a read and the look after it: what was read of the new content is dropped', () => {
  const files = new FaultyFiles();
  const { path, reader } = following('old content', files);
  files.beforeRead = () => {
    files.beforeRead = () => undefined;
    writeFileSync(path, 'new content, and longer');
  };
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened old content', 'rewritten new content, and longer']);
});

test('T30 T31: a file that may not be read is tried again', () => {
  const files = new FaultyFiles();
  const path = newPath();
  writeFileSync(path, 'abc');
  files.faults.open = 'EACCES';
  const reader = new TailReader(path, files);
  expect(reader.pollToEnd()).toBe('unreadable');
  expect(reader.tailer.error!.message).toBe(`${path}: may not be read by this user; change its permissions`);
  delete files.faults.open;
  expect(reader.pollToEnd()).toBe('atEnd');
  expect(reader.tailer.error).toBeUndefined();
  expect(reader.read).toEqual(['opened abc']);
});

test.each(['EIO', 'ESTALE'])('T32: %s while reading: it goes on where it stopped', (code) => {
  const files = new FaultyFiles();
  const { path, reader } = following('abc', files);
  appendFileSync(path, 'def');
  files.faults.read = code;
  expect(reader.pollAWhile()).toBe('unreadable');
  expect(reader.tailer.error!.reason).toBe(`could not be read (${code})`);
  delete files.faults.read;
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened abcdef']);
});

test('an error for good on the old file, and a new one in its place', () => {
  const files = new FaultyFiles();
  const { path, reader } = following('old', files);
  unlinkSync(path);
  writeFileSync(path, 'new');
  files.faults.fstat = 'ESTALE';
  expect(reader.pollToEnd()).toBe('gone');
  delete files.faults.fstat;
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened old', 'replaced new']);
});

test.each(['EIO', 'ESTALE'])('T32: %s once, after the file was replaced: its rest is still read', (code) => {
  const files = new FaultyFiles();
  const { path, reader } = following('old', files);
  appendFileSync(path, ' rest');
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'new');
  files.faults.read = code;
  expect(reader.pollToEnd()).toBe('unreadable');
  delete files.faults.read;
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened old rest', 'replaced new']);
});

test('T32: an error that stays on the old file, but not on the new one', () => {
  const files = new FaultyFiles();
  const { path, reader } = following('old', files);
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'new');
  files.faults.read = 'ESTALE';
  let polls = 0;
  while (polls < 100 && reader.pollToEnd() === 'unreadable') {
    polls++;
    // The new one is read as soon as the tailer has begun it.
    if (reader.read.length > 1) delete files.faults.read;
  }
  expect(reader.read).toEqual(['opened old', 'replaced new']);
  expect(polls).toBeLessThan(30);
});

test.each(['EINTR', 'EAGAIN'])('T39: %s is no trouble', (code) => {
  const files = new FaultyFiles();
  const { path, reader } = following('abc', files);
  appendFileSync(path, 'def');
  files.faults.read = code;
  expect(reader.pollToEnd()).toBe('atEnd');
  expect(reader.tailer.error).toBeUndefined();
  delete files.faults.read;
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened abcdef']);
});

test('T39: short reads give the same', () => {
  const files = new FaultyFiles();
  files.longestRead = 3;
  const { path, reader } = following('abcdefgh', files);
  // Heads and marks are read short as well: then they cannot be compared, which must not look like new content.
  appendFileSync(path, 'ijkl');
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened abcdefghijkl']);
});

test('T38: a stale size below what was read is no truncation', () => {
  const files = new FaultyFiles();
  const { path, reader } = following('abcdef', files);
  files.sizeSeen = () => 2;
  expect(reader.pollAWhile()).toBe('atEnd');
  appendFileSync(path, 'ghi');
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened abcdefghi']);
  expect(reader.tailer.size).toBe(9);
});
