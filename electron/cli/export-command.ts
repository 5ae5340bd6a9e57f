import { basename } from 'node:path';
import { exportCollapsed } from '../../shared/export/collapsed.ts';
import { exportCsv } from '../../shared/export/csv.ts';
import { DEFAULT_SVG_WIDTH, exportFlameSvg } from '../../shared/export/flame-svg.ts';
import { exportFlat } from '../../shared/export/flat.ts';
import { exportLean } from '../../shared/export/lean.ts';
import { exportMethodTree } from '../../shared/export/method-tree.ts';
import { callTreeOf, exportTree } from '../../shared/export/tree.ts';
import type { TextSink } from '../../shared/export/text-sink.ts';
import type { Chosen } from '../../shared/formats/choice.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { formatQuantity } from '../../shared/text/format-value.ts';
import { nearestTexts } from '../../shared/text/nearest-texts.ts';
import type { CallTree } from '../../shared/views/call-tree.ts';
import { keepsAll, keptRows, type RowFilter } from '../../shared/views/filter.ts';
import { flameWeights } from '../../shared/views/flame-measures.ts';
import type { Recursion } from '../../shared/views/flat-profile.ts';
import {
  FRAME_GROUPINGS,
  type FrameGrouping,
  type Metric,
  METRICS,
  THREAD_GROUPINGS,
  type ThreadGrouping,
} from '../../shared/views/grouping.ts';
import { KeyTable } from '../../shared/views/keys.ts';
import { parseSearch, type Search } from '../../shared/views/search.ts';
import {
  integerValue,
  oneFile,
  type OptionSpecs,
  type ParsedArguments,
  parseArguments,
} from './arguments.ts';
import { CommandError, type CommandIo, type ExitStatus, UsageError } from './command-io.ts';
import { printable } from './printable.ts';
import { CHOOSE_OPTION, chosenOf } from './choose-option.ts';
import { inputName, readProfile } from './read-profile.ts';
import { writeText } from './text-output.ts';

const FORMATS = ['lean', 'flat', 'tree', 'callers', 'callees', 'collapsed', 'svg', 'csv'] as const;
type Format = (typeof FORMATS)[number];
/** In the contract, not in the program yet. */
const LATER_FORMATS: readonly string[] = ['json'];

/** So many keys are offered to who named one that is not there. */
const NEAREST_KEYS = 3;

const RECURSIONS: readonly Recursion[] = ['once', 'per-level'];

export const EXPORT_OPTIONS: OptionSpecs = {
  '--format': { value: FORMATS.join('|'), help: 'what to write; required' },
  '--frames': {
    value: FRAME_GROUPINGS.join('|'),
    choices: FRAME_GROUPINGS,
    help: 'what makes two frames one row (default fqmn: class and method)',
  },
  '--threads': {
    value: THREAD_GROUPINGS.join('|'),
    choices: THREAD_GROUPINGS,
    help: 'what makes two threads one root (default name for tree, else all)',
  },
  '--recursion': {
    value: RECURSIONS.join('|'),
    choices: RECURSIONS,
    help: 'flat, csv, callers, callees: how often a sample counts for a recursive method (default once)',
  },
  '--metric': {
    value: METRICS.join('|'),
    choices: METRICS,
    help: 'svg, collapsed: the weight; csv: the order (default samples)',
  },
  '--hide-errors': { help: 'without AsyncGetCallTrace errors and threads without a name' },
  '--filter': {
    value: 'TEXT',
    repeatable: true,
    help: 'only rows whose key contains every TEXT, in trees with the rows above them; collapsed: only stacks with such a frame',
  },
  '--search': { value: 'TEXT', help: 'svg: highlight what contains TEXT, or matches /TEXT/' },
  '--root': { value: 'KEY', help: 'svg: zoom to the heaviest frame with this key' },
  '--theme': { value: 'light|dark', choices: ['light', 'dark'], help: 'svg (default light)' },
  '--icicle': { help: 'svg: the root at the top' },
  '--width': { value: 'PIXELS', help: `svg (default ${DEFAULT_SVG_WIDTH})` },
  '--title': { value: 'TEXT', help: 'svg (default the name of the file)' },
  '--method': {
    value: 'KEY',
    help: 'callers, callees, required: the method, as --format flat writes its key with the same --frames',
  },
  '--choose': CHOOSE_OPTION,
  '-o': { value: 'OUT', help: 'write to OUT, which appears whole or not at all (default standard output)' },
};

const SVG_OPTIONS = ['--search', '--root', '--theme', '--icicle', '--width', '--title'];

interface ExportRequest {
  readonly path: string;
  readonly chosen: Chosen;
  readonly format: Format;
  readonly frames: FrameGrouping;
  readonly threads: ThreadGrouping;
  readonly recursion: Recursion;
  readonly metric: Metric;
  readonly filter: RowFilter;
  /** callers, callees: a key. */
  readonly method: string;
  readonly search: Search | undefined;
  readonly root: string | undefined;
  readonly theme: 'light' | 'dark';
  readonly orientation: 'flame' | 'icicle';
  readonly width: number;
  readonly title: string;
}

export async function exportCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, EXPORT_OPTIONS);
  const request = exportRequest(args);
  const { profile, problems, status } = await readForExport(request, io);
  writeText(args.value('-o'), request.path, io, (sink) => {
    const note = writeFormat(profile, request, sink);
    if (note !== undefined) io.stderr(`${note}\n`);
  });
  for (const problem of problems) io.stderr(`${problem}\n`);
  return status;
}

