import type { Answer } from '../../shared/answers/answer.ts';
import { SAMPLE_TYPES } from '../../shared/formats/jfr/events/sample-types.ts';
import { damageText } from '../../shared/facts/damage.ts';
import { AGCT_ERRORS } from '../../shared/facts/agct-errors.ts';
import { type FactTable, factText, listedFacts, OTHER_ERRORS } from '../../shared/facts/format-facts.ts';
import { countNamedMethods } from '../../shared/profile/method-table.ts';
import { alignedLines } from '../../shared/text/aligned-lines.ts';
import { printable } from '../../shared/text/printable.ts';
import { NONE } from '../../shared/profile/columns.ts';
import {
  formatBytes,
  formatCount,
  formatQuantity,
  formatShare,
  formatSpan,
} from '../../shared/text/format-value.ts';
import { type Choice, chosenText, SAMPLE_TYPE_CHOICE, switchText } from '../../shared/facts/choice.ts';
import { isEmptyScope } from '../../shared/scope/scope.ts';
import { precisionText } from '../../shared/engine/columns/precision.ts';
import { sumSelfValues } from '../../shared/engine/values/self-values.ts';
import { answerJson, type CommandIo, type ExitStatus, inputName, writeMessage } from './io/command-io.ts';
import type { FindingsProject } from '../../shared/findings/finding.ts';
import type { FindingsAnswer } from '../../shared/findings/finding.ts';
import { findingsOf } from '../../shared/findings/find.ts';
import { type Summary, summaryOf } from '../../shared/summary/summary.ts';
import { summaryLines } from '../../shared/summary/summary-text.ts';
import { askProfile, type AskedProfile, questionOf } from './ask-profile.ts';
import { COMMANDS } from './options/commands.ts';
import { readArguments } from './options/options.ts';
import { firstMetric } from '../../shared/facts/sample-kind.ts';
import { projectOf } from './project-of.ts';
import { withErrorsJoined } from '../../shared/engine/trees/grouping.ts';
import { optionText, type ReadProfile } from './read-profile.ts';

/** Contents and damage of a log: the output of `summary --json` (specs: cli). Its schema says what the fields are. */
export type FileSummary = ReturnType<typeof summarise>;

export async function summaryCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.summary.options);
  const { frames, json, events, project } = args.values;
  const known = projectOf(project);
  const question = questionOf('summary', args, { frames, keys: withErrorsJoined(frames) });
  const asked = await askProfile({ ...question, wantsTimes: true }, io);
  const { read, emptied } = asked;
  const all = fileSummaryOf(asked, known);
  const tables = all.tables.filter(({ isPrivate }) => isPrivate !== true || args.values['jvm-arguments']);
  const shown = { ...all, tables };
  io.stdout(json ? answerJson('summary', shown) : fileText(shown, asked, events));
  for (const problem of read.problems) writeMessage(io, problem);
  if (emptied === undefined) return read.status;
  writeMessage(io, emptied);
  return 1;
}

/** The summary of a file, its health and its hot methods, without findings, which are asked for, and tables, which may be long. */
export function summaryAnswer(asked: AskedProfile, project: FindingsProject): Answer<object> {
  const all = { ...fileSummaryOf(asked, project), tables: [] };
  const { findings: _, summary: __, ...data } = all;
  return { data, text: fileText(all, asked, false), hints: asked.read.problems };
}

function fileSummaryOf(asked: AskedProfile, project: FindingsProject): FileSummary {
  const { engine, log, query, read } = asked;
  const { facts } = read;
  const metric = firstMetric(facts);
  const view = engine.view(log, { ...query, metric });
  const summary = summaryOf(view, { facts, own: project.own });
  const findings = findingsOf({ ...view.samples.recorded, facts, project });
  const { values, outside, hidden } = asked.view;
  const scope =
    isEmptyScope(query.scope) && hidden.samples === 0
      ? null
      : { samples: sumSelfValues(values).samples, outside: outside.samples + hidden.samples };
  return summarise(read, scope, summary, findings);
}

