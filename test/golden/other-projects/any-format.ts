import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detectFormat } from '../../../shared/input/detect-format.ts';
import { filesBelow, wronglyRecognised } from '../../support/named-formats.ts';
import { DATA } from './data.ts';

test('no file is taken for another format than its name says', () => {
  // Hostile files are made to look like formats that their names do not tell, and those of strangers have any name.
  const files = filesBelow(DATA).filter((path) => !/\/(hostile|strangers(-\d)?)\//.test(path));
  expect(files.length).toBeGreaterThan(50);
  expect(wronglyRecognised(files)).toEqual([]);
});

test('profiles of gperftools, and of memory by V8, are refused by name', () => {
  const guess = (name: string): string => {
    const found = detectFormat(readFileSync(`${DATA}/other/strangers/${name}`), true);
    return found === undefined || found.format !== undefined ? 'read' : found.guess;
  };
  for (const name of ['cppbench.cpu', 'go.crc32.cpu']) expect(guess(name)).toContain('gperftools');
  expect(guess('Heap-20181003T105432.heapprofile')).toBe('a V8 heap profile');
});
