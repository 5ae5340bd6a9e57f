import { type FactTable, factTable, MOST_THREAD_ROWS } from '../facts/format-facts.ts';
import { type InputProblem, type LogFacts, NO_LOG_FACTS } from '../facts/log-facts.ts';
import { type ErrorThreads, type Gaps, MOST_ERROR_THREADS, type TruncatedStacks } from '../facts/losses.ts';
import { MOST_MEASURED, thinned } from '../facts/measured-series.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import {
  type Choice,
  chosenText,
  MERGED_THREADS_CHOICE,
  type MergedThreads,
  sampleTypeChoice,
} from '../facts/choice.ts';

/** Merged logs have no more measured values, however many they are, because facts are sent several times a second. */
export const MOST_MERGED_MEASURED = 4 * MOST_MEASURED;

/** The known facts of one of the logs. */
export interface PartFacts {
  readonly name: string;
  readonly facts: LogFacts;
  /** In words; undefined for a file that is read once. */
  readonly state: string | undefined;
}

interface MergedFactsOptions {
  readonly threads: MergedThreads;
  /** See MergedSamples. */
  readonly timesAgree: boolean;
  /** As in LogFacts. */
  readonly spanNs: number | undefined;
  readonly lastTime: string | undefined;
}

/** The facts of several logs that are merged. */
export function mergedFacts(parts: readonly PartFacts[], options: MergedFactsOptions): LogFacts {
  const known = parts.filter(({ facts }) => facts.format !== undefined);
  const all = known.map(({ facts }) => facts);
  const formats = [...new Set(all.map(({ formatName }) => formatName))];
  const damaged = known.find(({ facts }) => facts.damage !== undefined);
  const hasSampleTimes = all.length > 0 && all.every((facts) => facts.hasSampleTimes);
  return {
    ...NO_LOG_FACTS,
    format: all.at(0)?.format,
    formatName: formats.length === 0 ? '' : `Merged: ${formats.join(', ')}`,
    notRecorded: [...new Set(all.flatMap(({ notRecorded }) => notRecorded))],
    units: all.at(0)?.units ?? NO_LOG_FACTS.units,
    choices: mergedChoices(
      // A log that is read again has no format yet, but what can be chosen of it.
      parts
        .filter(({ facts }) => facts.format !== undefined || facts.choices.length > 0)
        .map(({ facts }) => facts.choices),
      options.threads,
    ),
    skips: named(known, ({ skips }) => skips),
    notes: [...timeNotes(known, hasSampleTimes, options.timesAgree), ...sharedNotes(known)],
    javaVersion: commonOf(all.map(({ javaVersion }) => javaVersion)),
    tables: [logsTable(parts), ...threadTables(known, options.threads)],
    series: options.timesAgree
      ? thinned(
          known.flatMap(({ name, facts }) => facts.series.map((series) => ({ ...series, log: name }))),
          MOST_MERGED_MEASURED,
        )
      : [],
    damage: damaged?.facts.damage && {
      ...damaged.facts.damage,
      what: `${damaged.name}: ${damaged.facts.damage.what}`,
    },
    problem: problemOf(parts),
    ...sumsOf(all),
    errorSamples: errorSamples(all),
    errorThreads: errorThreads(known),
    truncated: truncated(all),
    losses: known.flatMap(({ name, facts }) =>
      facts.losses.map((loss) => ({ ...loss, amount: `${name}: ${loss.amount}` })),
    ),
    gaps: gaps(all),
    spanNs: options.spanNs,
    lastTime: options.lastTime,
    hasSampleTimes: hasSampleTimes && options.timesAgree,
    backwardSteps: all.some(({ backwardSteps }) => backwardSteps !== undefined)
      ? all.reduce((sum, { backwardSteps }) => sum + (backwardSteps ?? 0), 0)
      : undefined,
    deepestStack: all.reduce((deepest, facts) => Math.max(deepest, facts.deepestStack), 0),
  };
}

/** Facts of a merged log that are the sums of those of its parts. */
const ADDED = [
  'acceptedBytes',
  'skippedBytes',
  'pendingBytes',
  'samples',
  'threads',
  'methods',
  'unnamedMethods',
  'frames',
  'nodes',
] as const;

