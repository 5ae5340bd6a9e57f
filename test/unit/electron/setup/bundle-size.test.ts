import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../../support/built-program.ts';
import { kilobytesOf, rendererBundle } from '../../../support/renderer-bundle.ts';

useBuiltProgram();

/**
 * Minified, not compressed: the host is on this machine, and what costs is reading and compiling. react-dom is 207 kB of
 * it. The limits leave room for a view or two, and none for a library that comes in by mistake.
 */
test('what the window loads to show a profile stays small', () => {
  const { first, showing } = rendererBundle(inCheckout('dist/renderer'));
  expect(kilobytesOf(first)).toBeGreaterThan(200);
  expect(kilobytesOf(first)).toBeLessThan(690);
  // With the painter of small graphs, which is loaded where there is one.
  expect(kilobytesOf(showing) - kilobytesOf(first)).toBeGreaterThan(20);
  expect(kilobytesOf(showing)).toBeLessThan(721);
});

/** The files of the Node side that are loaded with this one, at once, and it. */
function loadedWith(file: string, loaded = new Map<string, string>()): ReadonlyMap<string, string> {
  if (loaded.has(file)) return loaded;
  const code = readFileSync(inCheckout(`dist/electron/${file}`), 'utf8');
  loaded.set(file, code);
  for (const [, required] of code.matchAll(/^(?:const \w+ = )?require\("\.\/([^"]+)"\);$/gm)) {
    loadedWith(required, loaded);
  }
  return loaded;
}

test.each(['cli.cjs', 'log-worker.cjs'])('%s loads no packages before it begins', (file) => {
  const loaded = loadedWith(file);
  expect(loaded.size).toBeGreaterThan(2);
  const packages = [...loaded.values()].flatMap((code) => code.match(/^\/\/ node_modules\/.*/gm) ?? []);
  expect(packages).toEqual([]);
});

test('the web server, whose packages are loaded with it, is loaded by what serves', () => {
  const serving = loadedWith('chunk-serving.cjs').get('chunk-serving.cjs');
  expect(serving).toContain('// node_modules/ws/');
});
