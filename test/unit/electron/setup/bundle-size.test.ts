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
  expect(kilobytesOf(first)).toBeLessThan(830);
  // With the painter of small graphs and the parts of d3 that it is made of; it is loaded where there is such a graph.
  expect(kilobytesOf(showing) - kilobytesOf(first)).toBeGreaterThan(20);
  expect(kilobytesOf(showing)).toBeLessThan(900);
});

/** Packages that are loaded at once with a file of the Node side: those in it, and in all that it requires. */
function packagesLoadedWith(file: string, files = new Set<string>()): ReadonlySet<string> {
  files.add(file);
  const code = readFileSync(inCheckout(`dist/electron/${file}`), 'utf8');
  const packages = new Set(Array.from(code.matchAll(/^\/\/ node_modules\/([^/]+)/gm), ([, name]) => name));
  for (const [, required] of code.matchAll(/^(?:const \w+ = )?require\("\.\/([^"]+)"\);$/gm)) {
    if (!files.has(required)) for (const name of packagesLoadedWith(required, files)) packages.add(name);
  }
  return packages;
}

test.each(['cli.cjs', 'log-worker.cjs'])(
  '%s loads no packages before it begins; what serves does',
  (file) => {
    expect(packagesLoadedWith('chunk-serving.cjs')).toContain('ws');
    expect(packagesLoadedWith(file)).toEqual(new Set());
  },
);
