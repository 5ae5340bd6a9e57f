/** The commands `top`, `tree`, `method`, `timeline`, `spread`, `operations` and `findings`, which print for people where and when the samples are, and what is wrong. */
import { OPERATION } from '../../shared/scope/context-condition.ts';
import { assert } from '../../shared/assert.ts';
import type { Answer, AskedPart } from '../../shared/answers/answer.ts';
import { topAnswer, treeAnswer, UnknownMethod } from '../../shared/answers/hot.ts';
import { type FactTable, TIMED_METHODS } from '../../shared/facts/format-facts.ts';
import { formatQuantity, formatSpan } from '../../shared/text/format-value.ts';
import { printable } from '../../shared/text/printable.ts';
import { methodAnswer } from '../../shared/answers/method.ts';
import type { MethodData, SpreadData } from '../../shared/answers/schemas.ts';
import { spreadAnswer } from '../../shared/answers/spread.ts';
import { TooManyParts } from '../../shared/scope/parts-of-time.ts';
import { computingSamples, firstMetric } from '../../shared/facts/sample-kind.ts';
import { operationsAnswer } from '../../shared/answers/operations.ts';
import { attributeOf } from '../../shared/engine/trees/grouping.ts';
import { timelineAnswer } from '../../shared/answers/timeline.ts';
import { type FleetGroup, isFleet } from '../fleet/fleet-address.ts';
import {
  type AskedProfile,
  askProfile,
  tellLeftOut,
  questionOf,
  requireAttribute,
  requireContexts,
  requireThreadsBy,
  requireSamples,
} from './ask-profile.ts';
import {
  answerJson,
  type JsonCommand,
  CommandError,
  type CommandIo,
  type ExitStatus,
  inputName,
  writeMessage,
} from './io/command-io.ts';
import { UsageError } from './options/usage-error.ts';
import { COMMANDS } from './options/commands.ts';
import { type Arguments, readArguments } from './options/options.ts';
import { writeOutput } from './io/output.ts';
import { projectOf } from './project-of.ts';
import { SourceTexts } from './source-texts.ts';
import type { FindingLevel, FindingsAnswer, FindingsProject } from '../../shared/findings/finding.ts';
import { findingsOf, findingsText } from '../../shared/findings/find.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';

/** Prints the hottest methods, or what else is asked for. */
export async function topCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.top.options);
  const { group, by, limit, metric, filter } = args.values;
  const rows = { ...KEEP_ALL, contains: filter };
  const asked = await askProfile(questionOf('top', args), io);
  return print('top', asked, args, io, (part) => topAnswer(part, { group, by, limit, metric, filter: rows }));
}

/** Prints the heaviest part of a tree. */
export async function treeCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.tree.options);
  const { of, method, limit, threads = 'all', metric } = args.values;
  const needsMethod = of === 'callers' || of === 'callees';
  if (needsMethod !== (method !== undefined))
    throw new UsageError(
      needsMethod ? `--of ${of} needs --method KEY` : '--method is for --of callers and --of callees',
    );
  const asked = await askProfile(questionOf('tree', args, { attribute: attributeOf(threads) }), io);
  return print('tree', asked, args, io, (part) => treeAnswer(part, { of, method, limit, threads, metric }));
}

/** Prints what is known of one method. */
export async function methodCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.method.options);
  const method = args.files.at(0);
  const files = args.files.slice(1);
  if (method === undefined || files.length === 0)
    throw new UsageError(
      'method needs the key of a method and a FILE: method com.example.Shop.price app.jfr',
    );
  const { limit, source } = args.values;
  const folders = source.length > 0 ? source : projectOf(undefined).sources;
  const question = questionOf('method', { ...args, files });
  const asked = await askProfile({ ...question, wantsTimes: true }, io);
  const sources = folders.length === 0 ? undefined : new SourceTexts(folders);
  const { read } = asked;
  return print('method', asked, args, io, (part) =>
    withTimings(
      read.facts.tables,
      method,
      methodAnswer(part, partOf(asked.with({ kind: 'keep', key: method })), {
        method,
        limit,
        sourceOf: sources && ((...of) => sources.find(...of)?.lines),
      }),
    ),
  );
}

/** Adds what the JVM has measured of each call of a method, beside its samples (JEP 520). */
function withTimings(
  tables: readonly FactTable[],
  method: string,
  { data, text, ...others }: Answer<MethodData>,
): Answer<MethodData> {
  const rows = tables.find(({ title }) => title === TIMED_METHODS)?.rows ?? [];
  const ns = (cell: FactTable['rows'][number][number]): number | null =>
    typeof cell === 'number' ? cell : null;
  const timed = rows
    .filter(([name]) => String(name).startsWith(`${method}(`))
    .map(([name, calls, least, mean, most]) => ({
      method: String(name),
      calls: Number(calls),
      minimumNs: ns(least),
      averageNs: ns(mean),
      maximumNs: ns(most),
    }));
  const spanText = (span: number | null): string => (span === null ? 'unknown' : formatSpan(span));
  const lines = timed.map(
    ({ method: name, calls, minimumNs, averageNs, maximumNs }) =>
      `  ${printable(name)}: ${formatQuantity(calls, 'call')}, mean ${spanText(averageNs)}, shortest ${spanText(minimumNs)}, longest ${spanText(maximumNs)}\n`,
  );
  if (lines.length === 0) return { data, text, ...others };
  return {
    data: { ...data, timed },
    text: `${text}\nTimed by the JVM, every call\n${lines.join('')}`,
    ...others,
  };
}

