import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nodeFiles } from '../../../electron/source/tail-files.ts';
import { NO_OPEN_FILES, openFilesBelow } from '../../support/open-files.ts';
import { following, newPath, TailReader } from '../../support/tail-reader.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';

test('T01 T03: what is appended arrives once and in order, byte by byte too', () => {
  const { path, reader } = following('abc');
  for (const char of 'defgh') {
    appendFileSync(path, char);
    expect(reader.pollToEnd()).toBe('atEnd');
  }
  expect(reader.read).toEqual(['opened abcdefgh']);
});

test('T02: much that is appended arrives in turns of 128 KiB', () => {
  const path = newPath();
  const content = 'x'.repeat(500_000);
  writeFileSync(path, content);
  const reader = new TailReader(path);
  reader.pollToEnd();
  expect(reader.contents[0].pieces.map(({ length }) => length)).toEqual([131072, 131072, 131072, 106784]);
  expect(reader.tailer).toMatchObject({ offset: 500_000, size: 500_000 });
});

test('T27: a file that is not there yet is waited for, and so is its folder', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'logs', 'a.log');
  const reader = new TailReader(path);
  expect(reader.pollToEnd()).toBe('missing');
  expect(reader.tailer.error?.reason).toBe('does not exist');
  mkdirSync(join(folder, 'logs'));
  expect(reader.pollToEnd()).toBe('missing');
  writeFileSync(path, 'abc');
  expect(reader.pollToEnd()).toBe('atEnd');
  expect(reader.read).toEqual(['opened abc']);
});

test('T11 T15: truncated, and written anew (a JVM restarts on its path)', () => {
  const { path, reader } = following('old content');
  truncateSync(path);
  reader.pollToEnd();
  appendFileSync(path, 'new');
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened old content', 'truncated new']);
});

test('truncated in the middle', () => {
  const { path, reader } = following('old content');
  truncateSync(path, 4);
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened old content', 'truncated old ']);
});

test('T13: truncated and grown past its old size between two polls', () => {
  const { path, reader } = following('old content');
  writeFileSync(path, 'new content, and longer');
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened old content', 'rewritten new content, and longer']);
});

test('T14: rewritten to its very size and time', () => {
  const { path, reader } = following('old content');
  const { atime, mtime } = statSync(path);
  writeFileSync(path, 'new content');
  utimesSync(path, atime, mtime);
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened old content', 'rewritten new content']);
});

test('rewritten with the same beginning and another end', () => {
  const head = 'h'.repeat(100);
  const { path, reader } = following(`${head}old`);
  writeFileSync(path, `${head}new and more`);
  reader.pollToEnd();
  expect(reader.read).toEqual([`opened ${head}old`, `rewritten ${head}new and more`]);
});

test('T12: truncated under a writer that goes on where it was: the hole is read too', () => {
  const path = newPath();
  const writer = openSync(path, 'w');
  onTestFinished(() => closeSync(writer));
  writeSync(writer, 'old content');
  const reader = new TailReader(path);
  reader.pollToEnd();
  ftruncateSync(writer);
  writeSync(writer, 'more');
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened old content', `rewritten ${'\0'.repeat(11)}more`]);
});

test('T08: renamed while its writer still has it: the old file to its end, then the new one', () => {
  const path = newPath();
  const writer = openSync(path, 'a');
  writeSync(writer, 'old');
  const reader = new TailReader(path);
  reader.pollToEnd();
  renameSync(path, `${path}.1`);
  expect(reader.pollToEnd()).toBe('gone');
  writeSync(writer, ' more');
  expect(reader.pollToEnd()).toBe('gone');
  writeFileSync(path, 'new');
  expect(reader.pollToEnd()).toBe('atEnd');
  writeSync(writer, ' last');
  closeSync(writer);
  expect(reader.pollAWhile()).toBe('atEnd');
  appendFileSync(path, ' more');
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened old more last', 'replaced new more']);
});

test('T08: a writer that never leaves the old file does not keep the new one from being read', () => {
  const { path, reader } = following('old');
  const writer = openSync(path, 'a');
  onTestFinished(() => closeSync(writer));
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'new');
  for (let poll = 0; poll < 25; poll++) {
    writeSync(writer, '.');
    reader.pollToEnd();
  }
  expect(reader.read[1]).toBe('replaced new');
});

