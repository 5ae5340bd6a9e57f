import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FolderFiles } from '../../../electron/source/folder-files.ts';
import { randomPprof } from '../../support/made-pprof.ts';
import { otherReading, withLines } from '../../support/pprof-reading.ts';
import { foldedLines, stacksOf } from '../../support/profile-stacks.ts';
import { readStored } from '../../support/read-stored.ts';
import { runCli } from '../../support/run-cli.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { tarArchive } from '../../support/skywalking-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { WatchedLog } from '../../support/watched-log.ts';
import { writtenZip } from '../../support/zip-writer.ts';

const { seed, randomFor } = testSeed('folders');

/** All bytes of a folder, read in pieces of random sizes. */
function archiveOf(folder: string, random: SeededRandom): Uint8Array {
  const files = new FolderFiles();
  const file = files.open(folder);
  const { size } = files.fstat(file, folder);
  const bytes = new Uint8Array(size + 10).fill(0xee);
  for (let at = 0; at < size;) {
    const read = files.read(file, bytes, at, 1 + random.below(3000), at);
    expect(read).toBeGreaterThan(0);
    at += read;
  }
  expect(files.read(file, bytes, 0, 10, size)).toBe(0);
  files.close(file);
  expect(bytes.subarray(size)).toEqual(new Uint8Array(10).fill(0xee));
  return bytes.subarray(0, size);
}

test('a folder is a tar archive of the files in it, as tar says, whatever their names', () => {
  for (let scenario = 0; scenario < 8; scenario++) {
    const random = randomFor(scenario);
    const folder = temporaryFolder();
    const names = ['cpu.pb', 'heap 2', 'ü'.repeat(90), 'x'.repeat(200), 'a10', 'a9'].slice(
      0,
      2 + random.below(5),
    );
    for (const name of names)
      writeFileSync(join(folder, name), Buffer.alloc(random.below(2000), `${name}, `));
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'sub/not-read'), 'x');
    writeFileSync(join(folder, '.hidden'), 'x');
    symlinkSync('/dev/zero', join(folder, 'device'));
    const out = temporaryFolder();
    execFileSync('tar', ['-x', '-C', out], { input: archiveOf(folder, random) });
    expect(readdirSync(out).sort(), `SEED=${seed}`).toEqual([...names].sort());
    for (const name of names) expect(readFileSync(join(out, name))).toEqual(readFileSync(join(folder, name)));
  }
});

test('what a file loses while the folder is open is zeros, and the others stay where they are', () => {
  const folder = temporaryFolder();
  for (const name of ['a', 'b']) writeFileSync(join(folder, name), name.repeat(600));
  const files = new FolderFiles();
  const file = files.open(folder);
  truncateSync(join(folder, 'a'), 5);
  const bytes = new Uint8Array(files.fstat(file, folder).size);
  files.read(file, bytes, 0, bytes.length, 0);
  expect(Buffer.from(bytes.subarray(512, 520)).toString()).toBe('aaaaa\0\0\0');
  expect(Buffer.from(bytes.subarray(512 + 1024 + 512, 512 + 1024 + 512 + 4)).toString()).toBe('bbbb');
});

const CPU = [
  ['samples', 'count'],
  ['cpu', 'nanoseconds'],
] as const;
const HEAP = [
  ['alloc_objects', 'count'],
  ['alloc_space', 'bytes'],
  ['inuse_objects', 'count'],
  ['inuse_space', 'bytes'],
] as const;

/** Profiles of one program, as continuous profilers leave them: name of the file -> profile and its types. */
function program(
  random: SeededRandom,
): Map<string, { readonly bytes: Uint8Array; readonly types: typeof CPU | typeof HEAP }> {
  const second = 1_700_000_000_000_000_000n;
  return new Map(
    (['cpu.1.pb.gz', 'cpu.2.pb.gz', 'cpu.10.pb', 'heap.pb.gz'] as const).map((name, at) => {
      const types = name.startsWith('cpu') ? CPU : HEAP;
      return [name, { types, bytes: randomPprof(random, types, second + BigInt(at) * 1_000_000_000n) }];
    }),
  );
}

const stored = (name: string, bytes: Uint8Array): Uint8Array =>
  name.endsWith('.gz') ? gzipSync(bytes) : bytes;

/** What pprof-format reads of all files that have the type, added up. */
function expectedOf(files: ReturnType<typeof program>, type: string): string[] {
  const sums = new Map<string, bigint>();
  for (const { bytes, types } of files.values()) {
    const at = types.findIndex(([name]) => name === type);
    for (const line of at < 0 ? [] : otherReading(bytes, at)) {
      const [, stack, value] = /^(.*) (\d+)$/.exec(line)!;
      sums.set(stack, (sums.get(stack) ?? 0n) + BigInt(value));
    }
  }
  return Array.from(sums, ([stack, sum]) => `${stack} ${sum}`)
    .filter((line) => !line.endsWith(' 0'))
    .sort();
}

/** Threads are named by labels, and have no id. */
const withoutId = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/ tid=-?\d+\]/, ']')).sort();

