import { expect, test } from 'vitest';
import { LogEpoch } from '../../../../electron/worker/log-epoch.ts';
import { NOTHING_CHOSEN } from '../../../../shared/formats/choice.ts';
import type { Epoch } from '../../../../shared/protocol/messages.ts';
import { logOf } from '../../../support/log-writer/write-log.ts';

const LOG = logOf('hostile', 8_000_000);
const PIECE = 20_000;

/** Capacities of the node table while the log is read in pieces and `storedBytes` are known to be there. */
function capacities(storedBytes: (read: number) => number): readonly number[] {
  const epoch = new LogEpoch(0 as Epoch, undefined, NOTHING_CHOSEN);
  const { nodes } = epoch.aggregator.profile;
  const seen: number[] = [nodes.capacity];
  for (let at = 0; at < LOG.length; at += PIECE) {
    epoch.append(LOG.subarray(at, at + PIECE), at);
    const read = Math.min(at + PIECE, LOG.length);
    epoch.reserve(read, storedBytes(read));
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
