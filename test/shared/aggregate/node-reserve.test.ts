import { expect, test } from 'vitest';
import { NodeEstimate, NodeReserve } from '../../../shared/aggregate/node-reserve.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../../shared/formats/honest-log/decoder.ts';
import { logOf } from '../../support/log-writer/write-log.ts';

const LOG = logOf('hostile', 8_000_000);
const PIECE = 20_000;

/** Capacities of a table while the log is read in pieces and `fileBytes` are known to be there. */
function capacities(
  fileBytes: (read: number) => number,
  most?: number,
  of: 'nodes' | 'samples' = 'nodes',
): readonly number[] {
  const aggregator = new ProfileAggregator({ samples: true });
  const reserve = new NodeReserve(aggregator, most);
  const decoder = new HonestLogDecoder(aggregator);
  const { nodes, samples } = aggregator.profile;
  const capacity = (): number => (of === 'nodes' ? nodes.capacity : samples!.self.length);
  const seen = [capacity()];
  for (let at = 0; at < LOG.length; at += PIECE) {
    decoder.append(LOG.subarray(at, at + PIECE));
    const read = Math.min(at + PIECE, LOG.length);
    reserve.note(read, fileBytes(read));
    if (seen.at(-1) !== capacity()) seen.push(capacity());
  }
  return seen;
}

test('room for the whole file is made at once, when enough of it is read to tell', () => {
  const seen = capacities(() => LOG.length);
  expect(seen.at(-1)! / seen.at(-2)!).toBeGreaterThan(1.5);
  const grown = seen.filter((capacity) => capacity > 100_000);
  expect(grown.length).toBeLessThanOrEqual(5);
});

test('room for the samples of the whole file, too', () => {
  const seen = capacities(() => LOG.length, undefined, 'samples');
  const doubled = seen.slice(0, -1).every((capacity, at) => at === 0 || capacity === 2 * seen[at - 1]);
  expect([doubled, seen.at(-1) === 2 * seen.at(-2)!]).toEqual([true, false]);
});

test('tables of a log that grows are not copied at every turn', () => {
  const steps = capacities((read) => read + 10).slice(1);
  expect(steps.length).toBeLessThan(25);
});

test('room is made for no more nodes than are wanted', () => {
  const huge = 1e12;
  expect(capacities(() => huge, 500_000)).toContain(500_000);
});

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
