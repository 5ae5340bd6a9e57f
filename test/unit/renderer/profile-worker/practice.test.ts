import { setImmediate as breathe } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { practise } from '../../../../renderer/profile-worker/practice.ts';

test('shows all of what is made up, and ends between two deltas when a log has come', async () => {
  expect(await practise(breathe, () => true)).toBe(48);
  let turns = 0;
  expect(await practise(breathe, () => turns++ < 5)).toBe(5);
  expect(turns).toBe(6);
});
