/** The tools of the server for assistants: an object each, over the questions that commands ask, too. */
import { OPERATION } from '../../../shared/scope/context-condition.ts';
import { computingSamples } from '../../../shared/facts/sample-kind.ts';
import { operationsAnswer } from '../../../shared/answers/operations.ts';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Answer } from '../../../shared/answers/answer.ts';
import { topAnswer, topCertainty, treeAnswer } from '../../../shared/answers/hot.ts';
import { methodAnswer } from '../../../shared/answers/method.ts';
import { TIMELINE_ROWS, timelineAnswer } from '../../../shared/answers/timeline.ts';
import { KEEP_ALL } from '../../../shared/engine/views/filter.ts';
import { withErrorsJoined } from '../../../shared/engine/trees/grouping.ts';
import { TOP_GROUP_IDS } from '../options/command-options.ts';
import { comparedAnswer } from '../compare-command.ts';
import { type ReadRun, runOf, runsAnswer } from '../compare-runs.ts';
import { CommandError } from '../io/command-io.ts';
import { didYouMean } from '../options/usage-error.ts';
import { COMMANDS } from '../options/commands.ts';
import { exportRequest, writeAsked } from '../export-command.ts';
import { findingsAnswer, type ToldFindings, partOf } from '../answer-commands.ts';
import { projectOf } from '../project-of.ts';
import { readArguments } from '../options/options.ts';
import { recordCommand } from '../record-command.ts';
import { SourceTexts } from '../source-texts.ts';
import { summaryAnswer } from '../summary-command.ts';
import { SCOPE_ARGUMENT, SCOPE_HELP, type Session } from './session.ts';
import { alignedLines } from '../../../shared/text/aligned-lines.ts';
import { printable } from '../../../shared/text/printable.ts';
import { openDuckDb } from '../../fleet/duckdb.ts';
import { type Cell, FleetError } from '../../fleet/fleet-engine.ts';

/** A tool. Its text and its arguments are all that an assistant knows of it. */
export interface Tool {
  readonly name: string;
  readonly text: string;
  readonly args: z.ZodRawShape;
  /** False for one that writes a file or starts a recording. */
  readonly isReadOnly: boolean;
  /** Without it the tool is not offered: --allow-attach, or the database. */
  readonly needs?: 'attach' | 'duckdb';
  /** `limit`: most rows, at most those that were asked for. */
  answer(session: Session, args: Readonly<Record<string, unknown>>, limit: number): Promise<Answer<object>>;
  /** Rows without a limit of the caller. */
  readonly limit: number;
}

/** Most rows of an answer to `query`. */
const MOST_QUERIED_ROWS = 50;
/** Less than a call may take, so that what was cut says so itself. */
const QUERY_MS = 20_000;

const PROFILE = { profile: z.string() };
const SCOPE = { scope: SCOPE_ARGUMENT.optional() };
const LIMIT = { limit: z.int().min(1).max(1000).optional() };
const METRIC = z.enum(['samples', 'time']);
const FIRST_METRIC = METRIC.optional().describe('default time for allocations, waits, calls, CPU time');

/** The arguments of a tool. An unknown one is an error that names those that are like it. */
export function argumentsSchema<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const names = Object.keys(shape);
      const [wrong] = issue.keys as readonly string[];
      return `there is no argument '${wrong}'${didYouMean(wrong, names) || `; arguments: ${names.join(', ')}`}`;
    },
  });
}

/** A tool whose arguments have the types of its schema. */
function tool<Shape extends z.ZodRawShape>(
  made: Omit<Tool, 'args' | 'answer' | 'isReadOnly'> & {
    readonly args: Shape;
    readonly isReadOnly?: boolean;
    answer(session: Session, args: z.infer<z.ZodObject<Shape>>, limit: number): Promise<Answer<object>>;
  },
): Tool {
  const { args, isReadOnly = true, ...others } = made;
  const schema = argumentsSchema(args);
  return {
    ...others,
    args,
    isReadOnly,
    answer: async (session, given, limit) => made.answer(session, schema.parse(given), limit),
  };
}