async function readForExport(
  { path, chosen }: ExportRequest,
  io: CommandIo,
): Promise<{ profile: LeanProfile; problems: readonly string[]; status: ExitStatus }> {
  const read = await readProfile(path, chosen, io);
  return { profile: read.aggregator.profile, problems: read.problems, status: read.status };
}

/** Everything that can be wrong with the command line, before anything is read. Throws UsageError. */
function exportRequest(args: ParsedArguments): ExportRequest {
  const format = formatOf(args);
  const path = oneFile('export', args);
  const filter: RowFilter = { hideErrors: args.has('--hide-errors'), contains: args.values('--filter') };
  if (format === 'lean' && !keepsAll(filter)) {
    throw new UsageError('--format lean is the whole profile: it takes neither --filter nor --hide-errors');
  }
  for (const option of SVG_OPTIONS) {
    if (format !== 'svg' && args.has(option)) throw new UsageError(`${option} is for --format svg only`);
  }
  const search = args.has('--search') ? parseSearch(args.value('--search') ?? '') : undefined;
  if (search?.problem !== undefined) {
    throw new UsageError(`--search is no regular expression: ${printable(search.problem)}`);
  }
  return {
    path,
    chosen: chosenOf(args),
    format,
    frames: choice(args, '--frames', FRAME_GROUPINGS, 'fqmn'),
    threads: choice(args, '--threads', THREAD_GROUPINGS, format === 'tree' ? 'name' : 'all'),
    recursion: choice(args, '--recursion', RECURSIONS, 'once'),
    metric: choice(args, '--metric', METRICS, 'samples'),
    filter,
    method: args.value('--method') ?? '',
    search,
    root: args.value('--root'),
    theme: choice(args, '--theme', ['light', 'dark'], 'light'),
    orientation: args.has('--icicle') ? 'icicle' : 'flame',
    width: integerValue(args, '--width', 200, 100_000, DEFAULT_SVG_WIDTH),
    title: args.value('--title') ?? (path === '-' ? 'Flame graph' : basename(path)),
  };
}

function formatOf(args: ParsedArguments): Format {
  const text = args.value('--format');
  if (text === undefined) throw new UsageError(`export needs --format ${FORMATS.join('|')}`);
  const format = FORMATS.find((each) => each === text);
  if (format !== undefined) {
    const takesMethod = format === 'callers' || format === 'callees';
    if (args.has('--method') && !takesMethod)
      throw new UsageError('--method is for --format callers|callees');
    if (takesMethod && !args.has('--method')) {
      throw new UsageError(`--format ${format} needs --method KEY; --format flat lists the keys`);
    }
    return format;
  }
  if (LATER_FORMATS.includes(text)) throw new UsageError(`--format ${text} is not available yet`);
  throw new UsageError(`--format cannot be '${printable(text)}': it is one of ${FORMATS.join(', ')}`);
}

function choice<Choice extends string>(
  args: ParsedArguments,
  option: string,
  choices: readonly Choice[],
  otherwise: Choice,
): Choice {
  const text = args.value(option);
  return choices.find((each) => each === text) ?? otherwise;
}

/** Returns what the reader of the output should know besides it. */
function writeFormat(profile: LeanProfile, request: ExportRequest, sink: TextSink): string | undefined {
  const { format, frames, threads, recursion, metric, filter } = request;
  const grouping = { threads, frames };
  switch (format) {
    case 'lean':
      exportLean(profile, sink);
      return undefined;
    case 'flat':
      exportFlat(profile, { frames, recursion, filter }, sink);
      return undefined;
    case 'csv':
      exportCsv(profile, { frames, recursion, filter, metric }, sink);
      return undefined;
    case 'tree':
      exportTree(profile, { grouping, filter }, sink);
      return undefined;
    case 'callers':
    case 'callees': {
      const { method } = request;
      const options = { direction: format, method, grouping, recursion, filter };
      if (!exportMethodTree(profile, options, sink)) throw unknownMethod(profile, request);
      return undefined;
    }
    case 'collapsed': {
      const leftOut = exportCollapsed(profile, { grouping, metric, filter }, sink);
      if (leftOut === 0) return undefined;
      return `${inputName(request.path)}: ${formatQuantity(leftOut, 'stack')} left out: no positive time`;
    }
    case 'svg': {
      const tree = callTreeOf(profile, grouping);
      exportFlameSvg(
        {
          tree,
          metric,
          zoom: request.root === undefined ? undefined : heaviestRow(tree, request.root, request),
          search: request.search,
          kept: keepsAll(filter) ? undefined : keptRows(tree, filter),
          theme: request.theme,
          orientation: request.orientation,
          title: request.title,
          width: request.width,
        },
        sink,
      );
      return undefined;
    }
  }
}

function unknownMethod(profile: LeanProfile, { path, method, frames }: ExportRequest): CommandError {
  const keys = new KeyTable(profile, frames);
  keys.update();
  const nearest = nearestTexts(keys.labels, method, NEAREST_KEYS).map((key) => `'${printable(key)}'`);
  const advice =
    nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : '--format flat lists the keys';
  return new CommandError(
    `${inputName(path)}: has no method with the key '${printable(method)}' (--frames ${frames}); ${advice}`,
  );
}

function heaviestRow(tree: CallTree, label: string, { metric, path }: ExportRequest): number {
  const weights = flameWeights(tree, metric);
  let heaviest: number | undefined;
  for (let row = 0; row < tree.length; row++) {
    if (tree.label(row) !== label) continue;
    if (heaviest === undefined || weights[row] > weights[heaviest]) heaviest = row;
  }
  if (heaviest === undefined) {
    throw new CommandError(
      `${inputName(path)}: has no frame with the key '${printable(label)}'; --format flat lists the keys`,
    );
  }
  return heaviest;
}
