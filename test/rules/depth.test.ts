import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.ts';

/** Most floors: the files of the longest chain of imports within a folder. */
const MOST_FLOORS = 6;

const files = sourceFiles();

/** Folder -> its longest chain of imports. */
function chains(): ReadonlyMap<string, readonly string[]> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const known = new Map<string, readonly string[]>();
  const chainFrom = ({ path, imports }: SourceFile): readonly string[] => {
    const found = known.get(path);
    if (found !== undefined) return found;
    // A file that is part of a circle of imports is counted once.
    known.set(path, []);
    const inside = imports.filter((target) => target !== path && dirname(target) === dirname(path));
    const below = inside.map((target) => byPath.get(target)).filter((file) => file !== undefined);
    const chain = [path, ...longest(below.map(chainFrom))];
    known.set(path, chain);
    return chain;
  };
  const folders = new Map<string, readonly string[]>();
  for (const file of files) {
    const folder = dirname(file.path);
    folders.set(folder, longest([folders.get(folder) ?? [], chainFrom(file)]));
  }
  return folders;
}

function longest(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.reduce((most, list) => (list.length > most.length ? list : most), []);
}

test('a folder has at most six floors of imports', () => {
  const all = chains();
  expect(all.get('shared/engine')?.length).toBeGreaterThan(2);
  const tooDeep = [...all]
    .filter(([, chain]) => chain.length > MOST_FLOORS)
    .map(([, chain]) => `${chain.length}: ${chain.join(' > ')}`);
  expect(tooDeep).toEqual([]);
});
