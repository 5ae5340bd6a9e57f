import { type Zippable, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';
import { gzipSync } from 'node:zlib';
import { goldenLog } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';
import { cpuChunk } from '../../support/small-recordings.ts';

/** Reads an archive in pieces of a size; its samples, the choice of its entry, and the first note. */
async function read(entries: Zippable, chosen: Chosen = {}, pieceBytes = 1 << 20): Promise<unknown[]> {
  return readStored(zipSync(entries), chosen, pieceBytes);
}

async function inputOf(
  stored: Uint8Array,
  chosen: Chosen = {},
  pieceBytes = 1 << 20,
): Promise<ProfileReader> {
  const reader = new ProfileReader(new ProfileAggregator(), chosen, openGunzip);
  for (let at = 0; at < stored.length; at += pieceBytes) await reader.push(stored.slice(at, at + pieceBytes));
  await reader.end();
  return reader;
}

async function readStored(stored: Uint8Array, chosen: Chosen = {}, pieceBytes = 1 << 20): Promise<unknown[]> {
  const { samples, choices, notes, damage } = (await inputOf(stored, chosen, pieceBytes)).facts();
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
    'The archive contains 3 profiles: a.hpl is shown.',
  ]);
  expect((await read(entries, { entry: '2' }))[0]).toBe(2 * (first as number));
  expect((await read(entries, { entry: '3' }))[0]).toBe(4);
  expect((await read({ 'a.jfr': jfr, 'b.txt': collapsed(3), 'c.jfr': jfr })).slice(1)).toEqual([
    'all',
    ['2 of one format, as one profile', 'a.jfr', 'b.txt', 'c.jfr'],
    'The archive contains 3 profiles: a.jfr and 1 more of its format are read as one.',
  ]);
  // No other has the format of the first.
  expect((await read({ 'a.jfr': jfr, 'b.txt': collapsed(3) })).slice(1)).toEqual([
    '1',
    ['a.jfr', 'b.txt'],
    'The archive contains 2 profiles: a.jfr is shown.',
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

const dump = Buffer.from(
  'Full thread dump OpenJDK:\n\n"main" #1 prio=5 tid=0x1 nid=0x2 runnable\n\tat Shop.main(Shop.java:7)\n',
);

test.each<readonly [what: string, file: Uint8Array]>([
  ['that mentions a dump', Buffer.from('How to take one:\nFull thread dump\n')],
  ['that is damaged', Buffer.concat([log.subarray(0, 200), Buffer.alloc(50, 0xee)])],
  ['that only begins like a log', Uint8Array.of(4, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0x61)],
  ['of zeros', new Uint8Array(5_000)],
  [
    'with a recording without samples',
    Buffer.from(
      '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[]},"profiles":[]}',
    ),
  ],
])('a file %s is not shown before one that decodes', async (_, file) => {
  for (const pieceBytes of [1 << 20, 997, 1])
    expect(await read({ first: file, 'dump.txt': dump }, {}, pieceBytes)).toEqual([
      1,
      '2',
      ['first', 'dump.txt'],
      'The archive contains 2 profiles: dump.txt is shown.',
    ]);
  // It is the profile of an archive without a better one, and can be chosen.
  const alone = (await inputOf(zipSync({ 'README.md': readme, first: file }))).facts();
  const chosen = (await inputOf(zipSync({ first: file, 'dump.txt': dump }), { entry: '1' })).facts();
  const plain = (await inputOf(file)).facts();
  for (const facts of [alone, chosen])
    expect([facts.format, facts.samples, facts.damage, facts.problem]).toEqual([
      plain.format,
      plain.samples,
      plain.damage,
      plain.problem,
    ]);
});

test('of files that are all damaged, the one with samples is shown', async () => {
  const damage = Buffer.alloc(50, 0xee);
  const none = Buffer.concat([Uint8Array.of(4, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0x61), damage]);
  const some = Buffer.concat([log, damage]);
  const { samples, notes, damage: found } = (await inputOf(zipSync({ none, some, again: some }))).facts();
  expect(samples).toBeGreaterThan(0);
  expect([notes[0], found?.what]).toEqual([
    'The archive contains 3 profiles: some is shown.',
    expect.any(String),
  ]);
});

test('the damage of an entry that is shown because there is no other is that of the archive, too', async () => {
  const stored = zipSync({
    'a.hpl': [Buffer.concat([log.subarray(0, 200), Buffer.alloc(50, 0xee)]), { level: 0 }],
  });
  stored[100] ^= 1;
  expect((await inputOf(stored)).unpackDamage).toMatchObject({ found: 'data with another checksum' });
});

test('summary names the files of an archive', async () => {
  const stdin = zipSync({ 'a.hpl': log, 'b.txt': collapsed(3) });
  const { stdout } = await runCli(['summary', '-'], { stdin });
  expect(stdout).toContain('choose   entry=1  (File in the archive: 1 = a.hpl, 2 = b.txt)\n');
  expect(stdout).toContain('note     The archive contains 2 profiles: a.hpl is shown.\n');
});

/** A tar archive as GNU tar writes it: `old` without a magic number, a long name as an entry of its own. */
function tarOf(files: Readonly<Record<string, Uint8Array>>, isOld = false): Uint8Array {
  const block = (content: Uint8Array): Uint8Array => {
    const filled = new Uint8Array(Math.ceil(content.length / 512) * 512);
    filled.set(content);
    return filled;
  };
  const header = (name: string, size: number, type: string): Uint8Array => {
    const bytes = Buffer.alloc(512);
    bytes.write(name.slice(0, 100), 0);
    bytes.write('0000644\0' + '0000000\0'.repeat(2), 100);
    bytes.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0${' '.repeat(8)}${type}`, 124);
    if (!isOld) bytes.write('ustar  ', 257);
    const sum = bytes.reduce((all, byte) => all + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return bytes;
  };
  const parts = Object.entries(files).flatMap(([name, content]) => [
    ...(name.length > 100
      ? [header('././@LongLink', name.length + 1, 'L'), block(Buffer.from(`${name}\0`))]
      : []),
    header(name, content.length, name.endsWith('/') ? '5' : '0'),
    block(content),
  ]);
  return new Uint8Array(Buffer.concat([...parts, new Uint8Array(1024)]));
}

const LONG_NAME = `${'folder/'.repeat(20)}dump.txt`;

test('tar archives, compressed or not, are read like zip archives', async () => {
  const files = {
    'logs/': new Uint8Array(0),
    'logs/README.md': readme,
    [LONG_NAME]: dump,
    'b.jfr': jfr,
    'c.jfr': jfr,
  };
  const shown = [
    1,
    '1',
    [LONG_NAME, 'b.jfr', 'c.jfr'],
    `The archive contains 3 profiles: ${LONG_NAME} is shown.`,
  ];
  for (const stored of [tarOf(files), tarOf(files, true), gzipSync(tarOf(files))])
    for (const pieceBytes of [1 << 20, 997, 1])
      expect(await readStored(stored, {}, pieceBytes)).toEqual(shown);
  expect((await readStored(tarOf(files), { entry: '3' }))[0]).toBe(5);
  expect((await readStored(tarOf({ 'b.jfr': jfr, 'c.jfr': jfr })))[0]).toBe(10);
  expect((await readStored(gzipSync(tarOf({ empty: new Uint8Array(0), 'a.txt': collapsed(10) }))))[0]).toBe(
    11,
  );
});

test('a tar archive says what it lacks, and where it is cut', async () => {
  const problemOf = async (stored: Uint8Array): Promise<string | undefined> =>
    (await inputOf(stored)).problem?.text;
  expect(await problemOf(tarOf({ 'README.md': readme }))).toBe(
    'Not a supported profile: this is a tar archive without a profile.',
  );
  expect(await problemOf(gzipSync(tarOf({ 'logs/': new Uint8Array(0) })))).toBe(
    'Not a supported profile: this is a tar archive without files.',
  );
  const whole = tarOf({ 'a.txt': collapsed(10), 'b.md': Buffer.alloc(2_000, 0x61) });
  const { samples, damage } = (await inputOf(whole.subarray(0, 2_000))).facts();
  expect([samples, damage]).toEqual([
    11,
    {
      what: 'tar archive',
      record: 2,
      byteOffset: 2_000,
      found: 'the end of the file',
      expected: 'more of an entry',
    },
  ]);
});

test('a tar archive that grows is read on', async () => {
  const whole = tarOf({ 'a.txt': Buffer.from('a;b 1\n'.repeat(1_000)), 'b.txt': collapsed(10) });
  const reader = new ProfileReader(new ProfileAggregator(), {}, openGunzip);
  await reader.push(whole.subarray(0, 3_000));
  await reader.end();
  expect([reader.facts().samples, reader.damage?.found]).toEqual([414, 'the end of the file']);
  await reader.push(whole.subarray(3_000));
  await reader.end();
  expect([reader.facts().samples, reader.damage]).toEqual([1_011, undefined]);
});

test('one profile among other files needs no choice', async () => {
  expect(await read({ 'README.md': readme, 'a.txt': collapsed(10) })).toEqual([11, undefined, [], undefined]);
});
