/**
 * A dataset of 200 hosts in ten services during a week: a row for each minute, host and stack, so 24 million, and a tenth of
 * them. The time of the command includes its start.
 *
 * Goals are for two processors: a service's week 1.5 s, the whole fleet 3 s, and at most 1 GB. Ten times as many rows of the
 * same stacks may take four times as long.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { median } from '../median.ts';
import { alternate, leanscope, type Program, runTellingMemory } from '../processes.ts';
import type { BenchRow, Figure } from '../row.ts';

const ROWS = 24_000_000;
const TENTH = ROWS / 10;
const DAYS = 7;
const SERVICES = 10;
const MOST_GROWTH = 4;
const MOST_BYTES = 1e9;
const SERVICE = ['--where', "service = 'svc3'"] as const;

export const FLEET_ROWS: readonly BenchRow[] = [
  {
    id: 'fleet',
    what: 'dataset of 24 million rows, 60,000 stacks',
    short: true,
    measure: async ({ folder, short }) => {
      const [large, tenth] = [join(folder, 'fleet'), join(folder, 'fleet-tenth')];
      try {
        await writeFleet(large, short ? TENTH : ROWS);
        await writeFleet(tenth, (short ? TENTH : ROWS) / 10);
        return figuresOf(large, tenth);
      } finally {
        for (const dir of [large, tenth]) rmSync(dir, { recursive: true, force: true });
      }
    },
  },
];

function ask(dir: string, ...options: readonly string[]): Program {
  return leanscope('top', dir, '--limit', '10', ...options);
}

function figuresOf(large: string, small: string): Figure[] {
  const [service, whole, hosts, tenth] = alternate(5, [
    ask(large, ...SERVICE),
    ask(large),
    ask(large, ...SERVICE, '--per', 'host'),
    ask(small),
  ]);
  const { memory } = runTellingMemory(ask(large));
  return [
    { id: "a service's week", value: median(service), unit: 's', goal: 1.5, detail: { seconds: service } },
    { id: 'all by stack', value: median(whole), unit: 's', goal: 3, detail: { seconds: whole } },
    { id: "a service's week, by host", value: median(hosts), unit: 's', goal: undefined, detail: { hosts } },
    { id: 'memory', value: memory / 1e6, unit: 'MB', goal: MOST_BYTES / 1e6 },
    {
      id: 'from 2.4 to 24 million rows',
      value: median(whole) / median(tenth),
      unit: '×',
      goal: MOST_GROWTH,
      detail: { tenth },
    },
  ];
}

/** Stacks of 45 frames that share their callers, some more frequent than others; each service has its own. */
async function writeFleet(dir: string, rows: number): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' });
  const connection = await instance.connect();
  const write = async (folder: string, select: string): Promise<void> => {
    mkdirSync(join(dir, folder), { recursive: true });
    const path = join(dir, folder, 'part-made.parquet').replaceAll("'", "''");
    await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
  };
  await connection.run('SELECT setseed(0.5)');
  await write(
    'frames',
    "SELECT (hash(r) >> 1)::BIGINT AS frame, 'com.acme.p' || (r % 300) || '.Class' || (r % 2000) AS class, 'method' || r AS method, NULL::VARCHAR AS descriptor, 'Class.java' AS file, (r % 500)::INT AS line, NULL::INT AS bci, NULL::VARCHAR AS kind FROM range(20000) t(r)",
  );
  await write(
    'stacks',
    'SELECT (hash(s + 1000000) >> 1)::BIGINT AS stack, list_transform(range(45), k -> (hash(((s // (1 + k * k * k)) * 31 + k) % 20000) >> 1)::BIGINT) AS frames, false AS truncated FROM range(60000) t(s)',
  );
  const each = Math.round(rows / DAYS / SERVICES);
  for (let day = 1; day <= DAYS; day++) {
    const date = `2026-11-2${day}`;
    for (let service = 0; service < SERVICES; service++)
      await write(
        `samples/service=svc${service}/date=${date}`,
        `SELECT make_timestamp_ns((epoch_ns(TIMESTAMP '${date}') + (r * 86400 // ${each}) * 1000000000 // 60000000000 * 60000000000)::BIGINT) AS time, 60000000000::BIGINT AS duration_ns, 'host' || (${service} * 20 + r % 20) AS host, '' AS instance, 'http-*' AS thread, CASE WHEN r % 5 = 0 THEN 'main' ELSE 'http-*' END AS pool, NULL::VARCHAR AS state, 'cpu' AS type, 'ns' AS unit, (1 + r % 20)::BIGINT AS samples, (10000000 * (1 + r % 20))::BIGINT AS weight, (hash(floor(pow(random(), 3) * 6000)::BIGINT + ${service} * 6000 + 1000000) >> 1)::BIGINT AS stack, NULL::VARCHAR AS trace_id, NULL::VARCHAR AS span_id, NULL::VARCHAR AS operation FROM range(${each}) t(r)`,
      );
  }
  connection.closeSync();
  instance.closeSync();
}
