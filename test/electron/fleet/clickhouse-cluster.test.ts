import { expect, vi } from 'vitest';
import { openDuckDb } from '../../../electron/fleet/duckdb.ts';
import { fleetBytes } from '../../../electron/fleet/fleet-source.ts';
import type { Cell, FleetEngine } from '../../../electron/fleet/fleet-engine.ts';
import { rowsOf } from '../../../electron/fleet/fleet-profile.ts';
import { type TableColumn, TABLES, type TableName } from '../../../electron/fleet/tables.ts';
import { noCluster, run, type Shard, startCluster } from '../../support/clickhouse-cluster.ts';
import { addToDataset, madeSamples } from '../../support/made-fleet.ts';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testUnless } from '../../support/test-unless.ts';

const { randomFor } = testSeed('clickhouse');
const PASSWORD = 'kept-out-of-sight';
const ENDLESS = { where: undefined, per: 'pool', order: 'leaf' } as const;
/** Types of ClickHouse 18, which has none for nanoseconds. */
const TYPES = {
  text: 'String',
  int64: 'Int64',
  int32: 'Int32',
  time: 'Int64',
  bool: 'UInt8',
  ids: 'Array(Int64)',
};

/** Creates the tables on both shards, and fills them through the first with what a dataset has. */
async function fill(shards: readonly [Shard, Shard], dataset: FleetEngine): Promise<void> {
  for (const table of Object.keys(TABLES) as TableName[]) {
    const partitions: readonly TableColumn[] = table === 'samples' ? [{ name: 'service', type: 'text' }] : [];
    const columns = [...TABLES[table], ...partitions];
    const defined = columns.map(({ name, type, isNullable }) =>
      isNullable === true && type !== 'ids' ? `${name} Nullable(${TYPES[type]})` : `${name} ${TYPES[type]}`,
    );
    const [{ name: key }] = columns.filter(({ type }) => type === 'int64').slice(-1);
    for (const shard of shards) {
      await run(
        shard,
        `CREATE TABLE ${table}_local (${defined.join(', ')}) ENGINE = MergeTree ORDER BY ${key}`,
      );
      await run(
        shard,
        `CREATE TABLE ${table} AS ${table}_local ENGINE = Distributed(pair, default, ${table}_local, rand())`,
      );
    }
    const asked = columns.map(({ name, type }) => (type === 'time' ? `epoch_ns(${name})` : name));
    const rows = await rowsOf(dataset, `SELECT ${asked.join(', ')} FROM ${table}`);
    const lines = rows.map((row) => row.map(cellText).join('\t'));
    await run(
      shards[0],
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) FORMAT TabSeparated`,
      `${lines.join('\n')}\n`,
    );
  }
  // A distributed table sends its rows to the shards by and by.
  const [[count]] = await rowsOf(dataset, 'SELECT count(*) FROM samples');
  await vi.waitFor(
    async () => expect(await run(shards[0], 'SELECT count() FROM samples')).toBe(`${String(count)}\n`),
    45_000,
  );
  await vi.waitFor(
    async () =>
      expect(await run(shards[0], 'SELECT count() FROM stacks')).toBe(
        `${String((await rowsOf(dataset, 'SELECT count(*) FROM stacks'))[0][0])}\n`,
      ),
    45_000,
  );
  await vi.waitFor(
    async () =>
      expect(await run(shards[0], 'SELECT count() FROM frames')).toBe(
        `${String((await rowsOf(dataset, 'SELECT count(*) FROM frames'))[0][0])}\n`,
      ),
    45_000,
  );
}

function cellText(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'object') return `[${cell.join(',')}]`;
  if (typeof cell === 'boolean') return cell ? '1' : '0';
  return (typeof cell === 'string' ? cell : cell.toString())
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n');
}

testUnless(noCluster())(
  'a cluster of two servers has the numbers of the dataset, and one that is killed while it is asked is said, and nothing is shown',
  async () => {
    const dir = temporaryFolder();
    for (const host of ['web1', 'web2', "o'brien"])
      addToDataset(dir, madeSamples(randomFor(1), 'shop', host, 300), 60_000_000_000n);
    const dataset = await openDuckDb(dir);
    const [first, second] = await startCluster(PASSWORD);
    await fill([first, second], dataset);
    await dataset.close();
    for (const shard of [first, second])
      expect(Number(await run(shard, 'SELECT count() FROM samples_local'))).toBeGreaterThan(0);
    vi.stubEnv('CLICKHOUSE_PASSWORD', PASSWORD);
    const address = `clickhouse://reader@127.0.0.1:${first.http}/default`;
    const lines = (text: string): string[] => text.trimEnd().split('\n').sort();
    for (const options of [
      [],
      ['--where', "host = 'web1'"],
      ['--where', "host <> 'web1' AND pool = 'http-*'", '--per', 'host'],
      ['--per', 'hour'],
    ]) {
      const tree = ['--format', 'tree', ...options];
      expect(lines(await cliOutput('export', address, ...tree)), options.join(' ')).toEqual(
        lines(await cliOutput('export', dir, ...tree)),
      );
    }
    // Whoever is asked no more ends the query, also in the name of a user who may change no setting.
    for (const user of ['reader', 'guest']) {
      const as = address.replace('reader', user);
      expect(lines(await cliOutput('export', as, '--format', 'tree')), user).toEqual(
        lines(await cliOutput('export', dir, '--format', 'tree')),
      );
      const endless = {
        ...ENDLESS,
        sql: `SELECT '${user}' AS stack, count() AS samples FROM system.numbers`,
      };
      const inServer = `SELECT count() FROM system.processes WHERE query LIKE '%''${user}'' AS stack%' AND query NOT LIKE '%processes%'`;
      const given = expect(fleetBytes(as, endless, {}, false, { longestMs: 1_500 })).rejects.toThrow(
        'has not answered',
      );
      await vi.waitFor(async () => expect(await run(first, inServer)).toBe('1\n'), 45_000);
      await given;
      await vi.waitFor(async () => expect(await run(first, inServer)).toBe('0\n'), 45_000);
    }
    await second.kill();
    const { status, stdout, stderr } = await runCli(['export', address, '--format', 'tree']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^clickhouse://127\\.0\\.0\\.1:${first.http}/default: .*\\n$`));
    expect(stderr).not.toContain(PASSWORD);
    await second.start();
    expect(lines(await cliOutput('export', address, '--format', 'tree'))).toEqual(
      lines(await cliOutput('export', dir, '--format', 'tree')),
    );
    const asked = runCli(['export', address, '--format', 'tree', '--where', 'sleep(3) = 0']);
    const others =
      "SELECT count() FROM system.processes WHERE query LIKE '%sleep(%' AND query NOT LIKE '%processes%'";
    await vi.waitFor(async () => expect(await run(second, others)).not.toBe('0\n'), 45_000);
    await second.kill();
    const broken = await asked;
    expect([broken.status, broken.stdout]).toEqual([1, '']);
    expect(broken.stderr).toMatch(/^clickhouse:\/\/127\.0\.0\.1:\d+\/default: .*\n$/);
  },
);
