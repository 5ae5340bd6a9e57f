import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fleetBytes } from '../../../electron/fleet/fleet-source.ts';
import { openDuckDb } from '../../../electron/fleet/duckdb.ts';
import type { FleetEngine } from '../../../electron/fleet/fleet-engine.ts';
import type { FleetGroup } from '../../../electron/fleet/fleet-address.ts';
import { readFleet, rowsOf } from '../../../electron/fleet/fleet-profile.ts';
import { parquetOf } from '../../../electron/fleet/write-dataset.ts';
import { LEANSCOPE_PAGE } from '../../../shared/formats/leanscope-page/format.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { poolOf } from '../../../shared/text/thread-pools.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import {
  addToDataset,
  type FleetSample,
  frameText,
  madeSamples,
  profileOf,
} from '../../support/made-fleet.ts';
import { decodeInput, type ReadInput } from '../../support/read-input.ts';
import { stacksOf } from '../../support/profile-stacks.ts';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testSize } from '../../support/test-size.ts';

const { randomFor } = testSeed('fleet');
const MINUTE_NS = 60_000_000_000n;
const ASKED = { where: undefined, per: 'thread', sql: undefined, order: 'leaf' } as const;
/** The answer of a dataset, as the window reads it. */
async function answerOf(dir: string): Promise<ReadInput> {
  const { bytes } = await fleetBytes(dir, ASKED, {}, true);
  return decodeInput(LEANSCOPE_PAGE, bytes, {}, undefined, true);
}

const LOG = 'assets/shop.hpl.gz';

/** `pool|frame;frame` -> samples and ns, as the engine answers. */
async function askedSums(
  engine: FleetEngine,
  where: string | undefined,
  group: FleetGroup,
): Promise<Record<string, readonly [number, bigint]>> {
  const aggregator = new ProfileAggregator();
  await readFleet(engine, { where, group, type: undefined }, aggregator);
  return Object.fromEntries(
    stacksOf(aggregator.profile).map(({ thread, frames, count, value }) => {
      const texts = frames.map(({ className, methodName, line }) => `${className}.${methodName}:${line}`);
      return [`${thread ?? ''}|${texts.join(';')}`, [count, value] as const];
    }),
  );
}

/** The sums that the samples have, counted one by one. */
function countedSums(
  samples: readonly FleetSample[],
  groupOf: (sample: FleetSample) => string,
): Record<string, readonly [number, bigint]> {
  const sums: Record<string, readonly [number, bigint]> = {};
  for (const sample of samples) {
    const key = `${groupOf(sample)}|${sample.stack.toReversed().map(frameText).join(';')}`;
    const [count, ns] = sums[key] ?? [0, 0n];
    sums[key] = [count + 1, ns + BigInt(sample.ns)];
  }
  return sums;
}

test('random conditions on a fleet leave the samples that one by one fulfil them', async () => {
  for (let scenario = 0; scenario < testSize(4, 40); scenario++) {
    const random = randomFor(scenario);
    const dir = temporaryFolder();
    const all: FleetSample[] = [];
    const everyNs = random.pick([undefined, MINUTE_NS]);
    for (const service of ['shop', "o'brien & co"]) {
      for (const host of ['web1', 'web2', 'db/1']) {
        const samples = madeSamples(random, service, host, 1 + random.below(120));
        all.push(...samples);
        addToDataset(dir, samples, everyNs);
      }
    }
    const engine = await openDuckDb(dir);
    const minutes = (time: bigint): bigint => time - (time % MINUTE_NS);
    const cut = minutes(random.pick(all).time);
    const cutText = new Date(Number(cut / 1_000_000n)).toISOString().slice(0, 19);
    const conditions: readonly (readonly [string, (sample: FleetSample) => boolean])[] = [
      ["service = 'shop'", ({ service }) => service === 'shop'],
      [
        "service <> 'shop' AND host LIKE 'web%'",
        ({ service, host }) => service !== 'shop' && host.startsWith('web'),
      ],
      ["host IN ('web2', 'db/1')", ({ host }) => host !== 'web1'],
      [
        "pool = 'http-*' OR host = 'web1'",
        ({ thread, host }) => thread.startsWith('http') || host === 'web1',
      ],
      ...(everyNs === undefined
        ? []
        : [[`time >= TIMESTAMP '${cutText}'`, ({ time }: FleetSample) => time >= cut] as const]),
    ];
    const groups: readonly (readonly [FleetGroup, (sample: FleetSample) => string])[] = [
      ['host', ({ host }) => host],
      ['service', ({ service }) => service],
      ['pool', ({ thread }) => poolOf(thread)],
    ];
    for (const [where, fulfils] of conditions) {
      const left = all.filter(fulfils);
      if (left.length === 0) continue;
      const [group, groupOf] = random.pick(groups);
      expect(await askedSums(engine, where, group), `${where} by ${group}`).toEqual(
        countedSums(left, groupOf),
      );
    }
    await engine.close();
  }
});

