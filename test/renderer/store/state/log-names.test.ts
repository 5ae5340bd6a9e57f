import { expect, test } from 'vitest';
import type { LogId } from '../../../../shared/protocol/messages.ts';
import { tabNames } from '../../../../renderer/store/state/log-names.ts';
import { newLogView } from '../../../../renderer/store/state/window-state.ts';

/** `/srv/a/x.hpl`, `x.hpl (here)` for a file of this window, `/srv/a/x.hpl as server` for one with another name. */
function named(...texts: readonly string[]): string[] {
  const logs = texts.map((text, at) => {
    const [path, label = ''] = text.split(' as ');
    const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
    const log = path.endsWith(' (here)')
      ? newLogView(`file:${at}`, undefined, path.replace(' (here)', ''), 'read by this window')
      : newLogView(`host:${at}`, at as LogId, path.slice(cut + 1), path.slice(0, cut) || '/');
    return { ...log, label };
  });
  return tabNames(logs).map(({ name, apart }) => (apart === '' ? name : `${name} · ${apart}`));
}

test('tabs of one name show the part of the folder that differs', () => {
  expect(named('/srv/a/x.hpl', '/srv/b/x.hpl', '/srv/a/y.hpl')).toEqual(['x.hpl · a', 'x.hpl · b', 'y.hpl']);
  expect(named('/srv/a/logs/x.hpl', '/srv/b/logs/x.hpl')).toEqual(['x.hpl · a/…', 'x.hpl · b/…']);
  expect(named('/a/1/logs/x', '/b/1/logs/x', '/a/2/logs/x')).toEqual(['x · a/1/…', 'x · b/1/…', 'x · 2/…']);
  expect(named('/logs/x', '/old/logs/x')).toEqual(['x · /', 'x · old/…']);
  expect(named('/x', '/old/x')).toEqual(['x · /', 'x · old']);
  expect(named('C:\\a\\x', 'C:\\b\\x')).toEqual(['x · a', 'x · b']);
});

test('files of one place are numbered', () => {
  expect(named('x (here)', 'x (here)', 'y (here)')).toEqual(['x · (1)', 'x · (2)', 'y']);
  expect(named('x (here)', '/a/x')).toEqual(['x · /', 'x · a']);
});

test('a name that the user gave stands for the file, and may be that of another', () => {
  expect(named('/a/x as server 1', '/b/x')).toEqual(['server 1', 'x']);
  expect(named('/a/y as x', '/b/x')).toEqual(['x · a', 'x · b']);
});

test('no two tabs look the same', () => {
  const folders = ['/', '/a', '/b', '/a/b', '/b/a', '/a/a', '/a/b/a', '/b/b/a'];
  const texts = folders.flatMap((folder) =>
    folders.slice(0, 3).map(() => `${folder === '/' ? '' : folder}/x`),
  );
  const all = named(...texts);
  expect(new Set(all).size).toBe(all.length);
});
