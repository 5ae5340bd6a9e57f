import { expect, test } from 'vitest';
import { NodeEstimate } from '../../../shared/aggregate/node-estimate.ts';

test('a log whose stacks repeat is not taken for more than it is', () => {
  const estimate = new NodeEstimate();
  let nodes = 0;
  for (let read = 1; read <= 3_000; read++) {
    nodes += 20_000 / read;
    estimate.note(read << 20, 3_000 * 2 ** 20, Math.round(nodes));
    expect(estimate.expected ?? 0).toBeLessThan(24e6);
  }
  expect(estimate.expected).toBeGreaterThan(100_000);
});
