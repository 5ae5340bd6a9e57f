/** DuckDB, embedded, over the files of a dataset. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { DuckDBConnection, DuckDBListVector, DuckDBValue, DuckDBVector } from '@duckdb/node-api';
import { type Cell, type FleetAnswer, type FleetEngine, FleetError } from './fleet-engine.ts';
import { PARTITIONS, TABLE_NAMES, type TableName } from './tables.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

type DuckDbModule = typeof import('@duckdb/node-api');

/** More is written to its temporary files, or refused. */
const MEMORY = '800MB';
/** The table of an answer that further queries ask. */
const KEPT = 'kept_answer';

/**
 * Opens a dataset. Queries can read its files and no other, and cannot write. Rejects with FleetError where DuckDB is not
 * installed, or files of the dataset cannot be read.
 */
export async function openDuckDb(dir: string): Promise<FleetEngine> {
  const { DuckDBInstance } = loadDuckDb();
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'false',
  });
  const connection = await instance.connect();
  const damage = async (error: unknown): Promise<never> => throwDamage(connection, resolve(dir), error);
  const engine: FleetEngine = {
    tables: { samples: 'samples', stacks: 'stacks', frames: 'frames' },
    inWord: 'IN',
    hour: "strftime(time, '%Y-%m-%d %H:00')",
    text,
    keep: async (sql) => {
      await run(connection, `CREATE OR REPLACE TEMP TABLE ${KEPT} AS ${sql}`).catch(damage);
      return KEPT;
    },
    query: async (sql) => answer(connection, sql, damage),
    interrupt: () => connection.interrupt(),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
  try {
    for (const table of TABLE_NAMES) await run(connection, viewOf(table, resolve(dir)));
    await run(connection, `SET allowed_directories = [${text(`${resolve(dir)}/`)}]`);
    await run(connection, 'SET enable_external_access = false');
    await run(connection, 'SET lock_configuration = true');
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

export function isDuckDbInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('@duckdb/node-api');
    return true;
  } catch {
    return false;
  }
}

/** `require`: Node looks for the exports of a CommonJS module that is imported, which takes 0.4 s here. */
function loadDuckDb(): DuckDbModule {
  try {
    return createRequire(import.meta.url)('@duckdb/node-api') as DuckDbModule;
  } catch {
    throw new FleetError(
      'datasets are read by DuckDB, which is not installed: npx -p leanscope -p @duckdb/node-api leanscope …, or npm install @duckdb/node-api beside leanscope',
    );
  }
}

/** The files of a table as a view; folders that name values are columns of the samples. */
function viewOf(table: TableName, dir: string): string {
  const columns = PARTITIONS.map((name) => `${name}: VARCHAR`).join(', ');
  const partitions = table === 'samples' ? `, hive_partitioning = true, hive_types = {${columns}}` : '';
  return `CREATE VIEW ${table} AS SELECT * FROM read_parquet(${filesOf(dir, table)}, union_by_name = true${partitions})`;
}

/** The pattern of the files of a table, as a text of SQL. */
function filesOf(dir: string, table: TableName): string {
  return text(join(dir, table, table === 'samples' ? '*/*/part-*.parquet' : 'part-*.parquet'));
}

/** A text of SQL, in which a backslash is a sign like any other. */
function text(content: string): string {
  return `'${content.replaceAll("'", "''")}'`;
}

async function run(connection: DuckDBConnection, sql: string): Promise<void> {
  await connection.run(sql).catch(rethrow);
}

async function answer(
  connection: DuckDBConnection,
  sql: string,
  damage: (error: unknown) => Promise<never>,
): Promise<FleetAnswer> {
  const result = await connection.stream(sql).catch(rethrow).catch(damage);
  async function* batches(): AsyncGenerator<readonly (readonly Cell[])[]> {
    for (;;) {
      const chunk = await result.fetchChunk().catch(rethrow).catch(damage);
      if (chunk === null || chunk.rowCount === 0) return;
      yield Array.from({ length: chunk.columnCount }, (_, at) => cellsOf(chunk.getColumnVector(at)));
    }
  }
  return { columns: result.columnNames(), batches: batches() };
}

