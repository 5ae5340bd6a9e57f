import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeKeptFiles, settingsFile } from '../../../electron/desktop/kept-files.ts';
import { placeFile } from '../../../electron/desktop/window-place.ts';
import { RecentFiles } from '../../../electron/host/recent-files.ts';
import { replaceFile } from '../../../electron/host/stored-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the file has the new text, for this user only, and nothing else is left', () => {
  const folder = join(temporaryFolder(), 'settings');
  const file = join(folder, 'a.json');
  expect(replaceFile(file, 'one')).toBe(true);
  expect(replaceFile(file, 'two')).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['a.json']);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
});

test('what cannot be written leaves what was there', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'a.json'));
  expect(replaceFile(join(folder, 'a.json'), 'one')).toBe(false);
  expect(readdirSync(folder)).toEqual(['a.json']);
});

const place = { bounds: { x: 0, y: 0, width: 800, height: 600 }, isMaximized: false, isFullScreen: false };

test.each<readonly [string, (folder: string, run: number) => void]>([
  [
    'desktop.json',
    (folder, run) => settingsFile(join(folder, 'desktop.json')).save({ saveFolder: `/${run}` }),
  ],
  [
    'window.json',
    (folder, run) => placeFile(join(folder, 'window.json')).save({ ...place, isMaximized: run > 0 }),
  ],
  ['open-files.json', (folder, run) => writeKeptFiles(join(folder, 'open-files.json'), [`/${run}`])],
  ['recent-files.json', (folder, run) => new RecentFiles(folder).add(`/${run}`)],
])('D12: who ends while %s is written has the old one or the new one', (name, write) => {
  const folder = temporaryFolder();
  write(folder, 0);
  const old = readFileSync(join(folder, name), 'utf8');
  // The old file is not changed: another one takes its name.
  const file = openSync(join(folder, name), 'r');
  write(folder, 1);
  expect(readFileSync(file, 'utf8')).toBe(old);
  expect(readFileSync(join(folder, name), 'utf8')).not.toBe(old);
  closeSync(file);
});
