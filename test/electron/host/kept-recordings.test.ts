import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { KeptRecordings } from '../../../electron/host/kept-recordings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NOON = new Date(2026, 10, 28, 12, 0, 5);

const sized =
  (bytes: number) =>
  (path: string): Promise<void> => {
    writeFileSync(path, 'x'.repeat(bytes), { flag: 'wx' });
    return Promise.resolve();
  };

test('the last five recordings are kept, under names that tell when', async () => {
  const folder = join(temporaryFolder(), 'recordings');
  const kept = new KeptRecordings(folder, () => NOON);
  const paths: string[] = [];
  const removed: string[] = [];
  for (let at = 1; at <= 7; at++) {
    const result = await kept.keep('com.acme.Shop (7)', at % 2 === 0 ? 'tdump' : 'jfr', sized(at));
    utimesSync(result.path, at, at);
    paths.push(result.path);
    removed.push(...result.removed);
  }
  expect(paths.slice(0, 3).map((path) => basename(path))).toEqual([
    'com.acme.Shop-7-20261128-120005.jfr',
    'com.acme.Shop-7-20261128-120005.tdump',
    'com.acme.Shop-7-20261128-120005-2.jfr',
  ]);
  expect(removed).toEqual(paths.slice(0, 2));
  expect(readdirSync(folder).sort()).toEqual(
    paths
      .slice(2)
      .map((path) => basename(path))
      .sort(),
  );
});

test('a large recording takes the place of older ones, and is kept itself', async () => {
  const kept = new KeptRecordings(temporaryFolder(), () => NOON, 100);
  const first = await kept.keep('a', 'jfr', sized(40));
  const second = await kept.keep('b', 'jfr', sized(60));
  const third = await kept.keep('c', 'jfr', sized(150));
  expect([first.removed, second.removed, [...third.removed].sort()]).toEqual([
    [],
    [],
    [first.path, second.path],
  ]);
  expect(readFileSync(third.path, 'utf8')).toHaveLength(150);
});

test('what cannot be written leaves no file', async () => {
  const folder = temporaryFolder();
  const failing = async (path: string): Promise<void> => {
    await sized(3)(path);
    throw new Error('ENOSPC');
  };
  await expect(new KeptRecordings(folder).keep('a', 'jfr', failing)).rejects.toThrow('ENOSPC');
  expect(readdirSync(folder)).toEqual([]);
});