async function summaryOfOpened(session: Session, handle: string): Promise<Answer<object>> {
  const asked = await session.ask(handle, undefined, { keys: withErrorsJoined('fqmn') });
  const { data, text } = summaryAnswer(asked, projectOf(undefined));
  return { data: { profile: handle, ...data }, text: `profile   ${handle}\n${text}` };
}

/** Operations that an answer to `open` lists. */
const LISTED_OPERATIONS = 8;

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'open',
    limit: 40,
    text: `Open a recording; its handle stays valid. Answers sample types, requests, health, and what it cannot tell. choose: choices it lists, as {"sample-type": "alloc"}; each is a handle of its own. Other tools take ${SCOPE_HELP}.`,
    args: { path: z.string(), choose: z.record(z.string(), z.string()).optional() },
    answer: async (session, { path, choose = {} }) => {
      const { handle } = await session.open(path, choose);
      const { data, text } = await summaryOfOpened(session, handle);
      const asked = await session.ask(handle, undefined);
      const part = partOf(asked);
      // Calls of a trace are what its tree shows.
      const requests =
        part.view.source.samples?.areCalls === true
          ? undefined
          : operationsAnswer(part, {
              by: OPERATION,
              limit: LISTED_OPERATIONS,
              computing: computingSamples(asked.read.facts),
            });
      return {
        data: { ...data, ...(requests && { operations: requests.data }) },
        text: text + (requests?.text ?? ''),
        hints: requests?.hints ?? [],
      };
    },
  }),
  tool({
    name: 'findings',
    limit: 10,
    text: 'What is probably wrong, each with its share and 95 % interval, why it may be wrong, and the next call. Says what was not assessed.',
    args: { ...PROFILE, ...SCOPE, ...LIMIT },
    answer: async (session, { profile, scope }, limit) =>
      shortFindings(
        profile,
        findingsAnswer(await session.ask(profile, scope), { project: projectOf(undefined), limit }),
      ),
  }),
  tool({
    name: 'top',
    limit: 20,
    text: 'The hottest rows. A sample counts once for a row.',
    args: {
      ...PROFILE,
      group: z.enum(TOP_GROUP_IDS).default('method'),
      by: z.enum(['self', 'total']).default('self'),
      metric: FIRST_METRIC,
      filter: z.string().optional().describe('text in names'),
      ...SCOPE,
      ...LIMIT,
    },
    answer: async (session, { profile, group, by, metric, filter, scope }, limit) => {
      const asked = await session.ask(profile, scope);
      const contains = filter === undefined ? [] : [filter];
      const answer = topAnswer(partOf(asked), {
        group,
        by,
        limit,
        metric,
        filter: { ...KEEP_ALL, contains },
      });
      return { ...answer, text: answer.text + topCertainty(answer.data) };
    },
  }),
  tool({
    name: 'tree',
    limit: 60,
    text: 'The heaviest part of the calls; or of the callers or callees of a method (its key as method); or bottom-up. What is left out is said in its place: rows below, left out and self sum to the row.',
    args: {
      ...PROFILE,
      of: z.enum(['calls', 'callers', 'callees', 'bottom-up']).default('calls'),
      method: z.string().optional(),
      threads: z.enum(['all', 'name', 'pool']).default('all'),
      metric: FIRST_METRIC,
      ...SCOPE,
      ...LIMIT,
    },
    answer: async (session, { profile, of, method, threads, metric, scope }, limit) => {
      if ((of === 'callers' || of === 'callees') !== (method !== undefined))
        throw new CommandError('callers and callees need the key of a method; calls and bottom-up take none');
      return treeAnswer(partOf(await session.ask(profile, scope)), { of, method, threads, metric, limit });
    },
  }),
  tool({
    name: 'method',
    limit: 10,
    text: 'All about one method: callers, callees, hottest lines (with source), when, pools, and whole stacks. key as top prints it.',
    args: { ...PROFILE, key: z.string(), ...SCOPE, ...LIMIT },
    answer: async (session, { profile, key, scope }, limit) => {
      const asked = await session.ask(profile, scope);
      const kept = partOf(asked.with({ kind: 'keep', key }));
      const folders = session.allowed.sources(projectOf(undefined).sources);
      const sources = folders.length === 0 ? undefined : new SourceTexts(folders);
      const sourceOf = sources && ((...of: [string, string]) => sources.find(...of)?.lines);
      return methodAnswer(partOf(asked), kept, { method: key, limit, sourceOf });
    },
  }),
  tool({
    name: 'timeline',
    limit: 10,
    text: 'Samples over time in equal parts; bursts as from and to of a scope. by: a row for each; method: where samples ended.',
    args: {
      ...PROFILE,
      by: z.enum(TIMELINE_ROWS).default('all'),
      parts: z.int().min(2).max(200).default(24),
      ...SCOPE,
      ...LIMIT,
    },
    answer: async (session, { profile, by, parts, scope }, limit) => {
      const answer = timelineAnswer(partOf(await session.ask(profile, scope)), { by, parts, limit });
      if (answer === undefined)
        throw new CommandError(`${profile}: this format does not say when each sample was taken`);
      return answer;
    },
  }),
  tool({
    name: 'compare',
    limit: 20,
    text: 'What changed beyond chance from base to new (handles; runs with commas), with 95 % intervals. Machine-made names are folded.',
    args: { base: z.string(), new: z.string(), metric: METRIC.default('samples'), ...SCOPE, ...LIMIT },
    answer: async (session, { base, new: next, metric, scope = [] }, limit) => {
      const given = scope.some((text) => text.startsWith('fold=')) ? scope : ['fold=all', ...scope];
      // No handle has a comma.
      if (`${base}${next}`.includes(',')) {
        const runsOf = async (handles: string): Promise<readonly ReadRun[]> => {
          const runs: ReadRun[] = [];
          for (const handle of handles.split(',').map((each) => each.trim()))
            runs.push(runOf(handle, await session.ask(handle, given), { frames: 'fqmn', metric }));
          return runs;
        };
        return runsAnswer(await runsOf(base), await runsOf(next), limit);
      }
      const [before, after] = [await session.question(base, given), await session.question(next, given)];
      const paths = [before.read.paths[0], after.read.paths[0]];
      return comparedAnswer([...paths, '--metric', metric, '--limit', String(limit)], (query, isBase) => {
        const side = isBase ? before : after;
        return { ...side, query: { ...query, scope: side.query.scope } };
      });
    },
  }),
  tool({
    name: 'query',
    limit: MOST_QUERIED_ROWS,
    needs: 'duckdb' as const,
    text: 'SQL (DuckDB) over a dataset folder: views samples, stacks, frames. At most 50 rows.',
    args: { dataset: z.string(), sql: z.string() },
    answer: async (session, { dataset, sql }, limit) =>
      queryAnswer(session.allowed.readableFolder(dataset), sql, { limit, budgetMs: QUERY_MS }),
  }),
  tool({
    name: 'export',
    limit: 1,
    isReadOnly: false,
    text: 'Write a view of a profile to a new file below an allowed folder. format: svg, collapsed, pprof, speedscope, csv, flat, json and more (default by the extension). callers and callees need method.',
    args: {
      ...PROFILE,
      file: z.string(),
      format: z.string().optional(),
      method: z.string().optional(),
      ...SCOPE,
    },
    answer: async (session, { profile, file, format, method, scope }) => {
      const path = session.allowed.writable(file);
      const option = (name: string, value: string | undefined): readonly string[] =>
        value === undefined ? [] : [`--${name}`, value];
      const { read } = await session.read(profile);
      const argv = [
        '-o',
        path,
        ...option('format', format),
        ...option('method', method),
        '--',
        read.paths[0],
      ];
      const request = exportRequest(readArguments(argv, COMMANDS.export.options));
      const { siblings, search, keys, hidesErrors } = request.query;
      const isAll = request.isFirstView ? [] : ['count-all'];
      const asked = await session.ask(profile, [...(scope ?? []), ...isAll], {
        siblings,
        search,
        keys,
        hidesErrors,
      });
      await writeAsked(request, asked, session.io);
      session.allowed.wrote(path);
      const bytes = statSync(path).size;
      return {
        data: { file: path, format: request.format, bytes },
        text: `${path}: ${bytes} bytes, ${request.format}\n`,
      };
    },
  }),
  tool({
    name: 'record',
    limit: 40,
    isReadOnly: false,
    needs: 'attach' as const,
    text: 'Record a JVM of this machine (pid or part of its name) into a new .jfr file below an allowed folder, and open it.',
    args: { jvm: z.string(), file: z.string(), seconds: z.int().min(1).max(600).default(30) },
    answer: async (session, { jvm, file, seconds }) => {
      const path = session.allowed.writable(file);
      if (!path.endsWith('.jfr')) throw new CommandError(`${basename(path)}: name a .jfr file`);
      await recordCommand([jvm, '-o', path, '-d', `${seconds}s`], session.io);
      session.allowed.wrote(path);
      const { handle } = await session.open(path, {});
      return summaryOfOpened(session, handle);
    },
  }),
];

