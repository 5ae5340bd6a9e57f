import { attributeOf } from '../../shared/engine/trees/grouping.ts';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OutputSink, ExportRefusal } from '../../shared/export/export-input.ts';
import type { ExportOption } from '../../shared/export/export-list.ts';
import {
  EXPORT_PURPOSES,
  type ExportFormatId,
  exportFormat,
  formatOfFileName,
  formatsWith,
  loadExport,
  type WriteExport,
} from '../../shared/export/export-formats.ts';
import { exportOf } from '../../shared/export/export-view.ts';
import type { Metric } from '../../shared/engine/values/metric.ts';
import type { RowValues } from '../../shared/engine/values/row-sums.ts';
import { heaviestRow } from '../../shared/engine/views/heaviest-below.ts';
import { flameWeights } from '../../shared/engine/views/flame-measures.ts';
import { KeyTable } from '../../shared/engine/trees/keys.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { firstMetric } from '../../shared/facts/sample-kind.ts';
import { isEmptyScope } from '../../shared/scope/scope.ts';
import { printable } from '../../shared/text/printable.ts';
import { keepsAll, type RowFilter } from '../../shared/engine/views/filter.ts';
import { parseSearch } from '../../shared/engine/views/search.ts';
import { type AskedProfile, askProfile, leavesErrorsOut, questionOf, tellLeftOut } from './ask-profile.ts';
import { CommandError, type CommandIo, type ExitStatus, inputName, writeMessage } from './io/command-io.ts';
import { didYouMean, UsageError } from './options/usage-error.ts';
import { DATASET } from './options/command-options.ts';
import type { COMMANDS } from './options/commands.ts';
import type { Arguments, ValuesOf } from './options/options.ts';
import { budgetOf, writeOutput } from './io/output.ts';
import { projectOf } from './project-of.ts';
import { pageFormOf } from './page-form.ts';
import { loadResvg, PICTURE_SCALE, pngOf } from './picture.ts';

/** Option of the command line -> the option that a format must support to accept it. */
const REQUIRED_SUPPORT = {
  method: 'method',
  depth: 'depth',
  buckets: 'buckets',
  measured: 'buckets',
  title: 'title',
  search: 'drawing',
  root: 'drawing',
  theme: 'drawing',
  icicle: 'drawing',
  width: 'drawing',
  include: 'carried',
  anonymous: 'carried',
  'no-threads': 'carried',
  'no-times': 'carried',
  note: 'carried',
  embed: 'carried',
} as const satisfies Partial<Record<keyof ExportArguments['values'], ExportOption>>;

type ExportArguments = Arguments<ValuesOf<typeof COMMANDS.export.options>>;

/** A question about files, and how its answer is written. */
export type ExportRequest = ReturnType<typeof exportRequest>;

/** Reads the files of a request and writes what it asks for. */
export async function writeRequested(request: ExportRequest, io: CommandIo): Promise<ExitStatus> {
  return writeAsked(request, await askProfile(request, io), io);
}

/** Writes what a request asks for of files that were read. */
export async function writeAsked(
  request: ExportRequest,
  asked: AskedProfile,
  io: CommandIo,
): Promise<ExitStatus> {
  const { format, out, budget } = request;
  const { emptied, read } = asked;
  // Its rows are all that such a format has.
  if (emptied !== undefined && exportFormat(format).rows !== undefined) throw new CommandError(emptied);
  const writer = await loadExport(format);
  const drawing = exportFormat(format).isPicture === true ? loadResvg() : undefined;
  const write = (sink: OutputSink): readonly string[] =>
    drawing === undefined
      ? writeFormat(writer, asked, request, sink)
      : writePicture(sink, drawing, (pieces) => writeFormat(writer, asked, request, pieces));
  await writeOutput(out, read.paths, io, (sink) => {
    // Readers of pprof accept gzipped and uncompressed files. The name of the output file selects one of them.
    const isGzipped = format === 'pprof' && out?.endsWith('.gz') === true;
    const notes = isGzipped ? writeGzipped(sink, write) : write(sink);
    for (const note of notes) writeMessage(io, note);
  });
  tellLeftOut(asked, io);
  for (const problem of read.problems) writeMessage(io, problem);
  if (emptied !== undefined) writeMessage(io, emptied);
  return budget.stopped === undefined ? read.status : 3;
}