test('a dataset has the sums of the files that were added, from the command line on', async () => {
  const dir = join(temporaryFolder(), 'fleet');
  await cliOutput('export', LOG, '--format', 'dataset', '-o', dir, '--label', 'service=shop');
  const keys = ['--format', 'flat'];
  const columns = (text: string): string[] => text.trimEnd().split('\n').sort();
  expect(columns(await cliOutput('export', dir, ...keys))).toEqual(
    columns(await cliOutput('export', LOG, ...keys)),
  );
  expect(await cliOutput('summary', dir)).toMatch(/^format +dataset$/m);
  expect((await runCli(['timeline', dir])).stderr).toContain('when each sample was taken (dataset)');
  await cliOutput(
    'export',
    LOG,
    '--format',
    'dataset',
    '-o',
    dir,
    '--label',
    'service=twice',
    '--every',
    '1s',
  );
  for (const where of ["service = 'shop'", "service = 'twice'"])
    expect(columns(await cliOutput('export', dir, ...keys, '--where', where)), where).toEqual(
      columns(await cliOutput('export', LOG, ...keys)),
    );
});

test('a dataset of several files has the numbers of these files, merged', async () => {
  const dir = join(temporaryFolder(), 'fleet');
  const files = [LOG, 'test/golden/hpl/control-a.hpl.gz'];
  for (const file of files) await cliOutput('export', file, '--format', 'dataset', '-o', dir);
  const lines = (text: string): string[] => text.trimEnd().split('\n').sort();
  for (const options of [
    ['--format', 'flat'],
    ['--format', 'flat', '--frames', 'bci'],
    ['--format', 'tree', '--threads', 'pool'],
    ['--format', 'tree', '--threads', 'all', '--collapse', 'java.'],
  ])
    expect(lines(await cliOutput('export', dir, '--per', 'thread', ...options)), options.join(' ')).toEqual(
      lines(await cliOutput('export', ...files, '--merge-files', 'together', ...options)),
    );
});

test('an answer keeps lines and BCIs, and the sum of each', async () => {
  const dir = temporaryFolder();
  const samples = madeSamples(randomFor(5), 'shop', 'web1', 200);
  addToDataset(dir, samples, undefined);
  const { profile } = await answerOf(dir);
  const sums = (of: LeanProfile): string[] =>
    stacksOf(of)
      .map(({ thread, frames, count, value }) => JSON.stringify([thread, frames, count, String(value)]))
      .sort();
  expect(sums(profile)).toEqual(sums(profileOf(samples).profile));
});

test('any query of SQL with stacks and numbers is a profile', async () => {
  const dir = temporaryFolder();
  addToDataset(dir, madeSamples(randomFor(1), 'shop', 'web1', 10), undefined);
  const text = await cliOutput(
    'export',
    dir,
    ...[
      '--sql',
      "SELECT 'a.A.leaf;b.B.main' AS stack, 7 AS samples, 'web' AS thread UNION ALL SELECT 'c.C.run', 2, 'gc'",
    ],
    ...['--format', 'collapsed', '--threads', 'name'],
  );
  expect(text.trimEnd().split('\n').sort()).toEqual([
    '[gc tid=2];c.C.run 2',
    '[web tid=1];b.B.main;a.A.leaf 7',
  ]);
  const lists = await cliOutput(
    'export',
    dir,
    ...[
      '--sql',
      "SELECT ['b.B.main', 'a.A.leaf'] AS stack, 3 AS value",
      '--order',
      'root',
      '--format',
      'collapsed',
    ],
  );
  expect(lists).toBe('b.B.main;a.A.leaf 3\n');
});

/** The message about a dataset that cannot be asked. */
async function problemOf(dir: string, ...options: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runCli(['top', dir, ...options]);
  expect([status, stdout]).toEqual([1, '']);
  return stderr.replaceAll(dir, 'DIR');
}