function sumsOf(all: readonly LogFacts[]): Record<(typeof ADDED)[number], number> {
  const sums = ADDED.map((key) => [key, all.reduce((sum, facts) => sum + facts[key], 0)]);
  return Object.fromEntries(sums) as Record<(typeof ADDED)[number], number>;
}

/** The common value of all; undefined where they differ. */
function commonOf(values: readonly (string | undefined)[]): string | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

/** Counts of different things cannot be added; nor is there a profile if no log can be shown. */
function problemOf(parts: readonly PartFacts[]): InputProblem | undefined {
  const known = parts.filter(({ facts }) => facts.format !== undefined);
  const other = known.find(({ facts }) => unitsText(facts.units) !== unitsText(known[0].facts.units));
  if (other !== undefined)
    return {
      text: `These logs cannot be merged: ${known[0].name} counts ${unitsText(known[0].facts.units)}, and ${other.name} ${unitsText(other.facts.units)}.`,
      advice: 'choose the same kind of samples in each log, and merge them again',
      reasons: [],
    };
  const problems = parts.flatMap(({ name, facts: { problem } }) =>
    problem === undefined ? [] : [{ name, problem }],
  );
  if (problems.length === 0 || problems.length < parts.length) return undefined;
  return {
    text: 'None of these logs can be shown.',
    advice: problems[0].problem.advice,
    reasons: problems.map(({ name, problem }) => ({ name, because: problem.text })),
  };
}

/** `samples and time in ns`. */
function unitsText({ counted, value }: ProfileUnits): string {
  return value === undefined
    ? `${counted.many} only`
    : `${counted.many} and ${value.name.toLowerCase()} in ${value.unit}`;
}

function timeNotes(parts: readonly PartFacts[], haveTimes: boolean, timesAgree: boolean): readonly string[] {
  if (haveTimes && timesAgree)
    return ['Times of samples are those of the clock of each machine: a clock that is wrong moves its log.'];
  const without = parts.filter(({ facts }) => !facts.hasSampleTimes).map(({ name }) => name);
  if (without.length > 0 && without.length < parts.length)
    return [`There are no time ranges, because ${without.join(', ')} does not say when samples were taken.`];
  return haveTimes
    ? ['There are no time ranges, because some logs have dates and others only times since they began.']
    : [];
}

/** Notes of all logs once, and those of single ones with their names. */
function sharedNotes(parts: readonly PartFacts[]): readonly string[] {
  const inAll = (note: string): boolean => parts.every(({ facts }) => facts.notes.includes(note));
  const shared = (parts.at(0)?.facts.notes ?? []).filter(inAll);
  return [...shared, ...named(parts, ({ notes }) => notes.filter((note) => !shared.includes(note)))];
}

function named(
  parts: readonly PartFacts[],
  textsOf: (facts: LogFacts) => readonly string[],
): readonly string[] {
  return parts.flatMap(({ name, facts }) => textsOf(facts).map((text) => `${name}: ${text}`));
}

function logsTable(parts: readonly PartFacts[]): FactTable {
  const hasStates = parts.some(({ state }) => state !== undefined);
  return factTable(
    'Logs',
    `Log | ${hasStates ? 'State | ' : ''}Samples:count | Threads:count | Bytes:bytes`,
    parts.map(({ name, state, facts: { samples, threads, acceptedBytes } }) => [
      name,
      ...(hasStates ? [state] : []),
      samples,
      threads,
      acceptedBytes,
    ]),
  );
}

/**
 * The tables of threads of all logs as one, with the columns of each: the list of threads has their groups and states. Names
 * of threads are those of the merged profile.
 */
function threadTables(parts: readonly PartFacts[], threads: MergedThreads): readonly FactTable[] {
  const tables = parts.flatMap(({ name, facts }) =>
    facts.tables.filter(({ title }) => title === THREADS_TITLE).map((table) => ({ name, table })),
  );
  if (tables.length === 0) return [];
  const columns = new Map(
    tables.flatMap(({ table }) => table.columns.map((column) => [column.name, column])),
  );
  const rows = tables.flatMap(({ name, table }) => {
    const places = [...columns.keys()].map((title) => table.columns.findIndex((each) => each.name === title));
    const threadAt = table.columns.findIndex((each) => each.name === THREAD_COLUMN);
    const named = (thread: string | number | undefined): string | number | undefined =>
      threads === 'together' || thread === undefined || thread === '' ? thread : `${name}: ${thread}`;
    return table.rows.map((row) => places.map((at) => (at === threadAt ? named(row[at]) : row[at])));
  });
  const joined = factTable(THREADS_TITLE, [...columns.values()], rows, MOST_THREAD_ROWS);
  const leftOut = tables.reduce((sum, { table }) => sum + table.leftOut, joined.leftOut);
  return [{ ...joined, leftOut }];
}

