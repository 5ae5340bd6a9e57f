/** A dataset or database as an input: the answer to a question about it, in a format that Leanscope reads. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { collectBytes } from '../../shared/export/export-input.ts';
import { exportPprof } from '../../shared/export/pprof.ts';
import { type Chosen, chosenSampleType } from '../../shared/facts/choice.ts';
import { TABLE_NAMES } from './tables.ts';
import { clickHouseAddress, type FleetEngine, FleetError } from './fleet-engine.ts';
import { FLEET_GROUPS, type FleetGroup, readFleet, readSql } from './fleet-profile.ts';

export { FLEET_GROUPS, FleetError };

/** How a fleet is asked. */
export interface FleetOptions {
  /** A condition of SQL about the columns of the samples. */
  readonly where: string | undefined;
  /** Each value of this column is a thread of the profile. */
  readonly per: FleetGroup;
  /** A query of SQL whose result is the profile, instead. */
  readonly sql: string | undefined;
  /** Which end of its stacks is first. */
  readonly order: 'leaf' | 'root';
}

const SCHEMES = ['clickhouse:', 'clickhouses:'];

/** Whether a path of a command line names a dataset or a database. */
export function isFleet(path: string): boolean {
  return isClickHouse(path) || isDataset(path);
}

function isClickHouse(path: string): boolean {
  return SCHEMES.some((scheme) => path.startsWith(`${scheme}//`));
}

/** Whether a path is a folder with those of the three tables. */
function isDataset(path: string): boolean {
  try {
    return TABLE_NAMES.every((name) => statSync(join(path, name)).isDirectory());
  } catch {
    return false;
  }
}

/** A name for people, without user and password. Throws FleetError. */
export function fleetName(path: string): string {
  if (!isClickHouse(path)) return path;
  const { protocol, host, pathname } = clickHouseAddress(path);
  return `${protocol}//${host}${pathname}`;
}

/** Asks, and returns the answer as a pprof file. Rejects with FleetError. */
export async function fleetBytes(
  path: string,
  options: FleetOptions,
  chosen: Chosen,
): Promise<Uint8Array<ArrayBuffer>> {
  const engine: FleetEngine = isClickHouse(path)
    ? (await import('./clickhouse.ts')).openClickHouse(path)
    : await (await import('./duckdb.ts')).openDuckDb(path);
  try {
    const aggregator = new ProfileAggregator();
    const type = chosenSampleType(chosen);
    const { where, per: group, sql, order } = options;
    if (sql !== undefined && where !== undefined)
      throw new FleetError('--sql is a whole query: put the condition of --where into it');
    const { units, span, notes } =
      sql === undefined
        ? await readFleet(engine, { where, group, type }, aggregator)
        : await readSql(engine, { sql, order }, aggregator);
    if (aggregator.isFull)
      throw new FleetError('has more stacks than fit into memory: ask for less with --where');
    return collectBytes((sink) => exportPprof(aggregator.profile, { units, span, comments: notes }, sink));
  } finally {
    await engine.close();
  }
}