/** Frames of a stack in a short answer, next to the leaf. */
const SHORT_STACK = 8;

/** Findings with the next call of each, and with the end of the heaviest stack alone. */
function shortFindings(profile: string, { data, text }: Answer<ToldFindings>): Answer<object> {
  const calls = data.findings.map(({ id, show }) => {
    const scope = show.keep.length === 0 ? {} : { scope: show.keep.map((key) => `keep=${key}`) };
    return { id, tool: 'tree', arguments: { profile, of: 'calls', ...scope } };
  });
  const findings = data.findings.map(({ evidence, where, ...finding }, at) => ({
    ...finding,
    where: where.slice(0, 2),
    evidence: {
      ...evidence,
      stacks: evidence.stacks
        .slice(0, 1)
        .map(({ frames, share }) => ({ frames: frames.slice(-SHORT_STACK), share })),
    },
    call: { tool: calls[at].tool, arguments: calls[at].arguments },
  }));
  const notAssessed = data.notAssessed.map(({ id, why, choose }) => ({
    id,
    why,
    ...(choose !== undefined && { choose }),
  }));
  const next = calls.map(
    (call) => `Next call for ${call.id}: ${call.tool} ${JSON.stringify(call.arguments)}\n`,
  );
  return { data: { ...data, findings, notAssessed }, text: text + next.join('') };
}