function summarise(
  { paths, format, files, profile, facts, counts, firstTime, lastTime, damage }: ReadProfile,
  scope: { readonly samples: number; readonly outside: number } | null,
  summary: Summary,
  findings: FindingsAnswer,
) {
  const { acceptedBytes, skippedBytes, pendingBytes } = facts;
  const { threads, methods, nodes } = profile;
  const errorCodes = Object.entries(facts.errorSamples).sort(([a], [b]) => codeOrder(b) - codeOrder(a));
  const gzipped = files.filter(({ storage }) => storage === 'gzip');
  const gzipDamage = gzipped.find(({ unpackDamage }) => unpackDamage !== undefined)?.unpackDamage;
  let roots = 0;
  for (let thread = 0; thread < threads.length; thread++) if (threads.root[thread] !== NONE) roots++;
  return {
    file: paths[0],
    files: paths,
    format: format.id,
    bytes: acceptedBytes + skippedBytes + pendingBytes,
    acceptedBytes,
    skippedBytes,
    pendingBytes,
    fileBytes: files.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
    gzip: gzipped.length > 0,
    samples: counts?.samples ?? facts.samples,
    frames: counts?.frames ?? null,
    pseudoFrames: errorCodes.reduce((sum, [, samples]) => sum + samples, 0),
    nodes: nodes.length - roots,
    threads: threads.length,
    methods: countNamedMethods(methods),
    records: counts?.records ?? {},
    errorSamples: Object.fromEntries(errorCodes),
    firstTime: firstTime === undefined ? null : String(firstTime),
    lastTime: lastTime === undefined ? null : String(lastTime),
    spanSeconds:
      firstTime === undefined || lastTime === undefined ? null : Number(lastTime - firstTime) / 1e9,
    backwardSteps: facts.backwardSteps ?? null,
    errorThreads: facts.errorThreads,
    truncated: facts.truncated ?? null,
    gaps: facts.gaps ?? null,
    unnamedMethods: facts.unnamedMethods,
    deepestStack: facts.deepestStack,
    waitingSamples: facts.waitingSamples,
    damage: damage ?? null,
    units: facts.units,
    choices: facts.choices,
    notes: [...facts.skips, ...facts.notes],
    tables: facts.tables,
    scope,
    gzipDamage:
      gzipDamage === undefined ? null : { byteOffset: gzipDamage.byteOffset, found: gzipDamage.found },
    summary,
    findings,
  };
}

/** The lines about a file: its name, and behind it what is hot. `hasEvents`: with the numbers of events. */
function fileText(summary: FileSummary, asked: AskedProfile, hasEvents: boolean): string {
  const rows = factRows(summary, asked);
  const width = Math.max(9, ...rows.map(([label]) => label.length + 2));
  const line = (label: string, value: string): string =>
    `${printable(label).padEnd(width)}${printable(value)}\n`;
  const hot = summaryLines(summary.summary, summary.findings);
  const tables = summary.tables.filter((table) => hasEvents || !isOfEvents(table));
  return (
    line('file', summary.files.map(inputName).join(', ')) +
    (hot.length === 0 ? '' : `\n${hot.join('\n')}\n\n`) +
    rows.map(([label, value]) => line(label, value)).join('') +
    tables.map(listedFacts).map(tableText).join('')
  );
}

/** Rows of facts: the format of a file, its health, and its choices. A row without a label belongs to the one before it. */
function factRows(
  summary: FileSummary,
  { leftOut, read: { format } }: AskedProfile,
): readonly (readonly [label: string, value: string])[] {
  const rows: [label: string, value: string][] = [
    ['format', format.name + (summary.gzip ? `, gzip of ${formatBytes(summary.fileBytes)}` : '')],
    ['bytes', bytesText(summary)],
    [summary.units.counted.many, formatCount(summary.samples)],
    ['time', timeText(summary)],
    ['threads', formatCount(summary.threads)],
    ['methods', formatCount(summary.methods)],
    [
      'stacks',
      [
        ...(summary.frames === null ? [] : [formatQuantity(summary.frames, 'frame')]),
        formatQuantity(summary.nodes, 'call node'),
        `deepest ${formatCount(summary.deepestStack)}`,
      ].join(', '),
    ],
  ];
  const { scope } = summary;
  const { one, many } = summary.units.counted;
  const inScope =
    scope === null
      ? []
      : [`${formatQuantity(scope.samples, one, many)}, ${formatCount(scope.outside)} outside`];
  for (const [at, text] of [...inScope, ...(leftOut === undefined ? [] : [leftOut.text])].entries())
    rows.push([at === 0 ? 'scope' : '', text]);
  if (summary.backwardSteps !== null) rows.push(['errors', errorText(summary)]);
  rows.push(['unknown', format.notRecorded.join('; ')]);
  const precision = precisionText(summary.summary.samples, summary.units);
  if (precision !== undefined) rows.push(['exact', precision]);
  for (const choice of summary.choices) {
    rows.push(['choose', choiceText(choice)]);
    for (const option of sampleTypeTexts(choice, summary)) rows.push(['', `  ${option}`]);
  }
  for (const note of summary.notes) rows.push(['note', note]);
  if (summary.damage !== null) {
    const text = damageText(summary.damage);
    rows.push(summary.damage.isLimit === true ? ['limit', `${text}; read in part`] : ['damage', text]);
  }
  if (summary.gzipDamage !== null) {
    rows.push([
      'damage',
      `the compressed data cannot be read from byte ${summary.gzipDamage.byteOffset} of the file on`,
    ]);
  }
  return rows;
}