/** Prints how many samples were taken when, and the bursts. */
export async function timelineCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.timeline.options);
  const { by, parts, limit } = args.values;
  const asked = await askProfile({ ...questionOf('timeline', args), needsTimes: 'timeline' }, io);
  return print('timeline', asked, args, io, (part) => {
    const answer = timelineAnswer(part, { by, parts, limit });
    if (answer === undefined)
      throw new CommandError(
        `${inputName(asked.read.paths[0])}: has no time that could be divided into parts`,
      );
    return answer;
  });
}

/** Prints which parts of a profile differ. */
export async function spreadCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.spread.options);
  const { by, limit, metric } = args.values;
  const isOfFleet = args.files.some(isFleet);
  const isOfFiles = args.files.length > 1;
  const per = isOfFleet && !args.has('per') ? 'host' : args.values.per;
  const everyMs = args.values.every || (isOfFleet || !args.has('per') ? 0 : partOfDay(per));
  const everyNs = everyMs === 0 ? undefined : BigInt(Math.round(everyMs * 1e6));
  if (everyNs !== undefined && (args.values.threads ?? 'time') !== 'time')
    throw new UsageError(`--every makes parts of the time, and --threads ${args.values.threads} others`);
  const { threads = everyNs !== undefined ? 'time' : isOfFiles ? 'group' : 'name' } = args.values;
  const merge = args.values['merge-files'] ?? (isOfFiles ? 'groups' : undefined);
  const values = { ...args.values, per, 'merge-files': merge };
  const isOfTime = threads === 'time';
  const attribute = attributeOf(threads);
  const question = questionOf('spread', { ...args, values });
  const needsTimes = args.values.every > 0 ? '--every' : everyMs > 0 ? `--per ${per}` : '--threads time';
  const times = isOfTime ? { needsTimes } : { wantsTimes: attribute !== undefined };
  const asked = await askProfile({ ...question, ...times }, io);
  if (attribute !== undefined) requireThreadsBy(attribute, asked.read);
  const one =
    threads === 'group'
      ? 'file'
      : isOfTime
        ? 'part'
        : threads === 'pool'
          ? 'pool'
          : (attribute ?? (isOfFleet ? per : 'thread'));
  const inOrder = isOfTime || (isOfFleet && threads === 'name' && (per === 'hour' || per === 'date'));
  return print('spread', asked, args, io, (part) => {
    const answer = spreadAnswer(part, { by, metric, threads, everyNs, inOrder, one, limit });
    const [path] = asked.read.paths;
    const next = isOfTime
      ? isOfFiles
        ? undefined
        : nextRanges(answer.data)
      : isOfFleet && threads === 'name'
        ? nextComparison(answer.data, per, args.values.where)
        : undefined;
    return next === undefined
      ? answer
      : { ...answer, hints: [`what it does instead: leanscope compare ${path} ${path} ${next}`] };
  });
}

const HOUR_MS = 3_600_000;

/** The length of the parts of a file, which has no columns. Throws UsageError for one that it would need. */
function partOfDay(per: FleetGroup): number {
  if (per === 'hour') return HOUR_MS;
  if (per === 'date') return 24 * HOUR_MS;
  throw new UsageError(
    `--per ${per} names a column of a dataset; a file has the parts hour and date, and --every`,
  );
}

/** The options that compare the first part that stands out with the others, or what is after a change with what was before. */
function nextComparison(
  { rows }: SpreadData,
  per: FleetGroup,
  where: string | undefined,
): string | undefined {
  const sql = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const changed = rows.find((row) => row.since !== null)?.since?.part;
  const since = changed !== undefined && per === 'hour' ? `${changed}:00` : changed;
  const part = rows.find(({ standOut }) => standOut.length > 0)?.standOut[0].part;
  const column = per === 'hour' ? 'time' : per;
  const sides =
    since !== undefined
      ? [`${column} < ${sql(since)}`, `${column} >= ${sql(since)}`]
      : part !== undefined && per !== 'hour'
        ? [`${column} <> ${sql(part)}`, `${column} = ${sql(part)}`]
        : undefined;
  if (sides === undefined) return undefined;
  const [base, next] = sides.map((side) => (where === undefined ? side : `(${where}) AND ${side}`));
  return `--where-base "${base}" --where "${next}"`;
}