test('SQL that is wrong, that finds nothing, or that has no stack is refused in a sentence', async () => {
  const dir = temporaryFolder();
  addToDataset(dir, madeSamples(randomFor(2), 'shop', 'web1', 10), undefined);
  expect(await problemOf(dir, '--where', 'servce = 1')).toMatch(
    /^DIR: .*"servce" not found in FROM clause; there are "service", .*\n$/,
  );
  expect(await problemOf(dir, '--where', '1 = 1) or (1 = 1')).toBe(
    'DIR: the brackets of the condition 1 = 1) or (1 = 1 are not closed\n',
  );
  expect((await runCli(['top', dir, '--where', "host <> ')' -- a comment"])).status).toBe(0);
  expect(await problemOf(dir, '--where', "service = 'shop")).toMatch(
    /^DIR: .*unterminated quoted string.*\n$/,
  );
  expect(await problemOf(dir, '--where', "service = 'x'")).toBe(
    "DIR: no sample fulfils the condition service = 'x'\n",
  );
  expect(await problemOf(dir, '--choose', 'sample-type=alloc')).toBe(
    "DIR: has no samples of the type 'alloc'; there are cpu\n",
  );
  expect((await runCli(['top', dir, '--choose', 'sample-type=cpu'])).status).toBe(0);
  for (const [sql, problem] of [
    ['', 'the query is empty'],
    ['selekt', 'syntax error at or near "selekt"'],
    ["SELECT 'a' AS stack, 1 AS samples WHERE false", 'the query answers with no samples'],
    ['SELECT null AS stack, 3 AS samples', 'the query answers with 1 row, all without a stack'],
    [
      "SELECT 'a' AS stack, null AS samples",
      'a row has the number null: samples and values are numbers, and not negative',
    ],
    [
      "SELECT string_agg(range::text, ';') AS stack, 1 AS samples FROM range(300000000)",
      'needs more than 800 MB of memory: ask for less with --where',
    ],
  ])
    expect(await problemOf(dir, '--sql', sql)).toBe(`DIR: ${problem}\n`);
  expect(await problemOf(dir, '--sql', 'SELECT 1 AS one')).toBe(
    'DIR: the result has the columns one, and a profile needs stack (a list of texts, or one text with ; between frames), samples or value, and optionally time and thread\n',
  );
});

test('SQL that never ends is ended, and samples in another unit are named', async () => {
  const dir = temporaryFolder();
  addToDataset(dir, madeSamples(randomFor(7), 'shop', 'web1', 10), undefined);
  for (const sql of [
    "SELECT 'a' AS stack, count(*) AS samples FROM range(10000000000000)",
    "WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT 1 FROM t) SELECT 'a' AS stack, i AS samples FROM t",
  ])
    await expect(fleetBytes(dir, { ...ASKED, sql }, {}, false, { longestMs: 200 }), sql).rejects.toThrow(
      'has not answered in 200 ms: ask for less with --where',
    );
  const [[samples]] = await rowsOfDataset(dir, 'SELECT count(*) FROM samples');
  expect(samples).toBeGreaterThan(0n);
  const [stack] = await firstStack(dir);
  const other = {
    time: [null],
    duration_ns: [null],
    host: ['web1'],
    instance: [''],
    version: [null],
    thread: ['main'],
    pool: ['main'],
    state: [null],
    type: ['cpu'],
    unit: ['bytes'],
    samples: [1n],
    weight: [5n],
    stack: [stack],
    trace_id: [null],
    span_id: [null],
    operation: [null],
  };
  const folder = join(dir, 'samples', 'service=shop', 'date=unknown');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'part-other.parquet'), parquetOf('samples', other));
  expect((await answerOf(dir)).decoder.facts().notes).toEqual([
    "1 samples of the type cpu in 'bytes' are not counted: ask for them by unit.",
  ]);
});

test('SQL reads no other file, and writes none', async () => {
  const dir = temporaryFolder();
  addToDataset(dir, madeSamples(randomFor(3), 'shop', 'web1', 10), undefined);
  const outside = join(temporaryFolder(), 'secret.csv');
  writeFileSync(outside, 'stack,samples\nsecret,1\n');
  for (const sql of [
    `SELECT * FROM read_csv('${outside}')`,
    `SELECT * FROM '${outside}'`,
    `COPY (SELECT 1) TO '${outside}.copy'`,
    'SET enable_external_access = true',
    'INSTALL httpfs',
  ]) {
    const problem = await problemOf(dir, '--sql', sql);
    expect(problem, sql).toMatch(
      /disabled by configuration|locked|Cannot access|needs stack|no extension|not allowed/i,
    );
  }
  expect(existsSync(`${outside}.copy`)).toBe(false);
});

