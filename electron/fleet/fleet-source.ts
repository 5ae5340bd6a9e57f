/** A dataset or database as an input: the answer to a question about it, in a format that Leanscope reads. */
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { NO_LOG_FACTS } from '../../shared/facts/log-facts.ts';
import { packPage, pageFacts } from '../../shared/page/packed-page.ts';
import { PACKED_MAGIC } from '../../shared/page/page-ids.ts';
import {
  type Choice,
  type Chosen,
  chosenOption,
  chosenSampleType,
  PER_CHOICE,
  SAMPLE_TYPE_CHOICE,
} from '../../shared/facts/choice.ts';
import { UNBOUNDED } from '../../shared/engine/values/time-range.ts';
import { capitalised, formatSpan } from '../../shared/text/format-value.ts';
import {
  FLEET_GROUPS,
  type FleetGroup,
  type FleetOptions,
  fleetName,
  isClickHouse,
} from './fleet-address.ts';
import { type FleetEngine, FleetError } from './fleet-engine.ts';
import { type FleetRead, readFleet, readSql } from './fleet-profile.ts';

/** A question that takes longer never ends, or is asked again for less. */
const LONGEST_MS = 600_000;

/** Signals that end a command. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** An answer: packed profiles, and what could be asked instead. */
export interface FleetBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly choices: readonly Choice[];
}

/**
 * Asks. `withTimes`: the answer has the times of samples, where the fleet has them. Choices come before options. `stop`: the
 * answer is no longer wanted. Rejects with FleetError.
 */
export async function fleetBytes(
  path: string,
  options: FleetOptions,
  chosen: Chosen,
  withTimes: boolean,
  { longestMs = LONGEST_MS, stop }: { readonly longestMs?: number; readonly stop?: AbortSignal } = {},
): Promise<FleetBytes> {
  const engine: FleetEngine = isClickHouse(path)
    ? (await import('./clickhouse.ts')).openClickHouse(path)
    : await (await import('./duckdb.ts')).openDuckDb(path);
  const limit = { isOver: false };
  const timer = setTimeout(() => {
    limit.isOver = true;
    engine.interrupt();
  }, longestMs);
  let signal: NodeJS.Signals | undefined;
  const onSignal = (caught: NodeJS.Signals): void => {
    signal = caught;
    engine.interrupt();
  };
  for (const each of SIGNALS) process.once(each, onSignal);
  stop?.addEventListener('abort', () => engine.interrupt(), { once: true });
  try {
    const aggregator = new ProfileAggregator({ samples: withTimes });
    const type = chosenSampleType(chosen);
    const { where, sql, order } = options;
    const group = chosenOption(chosen, PER_CHOICE, FLEET_GROUPS, options.per);
    if (sql !== undefined && where !== undefined)
      throw new FleetError('--sql is a whole query: put the condition of --where into it');
    const read =
      sql === undefined
        ? await readFleet(engine, { where, group, type }, aggregator)
        : await readSql(engine, { sql, order }, aggregator);
    if (aggregator.isFull)
      throw new FleetError('has more stacks than fit into memory: ask for less with --where');
    return { bytes: packed(path, read, aggregator), choices: choicesOf(read, group) };
  } catch (error) {
    if (limit.isOver)
      throw new FleetError(`has not answered in ${formatSpan(longestMs * 1e6)}: ask for less with --where`);
    throw error;
  } finally {
    clearTimeout(timer);
    for (const each of SIGNALS) process.removeListener(each, onSignal);
    // It ends what the server still does. A second signal does not wait for that.
    await engine.close();
    if (signal !== undefined) process.kill(process.pid, signal);
  }
}

/** A query of one's own has no choices. */
function choicesOf({ types, type }: FleetRead, group: FleetGroup): readonly Choice[] {
  if (types.length === 0) return [];
  return [
    {
      id: SAMPLE_TYPE_CHOICE,
      name: 'Sample type',
      kind: 'one',
      chosen: type,
      hint: 'What is counted. The dataset is asked again.',
      options: types
        .filter((each, at) => types.findIndex(({ type: other }) => other === each.type) === at)
        .map(({ type: value, samples: count }) => ({
          value,
          text: TYPE_TEXTS[value] ?? capitalised(value),
          count,
        })),
    },
    {
      id: PER_CHOICE,
      name: 'Threads are',
      kind: 'one',
      chosen: group,
      hint: 'Each value of this column of the samples is a thread. The dataset is asked again.',
      options: FLEET_GROUPS.map((value) => ({ value, text: `${value}s` })),
    },
  ];
}

/** Sample types that formats have by these names. */
const TYPE_TEXTS: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  wall: 'Wall clock',
  alloc: 'Allocations',
  lock: 'Locks',
};

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
