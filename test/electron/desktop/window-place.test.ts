import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CrashLimit } from '../../../electron/host/log-threads.ts';
import { boundsFor, placeFile, type Rectangle } from '../../../electron/desktop/window-place.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const rectangle = (text: string): Rectangle => {
  const [x, y, width, height] = text.split(' ').map(Number);
  return { x, y, width, height };
};

test.each([
  ['on the display', '100 50 1000 700', '0 0 1920 1040', '100 50 1000 700'],
  ['partly off it to the right', '1800 50 1000 700', '0 0 1920 1040', '1800 50 1000 700'],
  ['larger than it', '0 0 3000 2000', '0 0 1920 1040', '0 0 1920 1040'],
  ['smaller than it may be', '10 10 100 50', '0 0 1920 1040', '10 10 640 400'],
  [
    'on a second display to the left',
    '-1500 100 800 600',
    '0 0 1920 1040|-1920 0 1920 1080',
    '-1500 100 800 600',
  ],
  ['on a display that is gone', '-1500 100 800 600', '0 0 1920 1040', 'anywhere 1280 800'],
  ['with its title above the display', '100 -40 800 600', '0 0 1920 1040', 'anywhere 1280 800'],
  ['with a sliver on the display', '1900 100 800 600', '0 0 1920 1040', 'anywhere 1280 800'],
])('a window that was %s', (_what, last, areas, expected) => {
  const place = { bounds: rectangle(last), isMaximized: false, isFullScreen: false };
  const bounds = boundsFor(place, areas.split('|').map(rectangle));
  const text = 'x' in bounds ? `${bounds.x} ${bounds.y}` : 'anywhere';
  expect(`${text} ${bounds.width} ${bounds.height}`).toBe(expected);
});

test('a place is kept in a file', () => {
  const file = join(temporaryFolder(), 'new', 'window.json');
  const place = { bounds: rectangle('1 2 800 600'), isMaximized: true, isFullScreen: true };
  placeFile(file).save(place);
  expect(placeFile(file).load()).toEqual(place);
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"bounds":null}',
  '{"bounds":{"x":0,"y":0,"width":"1","height":1}}',
  '{"bounds":{"x":0,"y":0,"width":1e99,"height":1}}',
])('a file that holds %s is no place', (content) => {
  const file = join(temporaryFolder(), 'window.json');
  writeFileSync(file, content);
  expect(placeFile(file).load()).toBeUndefined();
});

test('a place that cannot be kept is no error', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'window.json'));
  placeFile(join(folder, 'window.json')).save({
    bounds: rectangle('1 2 800 600'),
    isMaximized: false,
    isFullScreen: false,
  });
  expect(placeFile(join(folder, 'window.json')).load()).toBeUndefined();
});

test('three crashes in five minutes are reloaded, as often as they are five minutes old', () => {
  const limit = new CrashLimit();
  const minutes = [0, 1, 2, 3, 5.5, 6.5, 20];
  expect(minutes.map((minute) => limit.allowsRestart(minute * 60_000))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    true,
  ]);
  for (const minute of [21, 21, 21]) limit.allowsRestart(minute * 60_000);
  limit.reset();
  expect(limit.allowsRestart(22 * 60_000)).toBe(true);
});
