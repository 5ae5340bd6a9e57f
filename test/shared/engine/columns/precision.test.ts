import { expect, test } from 'vitest';
import { SAMPLES_ONLY } from '../../../../shared/profile/profile-units.ts';
import { precisionText } from '../../../../shared/engine/columns/precision.ts';

test('how exactly shares are known, which is better with more samples', () => {
  expect(precisionText(1553, SAMPLES_ONLY)).toBe(
    'With 1,553 samples, a share of 50 % is known to ±2.5 points, one of 1 % to ±0.5. Four times as many samples halve that.',
  );
  expect(precisionText(20, SAMPLES_ONLY)).toBe(
    'With 20 samples, a share of 50 % is known to ±20 points. Four times as many samples halve that.',
  );
  expect(precisionText(0, SAMPLES_ONLY)).toBeUndefined();
  const calls = { counted: { one: 'call', many: 'calls' }, value: undefined };
  expect(precisionText(1553, calls)).toBeUndefined();
});
