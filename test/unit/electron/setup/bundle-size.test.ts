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