/** Whether it has nothing but the number of events of each type. */
function isOfEvents({ title, columns }: FactTable): boolean {
  return title === 'Events' && columns.map(({ kind }) => kind).join() === 'text,count';
}

/** `cut=on  (Group truncated stacks: on, off)`. */
function choiceText(choice: Choice): string {
  const value = chosenText(choice);
  const values =
    choice.kind === 'one'
      ? choice.options.map(optionText).join(', ')
      : choice.kind === 'switch'
        ? `${switchText(choice, true)}, off`
        : `in ${choice.unit}, ${choice.suggested} is usual`;
  return `${choice.id}=${value === '' ? '?' : value}  (${choice.name}: ${values})`;
}

const MOST_OPTIONS = 50;

/** The sample types, a line each: `alloc  Allocations, 1,770 events`. */
function sampleTypeTexts(choice: Choice, summary: FileSummary): readonly string[] {
  if (choice.kind !== 'one' || choice.id !== SAMPLE_TYPE_CHOICE) return [];
  const { options } = choice;
  const shown = options.slice(0, MOST_OPTIONS);
  const cells = shown.map(({ value, text }) => {
    const events = eventsOf(value, summary);
    const named = text === value ? '' : text;
    const counted = events === undefined ? '' : formatQuantity(events, 'event');
    return [value, [named, counted].filter((part) => part !== '').join(', ')];
  });
  const texts = alignedLines(cells);
  const more = options.length - shown.length;
  return more === 0 ? texts : [...texts, `… and ${formatCount(more)} more`];
}

/** The number of events of a sample type in a recording; undefined where the format does not count them. */
function eventsOf(type: string, { format, tables }: FileSummary): number | undefined {
  const table = format === 'jfr' ? tables.find(isOfEvents) : undefined;
  if (table === undefined || table.leftOut > 0) return undefined;
  const events = SAMPLE_TYPES.find(({ id }) => id === type)?.events;
  let sum = 0;
  for (const [event, count] of table.rows)
    if (typeof event === 'string' && typeof count === 'number' && (events?.has(event) ?? event === type))
      sum += count;
  return sum;
}

/** A table with columns as wide as their widest cell, numbers right-aligned. */
function tableText({ title, columns, rows, leftOut }: FactTable): string {
  const cells = rows.map((row) => row.map((value, at) => printable(factText(value, columns[at].kind))));
  const all = [columns.map(({ name }) => name), ...cells];
  const lines = alignedLines(all, (column) => columns[column].kind !== 'text');
  const more = leftOut === 0 ? [] : [`… and ${formatCount(leftOut)} more`];
  return ['', title, ...lines.map((line) => `  ${line}`), ...more, ''].join('\n');
}

function bytesText(summary: FileSummary): string {
  const parts = [formatCount(summary.bytes)];
  if (summary.acceptedBytes < summary.bytes) parts.push(`${formatCount(summary.acceptedBytes)} accepted`);
  if (summary.skippedBytes > 0) parts.push(`${formatCount(summary.skippedBytes)} skipped`);
  if (summary.pendingBytes > 0) parts.push(`${formatCount(summary.pendingBytes)} pending (not written yet)`);
  return parts.join(', ');
}

function timeText({ firstTime, lastTime, backwardSteps }: FileSummary): string {
  if (firstTime === null || lastTime === null) return 'none in this file';
  const span = formatSpan(Number(BigInt(lastTime) - BigInt(firstTime)));
  const steps =
    backwardSteps === null || backwardSteps === 0
      ? ''
      : `, ${formatQuantity(backwardSteps, 'step')} backward`;
  return `${span} from ${dateText(firstTime)}${steps}`;
}

/** In UTC, because a log has no time zone; the number itself when it is not a valid date. */
function dateText(ns: string): string {
  const date = new Date(Number(BigInt(ns) / 1_000_000n));
  return Number.isNaN(date.getTime()) ? `${ns} ns` : date.toISOString();
}

/** Codes are 0 or negative; other ones come last. */
function codeOrder(code: string): number {
  return code === OTHER_ERRORS ? -Infinity : Number(code);
}

function errorText({ errorSamples, pseudoFrames, samples }: FileSummary): string {
  if (pseudoFrames === 0) return 'none';
  const codes = Object.entries(errorSamples)
    .sort(([, a], [, b]) => b - a)
    .map(
      ([code, count]) =>
        `${AGCT_ERRORS[-Number(code)]?.frame ?? (code === OTHER_ERRORS ? 'other codes' : `code ${code}`)} ${formatCount(count)}`,
    );
  return `${formatQuantity(pseudoFrames, 'sample')} (${formatShare(pseudoFrames, samples, 1)}): ${codes.join(', ')}`;
}
