import { basename } from 'node:path';
import type { ExportBudget } from '../../shared/export/export-budget.ts';
import {
  EXPORT_FORMAT_IDS,
  EXPORT_PURPOSES,
  type ExportFormatId,
  type ExportOption,
  exportFormat,
  formatOfFileName,
  formatsWith,
} from '../../shared/export/export-formats.ts';
import { DEFAULT_SVG_WIDTH } from '../../shared/export/flame-svg.ts';
import { DEFAULT_BUCKETS } from '../../shared/export/timeline.ts';
import type { Chosen, MergedThreads } from '../../shared/facts/choice.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import { keepsAll, type RowFilter } from '../../shared/views/filter.ts';
import {
  type FrameGrouping,
  type Recursion,
  THREAD_GROUPINGS,
  type ThreadGrouping,
} from '../../shared/trees/grouping.ts';
import { printable } from '../../shared/text/printable.ts';
import { type Metric, METRICS } from '../../shared/values/metric.ts';
import { parseSearch, type Search } from '../../shared/views/search.ts';
import type { SortOrder } from '../../shared/views/sort-order.ts';
import {
  choiceValue,
  filesOf,
  integerValue,
  type OptionSpecs,
  type ParsedArguments,
  wrongChoice,
} from './arguments.ts';
import { CHOOSE_OPTION, chosenOf } from './choose-option.ts';
import { UsageError } from './command-io.ts';
import { MERGE_FILES_OPTION, mergedThreadsOf } from './read-merged.ts';
import { HIDE_ERRORS_OPTION } from './hidden-errors.ts';
import { budgetOf, NO_LIMIT_OPTION, WHOLE_OUTPUT_OPTION } from './output.ts';
import { FRAMES_OPTION, framesOf, SCOPE_OPTIONS, scopeOf } from './scope-options.ts';
import { type GivenRange, givenRangeOf } from './time-options.ts';

const MOST_BUCKETS = 1_000_000;
const RECURSIONS: readonly Recursion[] = ['once', 'per-level'];

/** The formats with an option, for help texts: `svg, collapsed`. */
function formatNames(option: ExportOption): string {
  return formatsWith(option).join(', ');
}

export const EXPORT_OPTIONS: OptionSpecs = {
  '--format': {
    also: '-f',
    value: EXPORT_FORMAT_IDS.join('|'),
    help: 'what to write (default by the extension of OUT)',
  },
  '--frames': FRAMES_OPTION,
  '--threads': {
    value: THREAD_GROUPINGS.join('|'),
    choices: THREAD_GROUPINGS,
    help: 'what threads of one root have in common (default name for tree, else all)',
  },
  '--recursion': {
    value: RECURSIONS.join('|'),
    choices: RECURSIONS,
    help: `${formatNames('recursion')}: how often a sample counts for a recursive method (default once)`,
  },
  '--metric': {
    value: METRICS.join('|'),
    choices: METRICS,
    help: 'svg, collapsed: the weight; csv, methods: the sort order; methods: what shares are of (default samples)',
  },
  '--hide-errors': HIDE_ERRORS_OPTION,
  '--filter': {
    value: 'TEXT',
    repeatable: true,
    help: 'only rows whose key contains every TEXT; trees also keep the rows above them; collapsed: only stacks with such a frame',
  },
  '--search': {
    value: 'TEXT',
    help: 'svg: highlight frames that contain TEXT or match the regular expression /TEXT/',
  },
  '--root': { value: 'KEY', help: 'svg: zoom to the heaviest frame with this key' },
  '--theme': { value: 'light|dark', choices: ['light', 'dark'], help: 'svg (default light)' },
  '--icicle': { help: 'svg: the root at the top' },
  '--width': { value: 'PIXELS', help: `svg (default ${DEFAULT_SVG_WIDTH})` },
  '--title': { value: 'TEXT', help: `${formatNames('title')} (default the name of the file)` },
  '--method': {
    value: 'KEY',
    help: `${formatNames('method')}: the method, required; its key as --format flat writes it with the same --frames`,
  },
  '--depth': {
    value: 'FRAMES',
    help: `${formatNames('depth')}: keep only this many frames of deeper stacks, those next to the leaf`,
  },
  '--buckets': {
    value: 'N',
    help: `${formatNames('buckets')}: number of lines (default ${DEFAULT_BUCKETS})`,
  },
  '--measured': {
    help: `${formatNames('buckets')}: a line with the names of columns, and columns for what else is known over time: GC pauses (ns), CPU load and heap of a recording, errors, time in gaps (ns)`,
  },
  ...SCOPE_OPTIONS,
  '--choose': CHOOSE_OPTION,
  '--merge-files': MERGE_FILES_OPTION,
  '--no-limit': NO_LIMIT_OPTION,
  '-o': WHOLE_OUTPUT_OPTION,
};

/** Option of the command line -> the option that a format must support to accept it. */
const REQUIRED_SUPPORT: Readonly<Record<string, ExportOption>> = {
  '--method': 'method',
  '--depth': 'depth',
  '--buckets': 'buckets',
  '--measured': 'buckets',
  '--title': 'title',
  '--search': 'drawing',
  '--root': 'drawing',
  '--theme': 'drawing',
  '--icicle': 'drawing',
  '--width': 'drawing',
};

