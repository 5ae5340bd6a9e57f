import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KeptFiles, readKeptFiles, writeKeptFiles } from '../../../electron/desktop/kept-files.ts';
import { SourceSettingsFile } from '../../../electron/host/host-sources.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the stored list is whole until all files are restored', async () => {
  const file = join(temporaryFolder(), 'open-files.json');
  writeKeptFiles(file, ['/a.hpl', '/b.hpl', '/c.hpl']);
  const kept = new KeptFiles(file);
  const open: string[] = [];
  const stored: string[] = [];
  await kept.restore((path) => {
    if (path === '/b.hpl') return Promise.reject(new Error('cannot be opened'));
    open.push(path);
    kept.keep([...open]);
    stored.push(readKeptFiles(file).join(' '));
    return Promise.resolve();
  });
  expect(stored).toEqual(['/a.hpl /b.hpl /c.hpl', '/a.hpl /b.hpl /c.hpl']);
  expect(readKeptFiles(file)).toEqual(['/a.hpl', '/c.hpl']);
  kept.keep(['/d.hpl']);
  expect(readKeptFiles(file)).toEqual(['/d.hpl']);
});

test('a file with two tabs is opened once more, and no more often because it is opened', async () => {
  const file = join(temporaryFolder(), 'open-files.json');
  writeKeptFiles(file, ['/a.jfr', '/b.hpl', '/a.jfr']);
  const kept = new KeptFiles(file);
  const open: string[] = [];
  await kept.restore((path, again) => Promise.resolve(open.push(`${path}${again ? ' again' : ''}`)));
  expect(open).toEqual(['/a.jfr', '/b.hpl', '/a.jfr again']);
  kept.add(['/a.jfr', '/c.hpl', '/c.hpl']);
  expect(readKeptFiles(file)).toEqual(['/a.jfr', '/b.hpl', '/a.jfr', '/c.hpl']);
});

test('a hundred long paths are stored and read again', () => {
  const folder = temporaryFolder();
  const paths = Array.from({ length: 100 }, (_, at) => `/${at}/${'x'.repeat(4000)}`);
  writeKeptFiles(join(folder, 'open-files.json'), paths);
  expect(readKeptFiles(join(folder, 'open-files.json'))).toEqual(paths);
  new SourceSettingsFile(folder).save({ roots: paths, editor: undefined, command: undefined });
  expect(new SourceSettingsFile(folder).load().roots).toEqual(paths);
});