/** The options that compare what is after a change with what was before, or the first part of the time that stands out with all. */
function nextRanges({ parts, rows }: SpreadData): string | undefined {
  const since = rows.find((row) => row.since !== null)?.since?.part;
  const standsOut = rows.find(({ standOut }) => standOut.length > 0)?.standOut[0].part;
  const part = parts.find(({ name }) => name === (since ?? standsOut));
  if (part?.from === undefined) return undefined;
  return since === undefined
    ? `--from-base 0 --from ${part.from} --to ${part.to}`
    : `--from-base 0 --to-base ${part.from} --from ${part.from}`;
}

/** Prints how long requests took. */
export async function operationsCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.operations.options);
  const { by = OPERATION, every, limit } = args.values;
  if (every > 0 && args.has('by')) throw new UsageError('--every makes parts of the time, and --by others');
  const everyNs = every > 0 ? BigInt(Math.round(every * 1e6)) : undefined;
  const asked = await askProfile({ ...questionOf('operations', args), needsTimes: 'operations' }, io);
  requireContexts('operations', asked.read);
  const key = requireAttribute('--by', by, asked.read);
  return print('operations', asked, args, io, (part) => {
    const computing = computingSamples(asked.read.facts);
    const answer = operationsAnswer(part, { by: key, everyNs, limit, computing });
    assert(answer !== undefined, 'a log with contexts has operations');
    return answer;
  });
}

/** The part of a profile that a question is about. */
export function partOf({ view, read }: AskedProfile): AskedPart {
  return { view, units: read.facts.units, firstMetric: firstMetric(read.facts) };
}

async function print(
  command: JsonCommand,
  asked: AskedProfile,
  { values }: Pick<Arguments<{ readonly json: boolean; readonly output: string | undefined }>, 'values'>,
  io: CommandIo,
  ask: (part: AskedPart) => Answer<object>,
): Promise<ExitStatus> {
  const { read } = requireSamples(asked);
  const { paths, problems, status } = read;
  let answer: Answer<object>;
  try {
    answer = ask(partOf(asked));
  } catch (error) {
    const leftOut =
      error instanceof UnknownMethod && asked.leftOut !== undefined ? ` (${asked.leftOut.text})` : '';
    throw error instanceof UnknownMethod || error instanceof TooManyParts
      ? new CommandError(`${inputName(paths[0])}: ${error.message}${leftOut}`)
      : error;
  }
  await writeOutput(values.output, paths, io, (sink) => {
    sink(values.json ? answerJson(command, { file: paths[0], ...answer.data }) : answer.text, 1);
  });
  for (const hint of answer.hints ?? []) writeMessage(io, hint);
  tellLeftOut(asked, io);
  for (const problem of problems) writeMessage(io, problem);
  return status;
}

/** Prints what is wrong in a profile, with how sure that is. */
export async function findingsCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.findings.options);
  const { json, project, frames, checks, limit } = args.values;
  const known = projectOf(project);
  const question = questionOf('findings', args, { frames, keys: frames });
  const asked = await askProfile({ ...question, wantsTimes: true }, io);
  const { read, emptied } = asked;
  const { data, text } = findingsAnswer(asked, { project: known, only: checks, limit });
  io.stdout(json ? answerJson('findings', { file: read.paths[0], ...data }) : coloured(text, io));
  tellLeftOut(asked, io);
  for (const problem of read.problems) writeMessage(io, problem);
  if (emptied !== undefined) {
    writeMessage(io, emptied);
    return 1;
  }
  if (args.values['fail-on'] === undefined) return read.status;
  return data.levels.warn > 0 || (args.values['fail-on'] === 'info' && data.levels.info > 0)
    ? 4
    : read.status;
}

/** Warnings are yellow. */
function coloured(text: string, { hasColour = false }: CommandIo): string {
  return hasColour ? text.replaceAll(/^WARN(?= )/gm, '\u001b[1;33mWARN\u001b[0m') : text;
}

/** Findings as they are told. */
export interface ToldFindings extends FindingsAnswer {
  /** All that were found. */
  readonly levels: Readonly<Record<FindingLevel, number>>;
  readonly leftOut: { readonly findings: number };
}

/** The findings of a profile. `limit`: most of them that are told. */
export function findingsAnswer(
  { view, read }: AskedProfile,
  {
    project,
    only,
    limit,
  }: {
    readonly project: FindingsProject;
    readonly only?: readonly string[] | undefined;
    readonly limit: number;
  },
): Answer<ToldFindings> {
  const found = findingsOf({ ...view.samples.recorded, facts: read.facts, project, only });
  const count = (level: FindingLevel): number =>
    found.findings.filter((finding) => finding.level === level).length;
  const findings = found.findings.slice(0, limit);
  const leftOut = found.findings.length - findings.length;
  const data = {
    ...found,
    findings,
    levels: { warn: count('warn'), info: count('info') },
    leftOut: { findings: leftOut },
  };
  const more = leftOut === 0 ? '' : `${leftOut} more findings: a larger limit shows them.\n`;
  return { data, text: findingsText({ ...found, findings }, data.levels) + more };
}
