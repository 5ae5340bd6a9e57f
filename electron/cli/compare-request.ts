import { basename } from 'node:path';
import { COMPARE_FORMAT_IDS, type CompareFormatId } from '../../shared/export/compare-formats.ts';
import { DEFAULT_SVG_WIDTH } from '../../shared/export/flame-svg.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import { printable } from '../../shared/text/printable.ts';
import {
  type FrameGrouping,
  type Recursion,
  THREAD_GROUPINGS,
  type ThreadGrouping,
} from '../../shared/trees/grouping.ts';
import type { CompareBy } from '../../shared/values/compared-to.ts';
import { type Metric, METRICS } from '../../shared/values/metric.ts';
import type { RowFilter } from '../../shared/views/filter.ts';
import { choiceValue, integerValue, type OptionSpecs, type ParsedArguments } from './arguments.ts';
import { CHOOSE_OPTION, chosenOf } from './choose-option.ts';
import { UsageError } from './command-io.ts';
import { inputName } from './input-name.ts';
import { HIDE_ERRORS_OPTION } from './hidden-errors.ts';
import { NO_LIMIT_OPTION, WHOLE_OUTPUT_OPTION } from './output.ts';
import { FRAMES_OPTION, framesOf, SCOPE_OPTIONS, scopeOfRuns, threadsOf } from './scope-options.ts';
import { type GivenRange, givenRangeOf } from './time-options.ts';

const NORMALIZATIONS = ['share', 'none'] as const;
const RECURSIONS: readonly Recursion[] = ['once', 'per-level'];

export const COMPARE_OPTIONS: OptionSpecs = {
  '--format': {
    also: '-f',
    value: COMPARE_FORMAT_IDS.join('|'),
    choices: COMPARE_FORMAT_IDS,
    help: 'what to write (default report)',
  },
  '--normalize': {
    value: NORMALIZATIONS.join('|'),
    choices: NORMALIZATIONS,
    help: 'flat, tree, svg: compare shares of the own total of each profile, or numbers as they are (default share for svg, else none)',
  },
  '--fail-above': {
    value: 'POINTS',
    help: 'exit status 4 if the share of a method grew by more than so many percentage points, and chance does not explain that it grew',
  },
  '--key': { value: 'PREFIX', help: '--fail-above: only methods whose keys begin with PREFIX' },
  '--frames': FRAMES_OPTION,
  '--threads': {
    value: THREAD_GROUPINGS.join('|'),
    choices: THREAD_GROUPINGS,
    help: 'tree, svg, html: what threads of one root have in common (default name for tree, else all)',
  },
  '--recursion': {
    value: RECURSIONS.join('|'),
    choices: RECURSIONS,
    help: 'flat: how often a sample counts for a recursive method (default once)',
  },
  '--metric': {
    value: METRICS.join('|'),
    choices: METRICS,
    help: 'report, csv, svg, --fail-above: what shares are of (default samples)',
  },
  '--hide-errors': HIDE_ERRORS_OPTION,
  '--filter': { value: 'TEXT', repeatable: true, help: 'only rows whose key contains every TEXT' },
  '--root': { value: 'KEY', help: 'svg: zoom to the widest frame with this key' },
  '--theme': { value: 'light|dark', choices: ['light', 'dark'], help: 'svg, html (default light)' },
  '--icicle': { help: 'svg, html: the root at the top' },
  '--width': { value: 'PIXELS', help: `svg, html (default ${DEFAULT_SVG_WIDTH})` },
  '--title': { value: 'TEXT', help: 'report, report-md, html, svg' },
  ...SCOPE_OPTIONS,
  '--from-base': { value: 'TIME', help: 'the range of BASE, if it is another one: two ranges of one file' },
  '--to-base': { value: 'TIME', help: 'the end of the range of BASE' },
  '--thread-base': {
    value: 'NAME',
    repeatable: true,
    help: 'the threads of BASE, if they are others: two sets of threads of one file',
  },
  '--choose': CHOOSE_OPTION,
  '--choose-base': { ...CHOOSE_OPTION, help: 'the same for BASE only: to compare two sample types' },
  '--choose-new': { ...CHOOSE_OPTION, help: 'the same for NEW only' },
  '--no-limit': NO_LIMIT_OPTION,
  '-o': WHOLE_OUTPUT_OPTION,
};

/** An option -> the formats that use it. */
const FORMATS_OF_OPTION: Readonly<Record<string, readonly CompareFormatId[]>> = {
  '--normalize': ['flat', 'tree', 'svg'],
  '--recursion': ['flat'],
  '--threads': ['tree', 'svg', 'html'],
  '--root': ['svg'],
  '--theme': ['svg', 'html'],
  '--icicle': ['svg', 'html'],
  '--width': ['svg', 'html'],
  '--title': ['report', 'report-md', 'html', 'svg'],
};

/** One of the two profiles. */
export interface ComparedFile {
  readonly path: string;
  readonly chosen: Chosen;
  /** What of its time is compared; undefined: all. */
  readonly range: GivenRange | undefined;
  /** See `Scope.threads`. */
  readonly threads: readonly string[];
  /** For titles. */
  readonly name: string;
}

