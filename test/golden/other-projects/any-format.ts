import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detectFormat } from '../../../shared/input/detect-format.ts';
import { collapsedOf } from '../../support/collapsed-text.ts';
import { readInput } from '../../support/read-input.ts';
import { readStored } from '../../support/read-stored.ts';
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

const STRANGERS = `${DATA}/other/strangers-2`;

test.each([
  ['async-profiler-heatmap.html', 'a heat map of async-profiler'],
  ['android-anr-traces.txt', 'a dump of Android’s runtime, as of an ANR'],
  ['hs_err_pid1.log', 'a crash log of the JVM (hs_err)'],
])('%s is refused by name', (name, guess) => {
  expect(detectFormat(readFileSync(`${STRANGERS}/${name}`), true)).toMatchObject({ format: undefined, guess });
});

test.each([
  ['v8-profiler-typeid.cpuprofile', '[main tid=1];(idle) 2\n[main tid=1];main 1\n[main tid=1];main;hot 3\n'],
  ['difffolded.folded', '[all threads tid=1];Main.main;Shop.list 9\n[all threads tid=1];Main.main;Shop.price 12\n'],
])('%s has the stacks that its note tells', (name, stacks) => {
  expect(collapsedOf(readInput(readFileSync(`${STRANGERS}/${name}`)).profile, 'name')).toBe(stacks);
});

test('neither a font nor a README hides the thread dump of a bundle', async () => {
  for (const name of ['bundle-with-font.zip', 'support-bundle-readme.zip']) {
    const { reader } = await readStored(readFileSync(`${STRANGERS}/${name}`));
    expect([reader.format?.id, reader.aggregator.sampleCount], name).toEqual(['thread-dump', 3]);
  }
});
