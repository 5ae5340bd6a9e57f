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
import { exportOf, type PageForm } from '../../shared/export/export-view.ts';
import type { Metric } from '../../shared/engine/values/metric.ts';
import type { RowValues } from '../../shared/engine/values/row-sums.ts';
import { heaviestRow } from '../../shared/engine/views/heaviest-below.ts';
import { flameWeights } from '../../shared/engine/views/flame-measures.ts';
import { KeyTable } from '../../shared/engine/trees/keys.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { isFirstByValue } from '../../shared/facts/sample-kind.ts';
import { isEmptyScope } from '../../shared/scope/scope.ts';
import { printable } from '../../shared/text/printable.ts';
import { keepsAll, type RowFilter } from '../../shared/engine/views/filter.ts';
import { parseSearch } from '../../shared/engine/views/search.ts';
import { type AskedProfile, askProfile, questionOf } from './ask-profile.ts';
import { CommandError, type CommandIo, type ExitStatus, inputName, writeMessage } from './command-io.ts';
import { didYouMean, UsageError } from './options/usage-error.ts';
import { DATASET, type CARRIED_OPTIONS } from './options/command-options.ts';
import type { COMMANDS } from './options/commands.ts';
import type { Arguments, ValuesOf } from './options/options.ts';
import { budgetOf, writeOutput } from './output.ts';
import { projectOf } from './project-of.ts';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programVersion } from './process-io.ts';
import { createRequire } from 'node:module';

/** The canonical texts of Honest Profiler, whose filters never change a sum. */
const REFERENCE_FORMATS: readonly string[] = ['flat', 'tree'];

/**
 * Whether the samples of hidden errors are left out, and not only their rows: of what people read, as in the window, and
 * of all shares.
 */
export function leavesErrorsOut({ hideErrors }: RowFilter, format: string): boolean {
  return hideErrors && !REFERENCE_FORMATS.includes(format);
}

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
  const metric = format === 'md' && isFirstByValue(facts) ? 'time' : asked.query.metric;
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
    throw new CommandError(`${name}: ${error.message}${adviceFor(error.reason, asked.profile, request)}`);
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
  });
  const { paths, merge } = question.input;
  const name = printable(titleOf(merge === undefined ? [paths[0]] : paths));
  return {
    ...values,
    ...question,
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

// ---- What pages and drawings carry of their profile ----

/** Without an explicit wish a drawing carries at most so many bytes besides itself. */
const MOST_EMBEDDED = 2_000_000;

/** The part of a command line that concerns the profile in a file. */
interface CarriedRequest {
  readonly values: ValuesOf<typeof CARRIED_OPTIONS>;
  /** Undefined: the format carries no profile. */
  readonly carries: 'page' | 'drawing' | undefined;
  /** Something is left out or changed. */
  readonly hasScope: boolean;
  /** Settings of the window that opens it. */
  readonly settings: object;
}

/** The form of a file that carries its profile; undefined for a format that carries none. Throws UsageError and CommandError. */
export function pageFormOf({ values, carries, hasScope, settings }: CarriedRequest): PageForm | undefined {
  if (carries === undefined) return undefined;
  if (values.include === 'all' && hasScope)
    throw new UsageError('--include all writes what is outside of the scope, too: leave the scope away');
  const anonymous = values.anonymous.map((each) => {
    const found = /^([^=*]+)=\*$/.exec(each);
    if (found === null)
      throw new UsageError(`--anonymous must be PREFIX=*, such as com.acme=*, not '${each}'`);
    return found[1];
  });
  return {
    options: {
      include: values.include,
      anonymous,
      note: values.note ?? '',
      threads: !values['no-threads'],
      times: !values['no-times'],
    },
    template: carries === 'page' ? pageTemplate() : undefined,
    madeBy: programVersion(),
    views: { whole: '', part: '' },
    preferences: JSON.stringify(settings),
    most: values.embed === 'no' ? 0 : carries === 'page' || values.embed === 'yes' ? Infinity : MOST_EMBEDDED,
  };
}

/** The build bundles this module into a file in dist/electron; tests run it where it is. */
const TEMPLATES = ['../renderer/page.html', '../../dist/renderer/page.html'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The built page without a profile. */
function pageTemplate(): string {
  const path = TEMPLATES.find((each) => existsSync(each));
  if (path === undefined) throw new CommandError(`${TEMPLATES[0]}: is missing; npm run build makes it`);
  return readFileSync(path, 'utf8');
}

// ---- Pictures: resvg makes them of drawings, where it is installed beside Leanscope ----

/** The parts of `@resvg/resvg-js` that are used here. */
interface Drawing {
  render(): { asPng(): Uint8Array; readonly pixels: Uint8Array };
}
type Resvg = new (
  svg: string,
  options?: {
    readonly fitTo?: { readonly mode: 'zoom'; readonly value: number };
    readonly font?: { readonly loadSystemFonts: boolean };
  },
) => Drawing;

/** A picture has so many pixels in each direction for one of its drawing, so that texts are sharp. */
const PICTURE_SCALE = 2;

/** A picture has no more pixels: 600 MB while it is drawn. */
const MOST_PIXELS = 150_000_000;

const FONTS = { loadSystemFonts: true };

/** The sentence for a machine that has no fonts. */
const NO_FONTS =
  'the picture has no texts, because this machine has no fonts: install some, such as fonts-dejavu';

/** Throws CommandError where resvg is not installed. */
function loadResvg(): Resvg {
  try {
    return (createRequire(import.meta.url)('@resvg/resvg-js') as { readonly Resvg: Resvg }).Resvg;
  } catch {
    throw new CommandError(
      'pictures are drawn by resvg, which is not installed: npx -p leanscope -p @resvg/resvg-js leanscope …, or npm install @resvg/resvg-js beside leanscope; --format svg needs nothing',
    );
  }
}

/** A drawing as PNG, and what is to be said about it. Throws CommandError if it would be too large. */
function pngOf(
  svg: string,
  NewDrawing: Resvg,
): { readonly png: Uint8Array; readonly notes: readonly string[] } {
  // The drawing says its size at its beginning: one that is too large takes minutes to be read.
  const [, ...size] = /<svg [^>]*? width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  const [width, height] = size.map((pixels) => Math.ceil(Number(pixels) * PICTURE_SCALE));
  if (width * height > MOST_PIXELS)
    throw new CommandError(
      `the picture would have ${width} × ${height} pixels; --format svg has any size, --root draws a part`,
    );
  const drawing = new NewDrawing(svg, { fitTo: { mode: 'zoom', value: PICTURE_SCALE }, font: FONTS });
  return { png: drawing.render().asPng(), notes: hasFonts(NewDrawing) ? [] : [NO_FONTS] };
}

function hasFonts(NewDrawing: Resvg): boolean {
  const letter = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="8">M</text></svg>';
  return new NewDrawing(letter, { font: FONTS }).render().pixels.some((part) => part > 0);
}