/** The parsed command line of `compare`. */
export interface CompareRequest {
  readonly base: ComparedFile;
  readonly next: ComparedFile;
  readonly format: CompareFormatId;
  readonly by: CompareBy;
  /** undefined: no share is too large. */
  readonly failAbove: { readonly points: number; readonly prefix: string } | undefined;
  readonly frames: FrameGrouping;
  readonly threads: ThreadGrouping;
  readonly recursion: Recursion;
  readonly metric: Metric;
  readonly scope: Scope;
  readonly filter: RowFilter;
  readonly root: string | undefined;
  readonly theme: 'light' | 'dark';
  readonly orientation: 'flame' | 'icicle';
  readonly width: number;
  readonly title: string;
}

/** Parses and checks the command line of `compare`, before anything is read. Throws UsageError. */
export function compareRequest(args: ParsedArguments): CompareRequest {
  const format = choiceValue(args, '--format', COMPARE_FORMAT_IDS, 'report');
  const { files } = args;
  if (files.length !== 2) {
    const found = files.length === 0 ? '' : `, not ${files.length}: ${files.join(' ')}`;
    throw new UsageError(`compare needs two files, BASE and NEW${found}`);
  }
  const [base, next] = files;
  if (base === '-' && next === '-') throw new UsageError('only one of BASE and NEW can be standard input');
  for (const [option, formats] of Object.entries(FORMATS_OF_OPTION)) {
    if (args.has(option) && !formats.includes(format))
      throw new UsageError(`${option} is for --format ${formats.join('|')}`);
  }
  const names = namesOf(base, next);
  const range = givenRangeOf(args);
  const scope = scopeOfRuns(args);
  const isGraph = format === 'svg' || format === 'html';
  return {
    base: comparedFile(args, base, names.base, {
      chosen: chosenOf(args, '--choose-base'),
      range: givenRangeOf(args, '-base') ?? range,
      rangeText: rangeText(args, '-base') || rangeText(args),
      threads: args.has('--thread-base') ? threadsOf(args, '--thread-base') : scope.threads,
      threadsText: threadsText(args, '-base') || threadsText(args),
    }),
    next: comparedFile(args, next, names.next, {
      chosen: chosenOf(args, '--choose-new'),
      range,
      rangeText: rangeText(args),
      threads: scope.threads,
      threadsText: threadsText(args),
    }),
    format,
    by:
      choiceValue(args, '--normalize', NORMALIZATIONS, isGraph ? 'share' : 'none') === 'share'
        ? 'share'
        : 'amount',
    failAbove: failAboveOf(args),
    frames: framesOf(args),
    threads: choiceValue(args, '--threads', THREAD_GROUPINGS, format === 'tree' ? 'name' : 'all'),
    recursion: choiceValue(args, '--recursion', RECURSIONS, 'once'),
    metric: choiceValue(args, '--metric', METRICS, 'samples'),
    scope,
    filter: { hideErrors: args.has('--hide-errors'), contains: args.values('--filter') },
    root: args.value('--root'),
    theme: choiceValue(args, '--theme', ['light', 'dark'], 'light'),
    orientation: args.has('--icicle') ? 'icicle' : 'flame',
    width: integerValue(args, '--width', 200, 100_000, DEFAULT_SVG_WIDTH),
    title: args.value('--title') ?? 'Profile comparison',
  };
}

function failAboveOf(args: ParsedArguments): CompareRequest['failAbove'] {
  const text = args.value('--fail-above');
  if (text === undefined) {
    if (args.has('--key')) throw new UsageError('--key is for --fail-above');
    return undefined;
  }
  const points = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) : NaN;
  if (!(points >= 0 && points <= 100))
    throw new UsageError(`--fail-above cannot be '${text}': it is a number of percentage points, 0 to 100`);
  return { points, prefix: args.value('--key') ?? '' };
}

/** A file is named with what was chosen for it alone, and with its range and its threads if the two differ. */
function comparedFile(
  args: ParsedArguments,
  path: string,
  name: string,
  own: Pick<ComparedFile, 'chosen' | 'range' | 'threads'> & {
    readonly rangeText: string;
    readonly threadsText: string;
  },
): ComparedFile {
  const isOwnRange = args.has('--from-base') || args.has('--to-base');
  const details = [
    ...Object.values(own.chosen),
    ...(isOwnRange ? [own.rangeText] : []),
    ...(args.has('--thread-base') ? [own.threadsText] : []),
  ].filter((text) => text !== '');
  return {
    path,
    chosen: { ...chosenOf(args), ...own.chosen },
    range: own.range,
    threads: own.threads,
    name: details.length === 0 ? name : `${name} (${printable(details.join(', '))})`,
  };
}

/** `from 60s to 2m`; empty without these options. */
function rangeText(args: ParsedArguments, suffix = ''): string {
  return ['from', 'to']
    .map((end) => [end, args.value(`--${end}${suffix}`)])
    .filter(([, time]) => time !== undefined)
    .map((words) => words.join(' '))
    .join(' ');
}

/** `thread main`, `threads main, gc`; empty without the option. */
function threadsText(args: ParsedArguments, suffix = ''): string {
  const threads = args.values(`--thread${suffix}`);
  return threads.length === 0 ? '' : `thread${threads.length > 1 ? 's' : ''} ${threads.join(', ')}`;
}

/** The names of the files, with their folders where the names are equal. */
function namesOf(base: string, next: string): { readonly base: string; readonly next: string } {
  const short = (path: string): string => printable(path === '-' ? inputName(path) : basename(path));
  return short(base) === short(next)
    ? { base: printable(inputName(base)), next: printable(inputName(next)) }
    : { base: short(base), next: short(next) };
}