test('pprof profiles of an archive are one: each sample type is the sum over the files that have it', async () => {
  for (let scenario = 0; scenario < 12; scenario++) {
    const files = program(randomFor(scenario));
    const entries = Array.from(files, ([name, { bytes }]) => ({ name, content: stored(name, bytes) }));
    const archives = [tarArchive(entries), gzipSync(tarArchive(entries)), writtenZip(entries)];
    for (const [type] of [...CPU, ...HEAP]) {
      const { reader, damage } = await readStored(archives[scenario % 3], {
        chosen: { 'sample-type': type },
        pieceBytes: 1 + randomFor(scenario).below(5000),
      });
      expect(damage).toBeUndefined();
      const weight = type === 'cpu' || type.endsWith('space') ? 'value' : 'count';
      const found = foldedLines(stacksOf(reader.aggregator.profile), withLines, weight);
      expect(withoutId(found.filter((line) => !line.endsWith(' 0'))), `${type} of SEED=${seed}`).toEqual(
        withoutId(expectedOf(files, type)),
      );
    }
  }
});

/** A folder with the profiles of a program, and a file that is none. */
function folderOf(files: ReturnType<typeof program>): string {
  const folder = temporaryFolder();
  for (const [name, { bytes }] of files) writeFileSync(join(folder, name), stored(name, bytes));
  writeFileSync(join(folder, 'notes.txt'), 'Dear diary, nothing today.\n');
  return folder;
}

test('the command line reads a folder of them, lists its sample types and says what was added up', async () => {
  // A random profile may have no samples: such a file is not read as one with the others.
  const hasSamples = ({ bytes }: { readonly bytes: Uint8Array }): boolean =>
    otherReading(bytes, 0).some((line) => !line.endsWith(' 0'));
  let scenario = 77;
  while (![...program(randomFor(scenario)).values()].every(hasSamples)) scenario++;
  const files = program(randomFor(scenario));
  const folder = folderOf(files);
  const { status, stdout, stderr } = await runCli(['summary', folder, '--json']);
  expect([status, stderr]).toEqual([0, '']);
  const summary = JSON.parse(stdout) as { format: string; notes: readonly string[]; samples: number };
  expect(summary.format).toBe('pprof');
  expect(summary.notes).toContain('The folder contains 4 profiles: they are read as one.');
  expect(summary.notes).toContain('3 of 4 files have samples of this type: they are added up.');
  const heap = await runCli([
    'export',
    folder,
    '--format',
    'collapsed',
    '--metric',
    'time',
    '--choose',
    'sample-type=inuse_space',
  ]);
  const sum = (lines: readonly string[]): number =>
    lines.reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
  expect(sum(heap.stdout.trimEnd().split('\n'))).toBe(sum(expectedOf(files, 'inuse_space')));
  const one = await runCli(['summary', folder, '--json', '--choose', 'entry=3']);
  expect(one.stdout).toContain('"cpu.10.pb"');
});

test('a folder opens in a window, and another sample type reads it again', async () => {
  const files = program(randomFor(78));
  const watched = new WatchedLog(folderOf(files));
  await watched.clock.pass(3_000);
  expect(watched.state).toBe('idle');
  const types = watched.status.choices.find(({ id }) => id === 'sample-type');
  expect(types?.kind === 'one' && types.options.map(({ value }) => value)).toEqual(
    [...CPU, ...HEAP].map(([name]) => name),
  );
  watched.session.receive({ type: 'choose', chosen: { 'sample-type': 'alloc_objects' } });
  await watched.clock.pass(3_000);
  const found = foldedLines(stacksOf(watched.copy.profile), withLines, 'count');
  expect(withoutId(found.filter((line) => !line.endsWith(' 0')))).toEqual(
    withoutId(expectedOf(files, 'alloc_objects')),
  );
});

test('a damaged file in a folder ends the reading there, and a folder without profiles is named as such', async () => {
  const files = program(randomFor(79));
  const folder = folderOf(files);
  const second = join(folder, 'cpu.2.pb.gz');
  truncateSync(second, readFileSync(second).length - 9);
  const { status, stdout, stderr } = await runCli(['summary', folder, '--json']);
  expect([status, stderr]).toEqual([
    3,
    expect.stringMatching(/file at byte \d+ .*: unexpected end of gzip data/),
  ]);
  expect((JSON.parse(stdout) as { samples: number }).samples).toBeGreaterThan(0);
  const none = temporaryFolder();
  writeFileSync(join(none, 'notes.txt'), 'Dear diary, nothing today.\n');
  expect((await runCli(['summary', none])).stderr).toContain(
    'not a supported profile: this is a folder without a profile;',
  );
  const empty = temporaryFolder();
  expect((await runCli(['summary', empty])).stderr).toBe(`${empty}: is a directory; name a file inside it\n`);
});

test('a gzip file that unpacks without end inside deflated data is refused', async () => {
  // Packed once more, it is a thousand times smaller again.
  const bomb = gzipSync(Buffer.alloc(64 << 20, 'main;a 1\n'));
  const { problem } = await readStored(writtenZip([{ name: 'a.collapsed.gz', content: bomb }]));
  expect(problem?.text).toContain('a.collapsed.gz cannot be unpacked (gzip data that are compressed again)');
});