testUnless(NO_OPEN_FILES)('T09: rotated fifty times, with descriptors back to where they were', () => {
  const { path, reader } = following('0');
  for (let rotation = 1; rotation <= 50; rotation++) {
    renameSync(path, `${path}.1`);
    appendFileSync(`${path}.1`, ` last of ${rotation - 1}`);
    writeFileSync(path, `${rotation}`);
    reader.pollAWhile();
  }
  expect(reader.read.map((text) => text.replace(/^\w+ /, ''))).toEqual(
    Array.from({ length: 51 }, (_, n) => (n < 50 ? `${n} last of ${n}` : `${n}`)),
  );
  expect(openFilesBelow(dirname(path))).toBe(1);
});

test('T10: renamed away and back: nothing is read again', () => {
  const { path, reader } = following('abc');
  renameSync(path, `${path}.1`);
  expect(reader.pollToEnd()).toBe('gone');
  renameSync(`${path}.1`, path);
  appendFileSync(path, 'def');
  expect(reader.pollToEnd()).toBe('atEnd');
  expect(reader.read).toEqual(['opened abcdef']);
});

test('T16 T18: deleted, and recreated later', () => {
  const { path, reader } = following('old');
  unlinkSync(path);
  expect(reader.pollToEnd()).toBe('gone');
  expect(reader.pollAWhile()).toBe('gone');
  writeFileSync(path, 'new');
  expect(reader.pollAWhile()).toBe('atEnd');
  expect(reader.read).toEqual(['opened old', 'replaced new']);
});

test('T17: deleted and recreated at once, with the same content: it is another file', () => {
  const { path, reader } = following('same');
  const { ino } = statSync(path);
  unlinkSync(path);
  writeFileSync(path, 'same');
  expect(statSync(path).ino).not.toBe(ino);
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened same', 'replaced same']);
});

test('T19: saved by renaming another file over it', () => {
  const { path, reader } = following('old');
  writeFileSync(`${path}.new`, 'new content');
  renameSync(`${path}.new`, path);
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened old', 'replaced new content']);
});

test('T22 T23 T24: a link: its target grows, it is switched, it dangles, it becomes a file', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'link');
  const target = (name: string) => join(folder, name);
  const pointTo = (name: string) => {
    symlinkSync(target(name), `${path}.new`);
    renameSync(`${path}.new`, path);
  };
  writeFileSync(target('one'), 'one');
  pointTo('one');
  const reader = new TailReader(path);
  reader.pollToEnd();
  appendFileSync(target('one'), ' more');
  reader.pollToEnd();
  writeFileSync(target('two'), 'two');
  pointTo('two');
  reader.pollAWhile();
  pointTo('three');
  expect(reader.pollAWhile()).toBe('gone');
  writeFileSync(target('three'), 'three');
  reader.pollAWhile();
  writeFileSync(`${path}.new`, 'four');
  renameSync(`${path}.new`, path);
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened one more', 'replaced two', 'replaced three', 'replaced four']);
});

test('T26: the folder is deleted and made again', () => {
  const folder = join(temporaryFolder(), 'logs');
  mkdirSync(folder);
  const path = join(folder, 'a.log');
  writeFileSync(path, 'old');
  const reader = new TailReader(path);
  reader.pollToEnd();
  rmSync(folder, { recursive: true });
  expect(reader.pollToEnd()).toBe('gone');
  mkdirSync(folder);
  writeFileSync(path, 'new');
  reader.pollAWhile();
  expect(reader.read).toEqual(['opened old', 'replaced new']);
});

test('T28 T29: what is no file is refused, and read when it becomes one', async () => {
  const folder = temporaryFolder();
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const socket = join(folder, 'socket');
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const verdict = (path: string) => {
    const reader = new TailReader(path);
    return `${reader.pollToEnd()}: ${reader.tailer.error!.reason}`;
  };
  expect(verdict(folder)).toBe('refused: is a directory');
  expect(verdict(pipe)).toBe('refused: is a pipe');
  expect(verdict(socket)).toBe('refused: is a socket');
  expect(verdict('/dev/zero')).toBe('refused: is a device');

  const path = join(folder, 'becomes');
  mkdirSync(path);
  const reader = new TailReader(path);
  expect(reader.pollToEnd()).toBe('refused');
  rmSync(path, { recursive: true });
  expect(reader.pollToEnd()).toBe('missing');
  writeFileSync(path, 'abc');
  reader.pollToEnd();
  unlinkSync(path);
  mkdirSync(path);
  expect(reader.pollAWhile()).toBe('gone');
  expect(reader.tailer.error!.reason).toBe('is a directory');
  expect(reader.read).toEqual(['opened abc']);
});