/** The names that decoders give to the table of threads and its column of names. */
const THREADS_TITLE = 'Threads';
const THREAD_COLUMN = 'Thread';

function errorSamples(all: readonly LogFacts[]): LogFacts['errorSamples'] {
  const sums: Record<string, number> = {};
  for (const facts of all)
    for (const [code, samples] of Object.entries(facts.errorSamples))
      sums[code] = (sums[code] ?? 0) + samples;
  return sums;
}

function errorThreads(parts: readonly PartFacts[]): ErrorThreads {
  const threads: Record<string, ErrorThreads[string]> = {};
  for (const { name, facts } of parts)
    for (const [code, of] of Object.entries(facts.errorThreads)) {
      const ofPart = of.map(({ thread, samples }) => ({
        thread: `${name}: ${thread === '' ? 'threads without a name' : thread}`,
        samples,
      }));
      threads[code] = [...(threads[code] ?? []), ...ofPart]
        .sort((a, b) => b.samples - a.samples)
        .slice(0, MOST_ERROR_THREADS);
    }
  return threads;
}

function truncated(all: readonly LogFacts[]): TruncatedStacks | undefined {
  const found = all.flatMap((facts) => facts.truncated ?? []);
  if (found.length === 0) return undefined;
  return {
    stacks: found.reduce((sum, { stacks }) => sum + stacks, 0),
    depth: Math.min(...found.map(({ depth }) => depth)),
  };
}

function gaps(all: readonly LogFacts[]): Gaps | undefined {
  const found = all.flatMap((facts) => facts.gaps ?? []);
  if (found.length === 0) return undefined;
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    totalNs: found.reduce((sum, { totalNs }) => sum + totalNs, 0),
    longestNs: Math.max(...found.map(({ longestNs }) => longestNs)),
    leastNs: Math.min(...found.map(({ leastNs }) => leastNs)),
  };
}

/** Stands for the sample types of logs that are read with different ones. */
const DIFFERENT = '';

/** Choices of merged logs, by those of each. */
function mergedChoices(logs: readonly (readonly Choice[])[], threads: MergedThreads): readonly Choice[] {
  return [threadsChoice(threads), ...commonSampleTypes(logs)];
}

function threadsChoice(chosen: MergedThreads): Choice {
  return {
    id: MERGED_THREADS_CHOICE,
    name: 'Threads',
    hint: 'By log: the name of the log is in front of the names of its threads. Together: threads of one name are one.',
    kind: 'one',
    options: [
      { value: 'groups', text: 'By log' },
      { value: 'together', text: 'Together' },
    ],
    chosen,
  };
}

/** Types that all logs have; none if one of them has no sample types. */
function commonSampleTypes(logs: readonly (readonly Choice[])[]): readonly Choice[] {
  const choices = logs.flatMap((ofLog) => sampleTypeChoice(ofLog) ?? []);
  const [first, ...others] = choices;
  if (choices.length < logs.length || choices.length === 0) return [];
  const options = first.options.flatMap((option) => {
    const alike = choices.flatMap(({ options: all }) => all.filter(({ value }) => value === option.value));
    if (alike.length < choices.length) return [];
    const count = alike.reduce((sum, each) => sum + (each.count ?? NaN), 0);
    return [{ ...option, ...(Number.isNaN(count) ? {} : { count }) }];
  });
  const chosen = chosenText(first);
  const areAlike = others.every((choice) => chosenText(choice) === chosen);
  return [
    {
      ...first,
      hint: `${first.hint} It is chosen for each of the logs, in their own tabs, too.`,
      options: areAlike ? options : [{ value: DIFFERENT, text: 'As chosen in each log' }, ...options],
      chosen: areAlike ? chosen : DIFFERENT,
    },
  ];
}