/** The parsed command line of `export`. */
export interface ExportRequest {
  /** The first of `paths`; messages name it. */
  readonly path: string;
  readonly paths: readonly string[];
  readonly chosen: Chosen;
  /** How several files are merged; undefined: they are one input. */
  readonly merge: MergedThreads | undefined;
  readonly format: ExportFormatId;
  readonly frames: FrameGrouping;
  readonly threads: ThreadGrouping;
  readonly recursion: Recursion;
  readonly metric: Metric;
  readonly order: SortOrder;
  /** The scope without its time range. Its keys are those of `frames`. */
  readonly scope: Scope;
  readonly range: GivenRange | undefined;
  /** For timeline. */
  readonly buckets: number;
  readonly isMeasured: boolean;
  readonly filter: RowFilter;
  /** For callers and callees: a key. */
  readonly method: string;
  readonly search: Search | undefined;
  readonly root: string | undefined;
  readonly theme: 'light' | 'dark';
  readonly orientation: 'flame' | 'icicle';
  readonly width: number;
  readonly title: string;
  /** For hprof: the number of frames that are kept of a deeper stack; undefined: all. */
  readonly depth: number | undefined;
  readonly budget: ExportBudget;
}

/** Parses and checks the command line of `export`, before anything is read. Throws UsageError. */
export function exportRequest(args: ParsedArguments): ExportRequest {
  const format = formatOf(args);
  const paths = filesOf('export', args);
  const path = paths[0];
  const filter: RowFilter = { hideErrors: args.has('--hide-errors'), contains: args.values('--filter') };
  const { options } = exportFormat(format);
  if (!options.includes('filter') && !keepsAll(filter)) {
    throw new UsageError(
      `--format ${format} writes the complete profile: it takes neither --filter nor --hide-errors`,
    );
  }
  for (const [option, required] of Object.entries(REQUIRED_SUPPORT)) {
    if (!args.has(option) || options.includes(required)) continue;
    throw new UsageError(`${option} is for --format ${formatsWith(required).join('|')}`);
  }
  if (options.includes('method') && !args.has('--method')) {
    throw new UsageError(`--format ${format} needs --method KEY; --format flat lists the keys`);
  }
  const search = args.has('--search') ? parseSearch(args.value('--search') ?? '') : undefined;
  if (search?.problem !== undefined) {
    throw new UsageError(`--search is not a valid regular expression: ${search.problem}`);
  }
  const metric = choiceValue(args, '--metric', METRICS, 'samples');
  return {
    path,
    paths,
    chosen: chosenOf(args),
    merge: mergedThreadsOf(args),
    format,
    frames: framesOf(args),
    threads: choiceValue(args, '--threads', THREAD_GROUPINGS, format === 'tree' ? 'name' : 'all'),
    recursion: choiceValue(args, '--recursion', RECURSIONS, 'once'),
    metric,
    order: { by: metric === 'time' ? 'selfTime' : 'selfCount', descending: true },
    scope: scopeOf(args),
    range: givenRangeOf(args),
    isMeasured: args.has('--measured'),
    buckets: integerValue(args, '--buckets', 1, MOST_BUCKETS, DEFAULT_BUCKETS),
    filter,
    method: args.value('--method') ?? '',
    search,
    root: args.value('--root'),
    theme: choiceValue(args, '--theme', ['light', 'dark'], 'light'),
    orientation: args.has('--icicle') ? 'icicle' : 'flame',
    width: integerValue(args, '--width', 200, 100_000, DEFAULT_SVG_WIDTH),
    title: args.value('--title') ?? printable(titleOf(args.has('--merge-files') ? paths : [path])),
    budget: budgetOf(args),
    depth: args.has('--depth') ? integerValue(args, '--depth', 1, 32_767, 32_767) : undefined,
  };
}

/** `app.hpl`, or `app.hpl and 2 others`. */
function titleOf([first, ...others]: readonly string[]): string {
  const name = first === '-' ? 'standard input' : basename(first);
  if (others.length === 0) return name;
  return `${name} and ${others.length === 1 ? basename(others[0]) : `${others.length} others`}`;
}

function formatOf(args: ParsedArguments): ExportFormatId {
  const text = args.value('--format');
  const out = args.value('-o');
  if (text === undefined) {
    const byName = out === undefined ? undefined : formatOfFileName(out);
    if (byName !== undefined) return byName;
    const needs = out === undefined || out === '-' ? 'export needs --format FORMAT' : noFormatText(out);
    throw new UsageError(`${needs}; ${FORMATS_BY_PURPOSE}`);
  }
  const format = EXPORT_FORMAT_IDS.find((each) => each === text);
  if (format !== undefined) return format;
  throw new UsageError(wrongChoice('--format', text, EXPORT_FORMAT_IDS));
}

/** `to read it: methods, tree; to share it: svg`, for messages. */
export const FORMATS_BY_PURPOSE = EXPORT_PURPOSES.map(
  ({ purpose, formats }) => `${purpose}: ${formats.join(', ')}`,
).join('; ');

/** The message about the name of an output that does not say its format. */
export function noFormatText(out: string): string {
  return `the extension of ${out} names no format: add --format FORMAT`;
}