test('files that are missing, cut or foreign, and hashes that collide, are said, and nothing is counted', async () => {
  const broken = (): { readonly dir: string; readonly file: (table: string) => string } => {
    const dir = temporaryFolder();
    addToDataset(dir, madeSamples(randomFor(4), 'shop', 'web1', 40), undefined);
    return { dir, file: (table) => join(dir, table, readdirSync(join(dir, table))[0]) };
  };
  const noFrames = broken();
  rmSync(noFrames.file('frames'));
  expect(await problemOf(noFrames.dir)).toBe(
    'DIR: no file of the table frames is in the folder: the dataset is not complete, copy it again\n',
  );
  const otherFrames = broken();
  writeFileSync(otherFrames.file('frames'), oneFrame(1n));
  expect(await problemOf(otherFrames.dir)).toMatch(
    /^DIR: the stack -?\d+ names the frame -?\d+, which no file of frames has: .*\n$/,
  );
  const otherStacks = broken();
  writeFileSync(
    otherStacks.file('stacks'),
    parquetOf('stacks', { stack: [1n], frames: [[1n]], truncated: [false] }),
  );
  expect(await problemOf(otherStacks.dir)).toMatch(
    /^DIR: samples name the stack -?\d+, which no file of stacks has: .*\n$/,
  );
  const sameFrame = broken();
  const [frame] = await frameIds(sameFrame.dir);
  writeFileSync(join(sameFrame.dir, 'frames', 'part-other.parquet'), oneFrame(frame));
  expect(await problemOf(sameFrame.dir)).toBe(
    `DIR: two different frames have the id ${frame}: their hashes collide, or one file is foreign\n`,
  );
  const cut = broken();
  truncateSync(cut.file('stacks'), 100);
  expect(await problemOf(cut.dir)).toMatch(/^DIR: .*stacks\/part-.*\n$/);
  const foreign = broken();
  writeFileSync(foreign.file('stacks'), readFileSync(foreign.file('frames')));
  expect(await problemOf(foreign.dir)).toMatch(/^DIR: .*\n$/);
  const colliding = broken();
  const [stack] = await firstStack(colliding.dir);
  const frames = await frameIds(colliding.dir);
  writeFileSync(
    join(colliding.dir, 'stacks', 'part-other.parquet'),
    parquetOf('stacks', { stack: [stack], frames: [[...frames, ...frames, ...frames]], truncated: [false] }),
  );
  expect(await problemOf(colliding.dir)).toBe(
    `DIR: two different stacks have the id ${stack}: their hashes collide, or one file is foreign\n`,
  );
});

async function rowsOfDataset(dir: string, sql: string) {
  const engine = await openDuckDb(dir);
  const rows = await rowsOf(engine, sql);
  await engine.close();
  return rows;
}

async function firstStack(dir: string): Promise<readonly bigint[]> {
  return column(dir, 'SELECT stack FROM samples LIMIT 1');
}

/** A file of frames that has one, `a.b`, with this id. */
function oneFrame(id: bigint): Uint8Array {
  return parquetOf('frames', {
    frame: [id],
    class: ['a'],
    method: ['b'],
    descriptor: [null],
    file: [null],
    line: [null],
    bci: [null],
    kind: [null],
  });
}

async function frameIds(dir: string): Promise<readonly bigint[]> {
  return column(dir, 'SELECT frame FROM frames');
}

async function column(dir: string, sql: string): Promise<readonly bigint[]> {
  const engine = await openDuckDb(dir);
  const found: bigint[] = [];
  for await (const [values] of (await engine.query(sql)).batches) found.push(...(values as bigint[]));
  await engine.close();
  return found;
}

test('what cannot be written into a dataset, and what is no dataset, is refused before anything is read', async () => {
  const refused = async (...argv: readonly string[]): Promise<string> => {
    const { status, stderr } = await runCli(argv);
    expect(status).toBe(2);
    return stderr;
  };
  const dataset = ['export', LOG, '--format', 'dataset'];
  expect(await refused(...dataset)).toContain('--format dataset needs -o DIR, a folder');
  const out = [...dataset, '-o', join(temporaryFolder(), 'fleet')];
  expect(await refused(...out, '--label', 'sevice=x')).toContain("did you mean 'service'");
  expect(await refused(...out, '--collapse', 'java.')).toContain('as they were recorded');
  expect(await refused('top', LOG, '--where', 'x')).toContain('asks a dataset or a database');
});