test('T40 D18: offsets beyond 2^31 and 2^32', () => {
  const path = newPath();
  const start = 2 ** 32 + 5;
  writeFileSync(path, '');
  truncateSync(path, start);
  const reader = new TailReader(path);
  reader.finalOf = () => 0;
  expect(reader.poll()).toBe('more');
  // Nothing of the hole was called final, so the position may be set anywhere without contradiction.
  reader.tailer.reread(start);
  reader.contents[0].pieces.length = 0;
  reader.pollToEnd();
  const writer = openSync(path, 'r+');
  onTestFinished(() => closeSync(writer));
  writeSync(writer, 'beyond', start);
  reader.pollToEnd();
  expect(reader.read).toEqual(['opened beyond']);
  expect(reader.tailer).toMatchObject({ offset: start + 6, size: start + 6 });
});

test('T42: zeros that are not final are read again when they are overwritten, and nothing else is', () => {
  const path = newPath();
  writeFileSync(path, `abc${'\0'.repeat(5)}`);
  const reader = new TailReader(path);
  reader.finalOf = () => Buffer.from(reader.tailer.peek(0, 8)).indexOf(0);
  reader.pollToEnd();
  const writer = openSync(path, 'r+');
  onTestFinished(() => closeSync(writer));
  writeSync(writer, 'def', 3);
  expect(reader.pollToEnd()).toBe('atEnd');
  expect(reader.read).toEqual(['opened abc\0\0\0\0\0(at 3: def\0\0)']);
  writeSync(writer, 'X', 1);
  reader.pollToEnd();
  expect(reader.read[1]).toBe('rewritten aXcdef\0\0');
});

test('T41: times in the future or the past change nothing', () => {
  const { path, reader } = following('abc');
  for (const seconds of [4e9, 0]) {
    utimesSync(path, seconds, seconds);
    appendFileSync(path, 'd');
    utimesSync(path, seconds, seconds);
    reader.pollToEnd();
  }
  expect(reader.read).toEqual(['opened abcdd']);
});

test('a file that is only watched is not read, and new content is noticed', () => {
  const { path, reader } = following('abc');
  appendFileSync(path, 'def');
  expect(reader.poll(false)).toBe('atEnd');
  expect(reader.read).toEqual(['opened abc']);
  truncateSync(path);
  expect(reader.poll(false)).toBe('more');
  expect(reader.read).toEqual(['opened abc', 'truncated ']);
});

test('T47: two readers of one file do not disturb each other or its writer', () => {
  const { path, reader } = following('abc');
  const other = new TailReader(path);
  other.pollToEnd();
  renameSync(path, `${path}.1`);
  unlinkSync(`${path}.1`);
  reader.pollToEnd();
  other.pollToEnd();
  expect([reader.read, other.read]).toEqual([['opened abc'], ['opened abc']]);
});

test('T46: a turn without news costs five system calls', () => {
  const calls: string[] = [];
  const counted = Object.fromEntries(
    Object.entries(nodeFiles).map(([name, call]: [string, (...args: never[]) => unknown]) => [
      name,
      (...args: never[]) => {
        calls.push(name);
        return call(...args);
      },
    ]),
  ) as unknown as typeof nodeFiles;
  const path = newPath();
  writeFileSync(path, 'x'.repeat(1_000));
  const reader = new TailReader(path, counted);
  reader.pollToEnd();
  calls.length = 0;
  reader.pollToEnd();
  expect(calls).toEqual(['read', 'fstat', 'read', 'read', 'stat']);
});

testUnless(NO_OPEN_FILES)('closing gives the descriptor back', () => {
  const { path, reader } = following('abc');
  expect(openFilesBelow(dirname(path))).toBe(1);
  reader.tailer.close();
  expect(openFilesBelow(dirname(path))).toBe(0);
  expect(nodeFiles.stat(reader.tailer.path).size).toBe(3);
});
