import { expect, test } from 'vitest';
import { NodeReserve } from '../../../../shared/aggregate/node-reserve.ts';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../../../shared/formats/honest-log/decoder.ts';
import { logOf } from '../../../support/log-writer/write-log.ts';

const LOG = logOf('hostile', 8_000_000);
const PIECE = 20_000;

/** Capacities of the node table while the log is read in pieces and `fileBytes` are known to be there. */
function capacities(fileBytes: (read: number) => number, most?: number): readonly number[] {
  const aggregator = new ProfileAggregator();
  const reserve = new NodeReserve(aggregator, most);
  const decoder = new HonestLogDecoder(aggregator);
  const { nodes } = aggregator.profile;
  const seen: number[] = [nodes.capacity];
  for (let at = 0; at < LOG.length; at += PIECE) {
    decoder.append(LOG.subarray(at, at + PIECE));
    const read = Math.min(at + PIECE, LOG.length);
    reserve.note(read, fileBytes(read));
    if (seen.at(-1) !== nodes.capacity) seen.push(nodes.capacity);
  }
  return seen;
}

test('room for the whole file is made at once, when enough of it is read to tell', () => {
  const seen = capacities(() => LOG.length);
  expect(seen.at(-1)! / seen.at(-2)!).toBeGreaterThan(1.5);
  const grown = seen.filter((capacity) => capacity > 100_000);
  expect(grown.length).toBeLessThanOrEqual(5);
});

test('tables of a log that grows are not copied at every turn', () => {
  const steps = capacities((read) => read + 10).slice(1);
  expect(steps.length).toBeLessThan(25);
});

test('room is made for no more nodes than are wanted', () => {
  const huge = 1e12;
  expect(capacities(() => huge, 500_000)).toContain(500_000);
});
