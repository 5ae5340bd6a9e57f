/** A dataset or database as an input: the answer to a question about it, in a format that Leanscope reads. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { NO_LOG_FACTS } from '../../shared/facts/log-facts.ts';
import { packPage, pageFacts } from '../../shared/page/packed-page.ts';
import { PACKED_MAGIC } from '../../shared/page/page-ids.ts';
import { type Chosen, chosenSampleType } from '../../shared/facts/choice.ts';
import { UNBOUNDED } from '../../shared/engine/values/time-range.ts';
import { formatSpan } from '../../shared/text/format-value.ts';
import { TABLE_NAMES } from './tables.ts';
import { clickHouseAddress, type FleetEngine, FleetError } from './fleet-engine.ts';
import { FLEET_GROUPS, type FleetGroup, type FleetRead, readFleet, readSql } from './fleet-profile.ts';

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

/** A question that takes longer never ends, or is asked again for less. */
const LONGEST_MS = 600_000;

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

/**
 * Asks, and returns the answer as packed profiles. `withTimes`: with the times of samples, where the fleet has them. Rejects
 * with FleetError.
 */
export async function fleetBytes(
  path: string,
  options: FleetOptions,
  chosen: Chosen,
  withTimes: boolean,
  longestMs = LONGEST_MS,
): Promise<Uint8Array<ArrayBuffer>> {
  const engine: FleetEngine = isClickHouse(path)
    ? (await import('./clickhouse.ts')).openClickHouse(path)
    : await (await import('./duckdb.ts')).openDuckDb(path);
  const limit = { isOver: false };
  const timer = setTimeout(() => {
    limit.isOver = true;
    engine.interrupt();
  }, longestMs);
  try {
    const aggregator = new ProfileAggregator({ samples: withTimes });
    const type = chosenSampleType(chosen);
    const { where, per: group, sql, order } = options;
    if (sql !== undefined && where !== undefined)
      throw new FleetError('--sql is a whole query: put the condition of --where into it');
    const read =
      sql === undefined
        ? await readFleet(engine, { where, group, type }, aggregator)
        : await readSql(engine, { sql, order }, aggregator);
    if (aggregator.isFull)
      throw new FleetError('has more stacks than fit into memory: ask for less with --where');
    return packed(path, read, aggregator);
  } catch (error) {
    if (limit.isOver)
      throw new FleetError(`has not answered in ${formatSpan(longestMs * 1e6)}: ask for less with --where`);
    throw error;
  } finally {
    clearTimeout(timer);
    await engine.close();
  }
}

function packed(
  path: string,
  { units, span, notes }: FleetRead,
  { profile, deepestStack }: ProfileAggregator,
): Uint8Array<ArrayBuffer> {
  const { samples } = profile;
  const facts = {
    ...pageFacts(
      { ...NO_LOG_FACTS, formatName: 'dataset', units, notes, deepestStack },
      { hasTimes: (samples?.length ?? 0) > 0, isAnonymous: false, isWhole: true, bounds: UNBOUNDED },
    ),
    ...(span && { spanNs: Number(span.to - span.from), lastTime: span.to.toString() }),
  };
  const texts = { madeBy: '', about: '', note: '', view: '' };
  const bytes = packPage(texts, [{ name: fleetName(path), facts, profile }]);
  const file = new Uint8Array(PACKED_MAGIC.length + bytes.length);
  new TextEncoder().encodeInto(PACKED_MAGIC, file);
  file.set(bytes, PACKED_MAGIC.length);
  return file;
}
