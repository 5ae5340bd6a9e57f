import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { LogEpoch } from '../../../../electron/worker/log-epoch.ts';
import { NOTHING_CHOSEN } from '../../../../shared/formats/choice.ts';
import { loadDecoders } from '../../../../shared/formats/load-decoders.ts';
import type { Epoch } from '../../../../shared/protocol/messages.ts';
import { logOf } from '../../../support/log-writer/write-log.ts';

await loadDecoders(undefined);

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
  const log = logOf('hostile', 30_000);
  const archive = zipSync({ 'README.md': Buffer.from('Hello.\n'), 'a.hpl': log });
  for (const pieceBytes of [archive.length, 1_000, 3]) {
    const epoch = await read(archive, pieceBytes);
    expect([epoch.unpackedBytes, epoch.damage, epoch.refusal]).toEqual([log.length, undefined, undefined]);
    expect(epoch.reader.format?.id).toBe('honest-log');
  }
  const cut = await read(archive.subarray(0, archive.length >> 1), 1_000);
  expect(cut.damage).toMatchObject({ what: 'zip archive', found: 'the end of the file' });
  const strange = zipSync({ 'README.md': Buffer.from('Hello.\n') });
  const epoch = await read(strange, strange.length);
  expect(epoch.refusal).toBe('This is a zip archive that holds no profile but README.md.');
});
