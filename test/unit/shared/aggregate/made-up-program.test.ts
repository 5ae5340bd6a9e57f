import { expect, test } from 'vitest';
import { MadeUpProgram } from '../../../../shared/aggregate/made-up-program.ts';
import type { LeanProfile } from '../../../../shared/profile/lean-profile.ts';
import { leanText } from '../../../support/mirrored-copy.ts';

function sampled(samples: number, deepest: number): LeanProfile {
  const program = new MadeUpProgram(deepest);
  for (let sample = 0; sample < samples; sample++) program.sample();
  return program.aggregator.profile;
}

test('is the same each time', () => {
  expect(leanText(sampled(50, 64))).toBe(leanText(sampled(50, 64)));
});

test('has what a log has and tables grow for', () => {
  const { frames, methods, threads, nodes } = sampled(500, 400);
  const names = threads.name.filter((name) => name !== undefined);
  expect(names.length).toBeGreaterThan(new Set(names).size);
  expect(names.length).toBeLessThan(threads.length);
  expect(methods.names.slice(0, methods.length)).toContain(undefined);
  expect(frames.line.subarray(0, frames.length)).toContain(-1);
  // More than a new profile and a new interner have room for.
  expect([frames.length > 2_048, threads.length > 16, methods.length > 256, nodes.length > 8_192]).toEqual(
    Array(4).fill(true),
  );
});

test('has no stack deeper than it was told', () => {
  const program = new MadeUpProgram(10);
  for (let sample = 0; sample < 200; sample++) program.sample();
  expect(program.aggregator.deepestStack).toBe(10);
});
