import { expect, test } from 'vitest';
import { FLUSHES_OF_AN_HOUR, grownMemory } from '../../../support/hour-of-recording.ts';

/** Measured: 0.7 and 36. A number for each sample would be 8. */
const BYTES_OF_A_SAMPLE = 4;

test('an hour of a recording: memory grows with call nodes, not with samples', () => {
  const grown = grownMemory(false);
  expect(grown.samples).toBeGreaterThan(400_000);
  expect(grown.nodes[1]).toBe(grown.nodes[0]);
  expect(grown.nodes[0]).toBeGreaterThan(100);
  expect(grown.bytes / grown.samples).toBeLessThan(BYTES_OF_A_SAMPLE);

  // What keeps something of each sample is seen.
  const withTimes = grownMemory(true, FLUSHES_OF_AN_HOUR / 2);
  expect(withTimes.bytes / withTimes.samples).toBeGreaterThan(BYTES_OF_A_SAMPLE);
});