/** Longer texts of a cell are cut. */
const MOST_CELL = 300;

interface QueryData {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** There are more rows than these. */
  readonly hasMore: boolean;
}

/** The first rows of an answer. A query that takes longer than `budgetMs` is ended. Rejects with CommandError. */
export async function queryAnswer(
  dataset: string,
  sql: string,
  { limit, budgetMs }: { readonly limit: number; readonly budgetMs: number },
): Promise<Answer<QueryData>> {
  const time = { isCut: false };
  let timer: NodeJS.Timeout | undefined;
  try {
    const engine = await openDuckDb(dataset);
    timer = setTimeout(() => {
      time.isCut = true;
      engine.interrupt();
    }, budgetMs);
    try {
      const { columns, batches } = await engine.query(sql);
      const rows: QueryData['rows'][number][] = [];
      for await (const batch of batches) {
        const length = batch.at(0)?.length ?? 0;
        for (let row = 0; row < length && rows.length <= limit; row++)
          rows.push(batch.map((column) => shown(column[row])));
        if (rows.length > limit) break;
      }
      const data = { columns, rows: rows.slice(0, limit), hasMore: rows.length > limit };
      return { data, text: tableText(data) };
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (time.isCut)
      throw new CommandError(
        `the query was cut after ${budgetMs / 1000} s: nothing was answered; ask for fewer partitions (WHERE service = …), or aggregate`,
      );
    throw error instanceof FleetError
      ? new CommandError(
          `${error.message}; the views are samples, stacks and frames, DESCRIBE samples lists columns`,
        )
      : error;
  } finally {
    clearTimeout(timer);
  }
}

function shown(cell: Cell): string | number | boolean | null {
  if (typeof cell === 'bigint') return cell.toString();
  if (cell === null || typeof cell !== 'object')
    return typeof cell === 'string' ? cell.slice(0, MOST_CELL) : cell;
  return JSON.stringify(cell, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  ).slice(0, MOST_CELL);
}

function tableText({ columns, rows, hasMore }: QueryData): string {
  const cells = rows.map((row) => row.map((cell) => printable(String(cell ?? ''))));
  const lines = [
    ...alignedLines([columns.map(printable), ...cells]),
    hasMore
      ? `… more rows than these ${rows.length}: aggregate, or use LIMIT and OFFSET`
      : `${rows.length} rows`,
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
