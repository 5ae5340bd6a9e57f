import { type Zippable, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { openGunzip } from '../../../../electron/source/open-gunzip.ts';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import type { Chosen } from '../../../../shared/facts/choice.ts';
import { ProfileInput } from '../../../../shared/input/profile-input.ts';
import { ProfileReader } from '../../../../shared/input/profile-reader.ts';
import { goldenLog } from '../../../support/read-log.ts';
import { runCli } from '../../../support/run-cli.ts';
import { cpuChunk } from '../../../support/small-recordings.ts';

/** Reads an archive in pieces of a size; its samples, the choice of its entry, and the first note. */
async function read(entries: Zippable, chosen: Chosen = {}, pieceBytes = 1 << 20): Promise<unknown[]> {
  const stored = zipSync(entries);
  const input = new ProfileInput(new ProfileReader(new ProfileAggregator(), chosen), openGunzip);
  for (let at = 0; at < stored.length; at += pieceBytes) await input.push(stored.slice(at, at + pieceBytes));
  await input.end();
  const { samples, choices, notes, damage } = input.facts();
  expect(damage).toBe(undefined);
  const choice = choices.find(({ id }) => id === 'entry');
  const options = choice?.kind === 'one' ? choice.options.map(({ text }) => text) : [];
  return [samples, choice?.chosen, options, notes[0]];
}

const readme = Buffer.from('Hello.\n');
const jfr = cpuChunk();
const log = new Uint8Array(goldenLog('hello'));
const collapsed = (count: number): Uint8Array => Buffer.from(`a;b ${count}\na;c 1`);

test('several recordings are one profile of all, or the one that is chosen', async () => {
  const entries = { 'README.md': readme, 'a.jfr': jfr, 'b.jfr': jfr, 'c.jfr': jfr };
  const options = ['all, as one profile', 'a.jfr', 'b.jfr', 'c.jfr'];
  for (const pieceBytes of [1 << 20, 997, 1])
    expect(await read(entries, {}, pieceBytes)).toEqual([
      15,
      'all',
      options,
      'The archive contains 3 profiles: they are read as one.',
    ]);
  expect((await read(entries, { entry: '2' })).slice(0, 3)).toEqual([5, '2', options]);
});

test('stacks of further files begin on a new line', async () => {
  expect((await read({ 'a.txt': collapsed(10), 'b.txt': collapsed(20) }))[0]).toBe(32);
});

test('formats that cannot be joined: the first is shown, and another can be chosen', async () => {
  const other = Buffer.concat([log, log]);
  const entries = { 'a.hpl': log, 'b.hpl': other, 'c.txt': collapsed(3) };
  const [first, ...rest] = await read(entries);
  expect(rest).toEqual([
    '1',
    ['a.hpl', 'b.hpl', 'c.txt'],
    'The archive contains 3 profiles: the first is shown.',
  ]);
  expect((await read(entries, { entry: '2' }))[0]).toBe(2 * (first as number));
  expect((await read(entries, { entry: '3' }))[0]).toBe(4);
  expect((await read({ 'a.jfr': jfr, 'b.txt': collapsed(3), 'c.jfr': jfr })).slice(3)).toEqual([
    'The archive contains 3 profiles: 2 of one format are read as one.',
  ]);
});

test('the command line chooses an entry by --choose', async () => {
  const stdin = zipSync({ 'a.txt': collapsed(10), 'b.txt': collapsed(20) });
  const { status, stdout } = await runCli(['export', '--format', 'collapsed', '--choose', 'entry=2', '-'], {
    stdin,
  });
  expect([status, stdout]).toEqual([0, expect.stringContaining('a;b 20')]);
  const none = await runCli(['summary', '--choose', 'entry=7', '-'], { stdin });
  expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('entry')]);
});

test('one profile among other files needs no choice', async () => {
  expect(await read({ 'README.md': readme, 'a.txt': collapsed(10) })).toEqual([11, undefined, [], undefined]);
});
