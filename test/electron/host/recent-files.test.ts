import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RecentFiles } from '../../../electron/host/recent-files.ts';
import type { FileId } from '../../../shared/protocol/messages.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';

const names = (recent: RecentFiles) => recent.list().map(({ name }) => name);

test('the latest comes first, each once, twelve at most, and they survive', () => {
  const folder = join(temporaryFolder(), 'not', 'there');
  const recent = new RecentFiles(folder);
  for (let file = 0; file < 15; file++) recent.add(`/logs/${file}.hpl`);
  recent.add('/logs/7.hpl');
  const expected = [7, 14, 13, 12, 11, 10, 9, 8, 6, 5, 4, 3].map((file) => `${file}.hpl`);
  expect(names(recent)).toEqual(expected);
  const again = new RecentFiles(folder);
  expect(again.list()).toEqual(recent.list());
  expect(again.list()[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/) as FileId,
    name: '7.hpl',
    folder: '/logs',
  });
  expect(again.pathOf(again.list()[0].id)).toBe('/logs/7.hpl');
  expect(again.pathOf('/logs/7.hpl' as FileId)).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['recent-files.json']);
  again.forget();
  expect(names(new RecentFiles(folder))).toEqual([]);
});

test('D14: names that are not UTF-8 survive, and are told apart', () => {
  const folder = temporaryFolder();
  const recent = new RecentFiles(folder);
  const paths = ['\udcff', '\udcfe', '\ufffd'].map((character) => `/logs/h${character}.hpl`);
  for (const path of paths) recent.add(path);
  const again = new RecentFiles(folder);
  const found = again.list().map(({ id, name }) => [again.pathOf(id), name]);
  expect(found).toEqual([
    [paths[2], 'h\ufffd.hpl'],
    [paths[1], 'h\\xfe.hpl'],
    [paths[0], 'h\\xff.hpl'],
  ]);
});

test.each([
  ['nothing', ''],
  ['half of it', '{"version":1,"paths":["/a'],
  ['a prototype', '{"__proto__":{"paths":["/a.hpl"]},"version":1}'],
  ['keys that are not ours', '{"version":1,"paths":[],"constructor":1}'],
  ['another shape', '{"version":1,"paths":[{"toString":1}]}'],
  ['another version', '{"version":2,"paths":["/a.hpl"]}'],
  ['far too much', JSON.stringify({ version: 1, paths: Array(250_000).fill('/some/where/a.hpl') })],
])('a list that holds %s is set aside, and a new one begins', (_, content) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'recent-files.json'), content);
  const recent = new RecentFiles(folder);
  expect(recent.list()).toEqual([]);
  expect(readFileSync(join(folder, 'recent-files.json.broken'), 'utf8')).toBe(content);
  recent.add('/b.hpl');
  expect(names(new RecentFiles(folder))).toEqual(['b.hpl']);
});

testUnless(process.platform === 'win32' ? 'Windows has no such pipes' : undefined)(
  'D13: a list that is a pipe or a device does not hold up the start',
  () => {
    const folder = temporaryFolder();
    const file = join(folder, 'recent-files.json');
    for (const make of [
      () => void execFileSync('mkfifo', [file]),
      () => symlinkSync('/dev/zero', file),
      () => symlinkSync('/dev/tty', file),
    ]) {
      make();
      const recent = new RecentFiles(folder);
      expect(recent.list()).toEqual([]);
      recent.add('/a.hpl');
      expect(names(new RecentFiles(folder))).toEqual(['a.hpl']);
      rmSync(file);
    }
  },
);

test('paths that are not absolute are not believed', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'recent-files.json'), '{"version":1,"paths":["a.hpl","/b.hpl"]}');
  expect(names(new RecentFiles(folder))).toEqual(['b.hpl']);
});

test('D12: without a place to write, the list lasts as long as the program', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  const recent = new RecentFiles(join(folder, 'file', 'below'));
  recent.add('/a.hpl');
  expect(names(recent)).toEqual(['a.hpl']);
  mkdirSync(join(folder, 'recent-files.json'));
  chmodSync(folder, 0o700);
  const blocked = new RecentFiles(folder);
  blocked.add('/a.hpl');
  expect(names(blocked)).toEqual(['a.hpl']);
  expect(existsSync(join(folder, 'recent-files.json'))).toBe(true);
});
