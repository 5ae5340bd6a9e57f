import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { Mirror } from '../../../renderer/profile-worker/mirror.ts';
import type { MirrorEvent } from '../../../renderer/profile-worker/mirror-messages.ts';
import { readLocalFile } from '../../../renderer/profile-worker/read-local-file.ts';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';
import { logOf } from '../../support/log-writer/write-log.ts';

const PIECE = 1 << 18;

type Status = Extract<MirrorEvent, { type: 'status' }>['status'];

async function statusesOf(bytes: Uint8Array<ArrayBuffer>, mostNodes?: number): Promise<readonly Status[]> {
  const statuses: Status[] = [];
  const post = (event: MirrorEvent): void => {
    if (event.type === 'status') statuses.push(event.status);
  };
  // As a browser reads it: piece by piece.
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, at) =>
    bytes.subarray(at * PIECE, (at + 1) * PIECE),
  );
  await readLocalFile(
    new File(pieces, 'a.hpl'),
    NOTHING_CHOSEN,
    new Mirror(post),
    post,
    new AbortController().signal,
    mostNodes,
  );
  return statuses;
}

const hostile = new Uint8Array(logOf('hostile', 12_000_000));

test('a local file with more than a window holds is read up to there, and says so', async () => {
  const last = (await statusesOf(hostile, 300_000)).at(-1)!;
  expect(last.state).toBe('full');
  expect(last.nodes).toBeGreaterThanOrEqual(300_000);
  expect(last.nodes).toBeLessThan(400_000);
  const share = Math.round((100 * last.readBytes) / last.fileBytes);
  expect(last.detail).toContain(`Only the first ${share} % of this log are shown, of about `);
});

test('the same file in gzip stops there, too; below the bound it is read to its end', async () => {
  const packed = new Uint8Array(gzipSync(hostile, { level: 1 }));
  expect((await statusesOf(packed, 300_000)).at(-1)!.state).toBe('full');
  const { state, detail, readBytes } = (await statusesOf(packed)).at(-1)!;
  expect([state, detail, readBytes]).toEqual(['idle', undefined, packed.length]);
});

test('the same file in a zip archive, behind another; archives without a profile or cut say so', async () => {
  const readme = new TextEncoder().encode('Hello.\n');
  const packed = zipSync({ 'README.md': readme, 'a.hpl': [hostile, { level: 1 }] });
  const { state, detail, readBytes, nodes } = (await statusesOf(packed)).at(-1)!;
  expect([state, detail, readBytes]).toEqual(['idle', undefined, packed.length]);
  expect(nodes).toBe((await statusesOf(hostile)).at(-1)!.nodes);
  expect((await statusesOf(packed, 300_000)).at(-1)!.state).toBe('full');
  expect((await statusesOf(zipSync({ 'README.md': readme }))).at(-1)).toMatchObject({
    state: 'failed',
    detail: 'Not a supported profile: this is a ZIP archive without a profile.',
    problem: { reasons: [{ name: 'README.md' }] },
  });
  const cut = (await statusesOf(packed.slice(0, packed.length >> 1))).at(-1)!;
  expect([cut.state, cut.damage?.what, cut.damage?.found]).toEqual([
    'damaged',
    'zip archive',
    'the end of the file',
  ]);
  expect(cut.nodes).toBeGreaterThan(nodes / 3);
});