/** The values of a column. Lists of integers are copied as bytes: an object for each of their numbers takes ten times as long. */
function cellsOf(vector: DuckDBVector): readonly Cell[] {
  if (!('getItemVector' in vector)) return vector.toArray().map(cellOf);
  const lists = vector as DuckDBListVector;
  return Array.from({ length: lists.itemCount }, (_, row) => {
    const list = lists.getItemVector(row);
    if (list === null) return null;
    return 'items' in list && list.items instanceof BigInt64Array ? list.items : list.toArray().map(cellOf);
  });
}

function cellOf(value: DuckDBValue): Cell {
  if (value === null || typeof value !== 'object') return value ?? null;
  if ('items' in value && Array.isArray(value.items)) return value.items.map(cellOf);
  // Times: whole ns, µs or seconds since 1970, which `toString` would print as a date.
  if ('nanos' in value && typeof value.nanos === 'bigint') return value.nanos;
  if ('micros' in value && typeof value.micros === 'bigint') return value.micros * 1000n;
  return String(value);
}

/** Errors of DuckDB that say nothing about what to do -> a phrase that does; `$1` is a file or a table. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [
    /^No files found that match the pattern ".*?(\w+)(?:[/\\]\*)*[/\\]part-\*\.parquet".*/,
    'no file of the table $1 is in the folder: the dataset is not complete, copy it again',
  ],
  [
    /^(?:No magic bytes found at end of file '(.+)'|File '(.+)' too small to be a Parquet file).*/,
    'the file $1$2 is cut, or no Parquet file: copy it again, or take it out of the folder',
  ],
  [/^.* [Ff]ile "(.+?)": (.*)/, 'the file $1 is damaged ($2): copy it again, or take it out of the folder'],
  [
    /^.*failed to (?:allocate|pin).*/,
    `needs more than ${MEMORY.replace('MB', ' MB')} of memory: ask for less with --where`,
  ],
  [/^Error in native callback/, 'the query is empty'],
];

/** DuckDB cannot read a page of a file, and does not say of which one. */
class DamagedFile extends FleetError {}

/** Rethrows an error; where a file is damaged, with its name, for which every file is read. */
async function throwDamage(connection: DuckDBConnection, dir: string, error: unknown): Promise<never> {
  if (!(error instanceof DamagedFile)) throw error;
  for (const table of TABLE_NAMES) {
    const files = await connection
      .runAndReadAll(`SELECT file FROM glob(${filesOf(dir, table)})`)
      .catch(rethrow);
    for (const [file] of files.getRows()) {
      const read = `SELECT max(hash(part)) FROM read_parquet(${text(String(file))}) AS part`;
      await run(connection, read).catch((found: unknown) => {
        if (!(found instanceof DamagedFile)) throw found;
        throw new FleetError(
          `the file ${String(file)} is damaged (${found.message}): copy it again, or take it out of the folder`,
        );
      });
    }
  }
  throw error;
}

/** Errors of DuckDB as the first line of their message, with the names that it proposes, and without the query below it. */
function rethrow(error: unknown): never {
  const [first, ...rest] = errorMessage(error).split('\n');
  const line = first.replace(/^(?:Failed to extract statements: )?(?:(?:[A-Z]\w* )+Error: )?/, '');
  for (const [pattern, phrase] of PHRASES)
    if (pattern.test(line)) throw new FleetError(line.replace(pattern, phrase));
  if (/^Invalid Error: |corrupted/.test(first)) throw new DamagedFile(line);
  const names = rest.find((each) => each.startsWith('Candidate bindings: '))?.match(/"[^"]+"/g) ?? [];
  throw new FleetError(
    names.length === 0 ? line : `${line.replace(/!$/, '')}; there are ${names.join(', ')}`,
  );
}
