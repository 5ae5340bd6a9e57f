import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { LogEpoch } from '../../../electron/worker/log-epoch.ts';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';
import type { Epoch } from '../../../shared/protocol/messages.ts';
import { logOf } from '../../support/log-writer/write-log.ts';

const log = logOf('hostile', 30_000);

/** Appends the archive in pieces, as a tailer does. */
async function read(archive: Uint8Array, pieceBytes: number): Promise<LogEpoch> {
  const epoch = new LogEpoch(0 as Epoch, undefined, NOTHING_CHOSEN, (offset, length) =>
    archive.subarray(offset, offset + length),
  );
  for (let at = 0; at < archive.length; at += pieceBytes) {
    expect(epoch.problem).toBe(undefined);
    const piece = archive.subarray(at, at + pieceBytes);
    expect(await epoch.append(piece, at)).toBe(at + piece.length);
  }
  return epoch;
}

test('an archive is read as it grows, and says what it lacks when it has ended', async () => {
  const archive = zipSync({ 'README.md': Buffer.from('Hello.\n'), 'a.hpl': log });
  for (const pieceBytes of [archive.length, 1_000, 3]) {
    const input = await read(archive, pieceBytes);
    await input.end();
    expect([input.reader.bytes.accepted, input.damage, input.problem]).toEqual([
      log.length,
      undefined,
      undefined,
    ]);
    expect(input.reader.format?.id).toBe('honest-log');
  }
});

test('an archive that ended early and has grown is unpacked again', async () => {
  const archive = zipSync({ 'a.hpl': log });
  const half = archive.length >> 1;
  const epoch = await read(archive.subarray(0, half), 1_000);
  await epoch.end();
  expect(epoch.damage).toMatchObject({ what: 'zip archive', found: 'the end of the file' });
  expect(await epoch.append(archive.subarray(half), half)).toBe(archive.length);
  const { accepted, pending } = epoch.reader.bytes;
  expect([accepted + pending, epoch.damage]).toEqual([log.length, undefined]);
});
