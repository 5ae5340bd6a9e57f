import { expect, test } from 'vitest';
import { NodeOutlook } from '../../../../shared/aggregate/node-outlook.ts';

test('a log whose stacks repeat is not taken for more than it is', () => {
  const outlook = new NodeOutlook();
  let nodes = 0;
  for (let read = 1; read <= 3_000; read++) {
    nodes += 20_000 / read;
    outlook.note(read << 20, 3_000 * 2 ** 20, Math.round(nodes));
    expect(outlook.expected ?? 0).toBeLessThan(24e6);
  }
  expect(outlook.expected).toBeGreaterThan(100_000);
});