/** Collects everything that `write` writes, compresses it, and passes it to `sink` as one gzip member. */
function writeGzipped<Result>(sink: OutputSink, write: (sink: OutputSink) => Result): Result {
  const pieces: Uint8Array[] = [];
  const result = write((piece) => {
    pieces.push(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
  });
  sink(gzipSync(Buffer.concat(pieces)), 1);
  return result;
}

/** Collects the drawing that `write` writes, and passes its picture to `sink`. */
function writePicture(
  sink: OutputSink,
  resvg: ReturnType<typeof loadResvg>,
  write: (sink: OutputSink) => readonly string[],
): readonly string[] {
  const pieces: string[] = [];
  const written = write((piece) => pieces.push(String(piece)));
  const { png, notes } = pngOf(pieces.join(''), resvg);
  sink(png, 1);
  return [...written, ...notes];
}

/** Writes the requested format. Returns notes on what was left out or rounded, one line each. */
function writeFormat(
  write: WriteExport,
  asked: AskedProfile,
  request: ExportRequest,
  sink: OutputSink,
): readonly string[] {
  const { root, budget, format, theme, orientation, width, pixels } = request;
  const { facts, paths } = asked.read;
  const [path] = paths;
  const name = inputName(path);
  // A summary is by what the samples are taken for.
  const metric = format === 'md' ? firstMetric(facts) : asked.query.metric;
  const question = { ...asked, query: { ...asked.query, metric } };
  const drawing = {
    theme,
    orientation,
    width,
    pixels,
    colourBy: 'package' as const,
    root:
      root === undefined
        ? undefined
        : (sums: RowValues) => ({ row: widestRow(sums, root, { metric, path }), run: undefined }),
  };
  const { input, notes } = exportOf(question, format, { ...request, units: facts.units, facts, drawing });
  try {
    return [...write(input, sink, budget), ...notes()].map((note) => `${name}: ${note}`);
  } catch (error) {
    if (!(error instanceof ExportRefusal)) throw error;
    throw new CommandError(
      `${name}: ${error.message}${adviceFor(error.reason, asked.view.alone.profile, request)}`,
    );
  }
}

function adviceFor(reason: ExportRefusal['reason'], profile: LeanProfile, request: ExportRequest): string {
  switch (reason) {
    case 'unknown method':
      return ` (--frames ${request.query.frames})${nearestKeys(profile, request)}`;
    case 'too many samples':
      return '; --format hprof-text holds more';
    case 'no times':
    case 'too early':
    case 'too large':
      return '';
  }
}

function nearestKeys(profile: LeanProfile, { method, query: { frames } }: ExportRequest): string {
  const keys = new KeyTable(profile, frames);
  keys.update();
  return didYouMean(method, keys.labels) || '; --format flat lists the keys';
}

/** The widest row with a key. Throws CommandError if there is none. */
export function widestRow(
  sums: RowValues,
  label: string,
  { metric, path }: { readonly metric: Metric; readonly path: string },
): number {
  const { tree } = sums;
  const widest = heaviestRow(tree, flameWeights(sums, metric), (row) => tree.label(row) === label);
  if (widest !== undefined) return widest;
  throw new CommandError(
    `${inputName(path)}: has no frame with the key '${label}'; --format flat lists the keys`,
  );
}

// ---- The command line ----

/** Checks the command line of an export, before anything is read. Throws UsageError. */
export function exportRequest(args: ExportArguments) {
  const { values } = args;
  const format = formatOf(values);
  const { metric, frames } = values;
  const filter: RowFilter = { hideErrors: values['hide-errors'], contains: values.filter };
  const { options, usesTimes, carries, isPicture } = exportFormat(format);
  if (!options.includes('filter') && !keepsAll(filter)) {
    throw new UsageError(
      `--format ${format} writes the complete profile: it takes neither --filter nor --hide-errors`,
    );
  }
  for (const option of Object.keys(REQUIRED_SUPPORT) as (keyof typeof REQUIRED_SUPPORT)[]) {
    const required = REQUIRED_SUPPORT[option];
    if (!args.has(option) || options.includes(required)) continue;
    throw new UsageError(`--${option} is for --format ${formatsWith(required).join('|')}`);
  }
  const named = values.anonymous.length === 0 ? [] : (['search', 'root', 'filter'] as const);
  for (const option of named)
    if (args.has(option))
      throw new UsageError(`--${option} names what --anonymous hides: leave one of them away`);
  if (options.includes('method') && values.method === undefined) {
    throw new UsageError(`--format ${format} needs --method KEY; --format flat lists the keys`);
  }
  const { search = '' } = values;
  const { problem } = parseSearch(search);
  if (problem !== undefined) throw new UsageError(`--search: ${problem}`);
  const hidesErrors = leavesErrorsOut(filter, format);
  const question = questionOf('export', args, {
    frames,
    keys: frames,
    metric,
    search,
    hidesErrors,
    siblings: 'weight',
    attribute: attributeOf(values.threads),
  });
  const { paths, merge } = question.input;
  const name = printable(titleOf(merge === undefined ? [paths[0]] : paths));
  return {
    ...values,
    ...question,
    // A summary is the answer that the window and the command `summary` give; all other formats have what is in the file.
    isFirstView: format === 'md',
    needsTimes: usesTimes === 'needed' ? `--format ${format}` : undefined,
    wantsTimes: carries !== undefined || usesTimes !== undefined,
    page: pageFormOf({
      values,
      carries,
      settings: { frames, metric },
      hasScope: !isEmptyScope(question.query.scope) || question.range !== undefined,
    }),
    format,
    // A picture is drawn with half as many pixels as it has.
    width: isPicture === true && args.has('width') ? values.width / PICTURE_SCALE : values.width,
    pixels: isPicture === true ? (args.has('width') ? 1 : PICTURE_SCALE) * values.width : undefined,
    project: format === 'md' ? projectOf(undefined) : undefined,
    out: values.output,
    threads: values.threads ?? (format === 'tree' ? 'name' : 'all'),
    order: { by: metric === 'time' ? ('selfTime' as const) : ('selfCount' as const), descending: true },
    isMeasured: values.measured,
    filter,
    method: values.method ?? '',
    orientation: values.icicle ? ('icicle' as const) : ('flame' as const),
    name,
    title: values.title ?? name,
    budget: budgetOf(values),
  };
}

/** `app.hpl`, or `app.hpl and 2 others`. */
function titleOf([first, ...others]: readonly string[]): string {
  const name = first === '-' ? 'standard input' : basename(first);
  if (others.length === 0) return name;
  return `${name} and ${others.length === 1 ? basename(others[0]) : `${others.length} others`}`;
}

/** Throws UsageError without --format, if the extension of the output names none. */
function formatOf({ format, output: out }: ExportArguments['values']): ExportFormatId {
  if (format !== undefined && format !== DATASET) return format;
  const byName = out === undefined ? undefined : formatOfFileName(out);
  if (byName !== undefined) return byName;
  const needs = out === undefined || out === '-' ? 'export needs --format FORMAT' : noFormatText(out);
  throw new UsageError(`${needs}; ${FORMATS_BY_PURPOSE}`);
}

/** `to read it: methods, tree; to share it: svg`, for messages. */
export const FORMATS_BY_PURPOSE = EXPORT_PURPOSES.map(
  ({ purpose, formats }) => `${purpose}: ${formats.map(({ id }) => id).join(', ')}`,
).join('; ');

/** The message about the name of an output that does not say its format. */
export function noFormatText(out: string): string {
  return `the extension of ${out} names no format: add --format FORMAT`;
}
