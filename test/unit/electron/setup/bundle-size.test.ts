import { expect, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../../support/built-program.ts';
import { kilobytesOf, rendererBundle } from '../../../support/renderer-bundle.ts';

useBuiltProgram();

/** Minified, not compressed: the host is on this machine, and what costs is reading and compiling. */
test('what the window loads to show a profile stays small', () => {
  const { showing } = rendererBundle(inCheckout('dist/renderer'));
  expect(showing.some(({ path }) => path.includes('worker'))).toBe(true);
  const kilobytes = kilobytesOf(showing);
  expect(kilobytes).toBeGreaterThan(200);
  expect(kilobytes).toBeLessThan(430);
});
