import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { LogEpoch } from '../../../../electron/worker/log-epoch.ts';
import { NOTHING_CHOSEN } from '../../../../shared/formats/choice.ts';
import { loadDecoders } from '../../../../shared/formats/load-decoders.ts';
import type { Epoch } from '../../../../shared/protocol/messages.ts';
import { logOf } from '../../../support/log-writer/write-log.ts';

await loadDecoders(undefined);

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

test('an archive is read as it grows, and says what it lacks when it has ended', async () => {
  const read = async (archive: Uint8Array, pieceBytes: number): Promise<LogEpoch> => {
    const epoch = new LogEpoch(0 as Epoch, undefined, NOTHING_CHOSEN);
    let loadings = 0;
    for (let at = 0; at < archive.length;) {
      epoch.append(archive.subarray(at, at + pieceBytes), at);
      const isTaken = await epoch.unpacked(at + pieceBytes, () => new Uint8Array(0));
      if (!isTaken) loadings++;
      at = isTaken ? at + pieceBytes : 0;
      if (at < archive.length) expect(epoch.refusal).toBe(undefined);
    }
    expect(loadings).toBe(1);
    await epoch.end();
    return epoch;
  };
  const log = LOG.subarray(0, 300_000);
  const archive = zipSync({ 'README.md': Buffer.from('Hello.\n'), 'a.hpl': log });
  for (const pieceBytes of [archive.length, 10_000, 3]) {
    const epoch = await read(archive, pieceBytes);
    expect([epoch.unpackedBytes, epoch.damage, epoch.refusal]).toEqual([log.length, undefined, undefined]);
    expect(epoch.reader.format?.id).toBe('honest-log');
  }
  const cut = await read(archive.subarray(0, archive.length >> 1), 10_000);
  expect(cut.damage).toMatchObject({ what: 'zip archive', found: 'the end of the file' });
  const strange = zipSync({ 'README.md': Buffer.from('Hello.\n') });
  const epoch = await read(strange, strange.length);
  expect(epoch.refusal).toBe('This is a zip archive that holds no profile but README.md.');
});
