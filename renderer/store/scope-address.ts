import type { FlameZoom, ZoomedRow } from '../../shared/engine/query.ts';
import { MERGED_THREADS, type MergedThreads } from '../../shared/facts/choice.ts';
import {
  type Baseline,
  EMPTY_SCOPE,
  isEmptyScope,
  type TimeRange,
  type Transform,
} from '../../shared/scope/scope.ts';
import { readTransform, withKeys } from '../../shared/scope/transforms.ts';
import {
  FRAME_GROUPINGS,
  type FrameGrouping,
  type SplitMethod,
  THREAD_GROUPINGS,
  type ThreadGrouping,
} from '../../shared/engine/trees/grouping.ts';
import { HEATMAP_SCALE_NAMES, type HeatmapScaleName } from '../../shared/engine/views/heatmap-columns.ts';
import {
  type Condition,
  conditionProblem,
  KEY_COMPARISONS,
  NUMBER_COMPARISONS,
  QUANTITIES,
} from '../../shared/engine/views/row-conditions.ts';
import { parseSearch } from '../../shared/engine/views/search.ts';
import type { ChartZoom } from '../profile-worker/pane-messages.ts';
import { field, readField } from './address-field.ts';
import { addValue, fieldsOfTransforms } from './transform-fields.ts';
import type { ChartWanted } from './panes.ts';
import type { ScopeStep } from './window-state.ts';

export interface LinkedMerge {
  readonly threads: MergedThreads;
  /** At least two. */
  readonly parts: readonly string[];
}

/** The scope of one log in an address. */
export interface LinkedScope extends ScopeStep {
  /** Name of the log; see `linkName`. */
  readonly name: string;
  /** Zoom of the flame graph, top-down or bottom-up. Call nodes have the same numbers whenever the file is read. */
  readonly zoom: FlameZoom | undefined;
  /** The logs that it merges, by names that may begin with folders; undefined: it is a single one. */
  readonly merge?: LinkedMerge | undefined;
  /** Name of the other log that is compared with; undefined: another part of this one, or nothing. */
  readonly base?: string | undefined;
  /** The chosen part of the chart; undefined: nothing is chosen. */
  readonly chart?: ChartWanted | undefined;
  readonly heatmapScale?: HeatmapScaleName | undefined;
}

/** The scopes in an address. If several logs share a name, the first is used. */
export interface ScopeLink {
  /** Grouping of frames in rows, and in keys that do not name another one. */
  readonly frames: FrameGrouping;
  /** Grouping of threads of a zoom; undefined where nothing is zoomed. */
  readonly threads: ThreadGrouping | undefined;
  readonly logs: readonly LinkedScope[];
}

/** Limits for what an address may ask for: none comes near them by hand. */
const MOST_CHARACTERS = 60_000;
const MOST_FIELDS = 2_000;
/** Expressions of threads and of the filter of rows: one may take milliseconds to be parsed. Further ones are left out. */
const MOST_EXPRESSIONS = 50;
/** Each takes time for all call nodes, whenever a log grows. Further ones are left out. */
const MOST_TRANSFORMS = 100;
/** Each is a profile as large as its logs together. Further ones are left out. */
const MOST_MERGES = 8;
/** Most logs that are merged in one. */
const MOST_PARTS = 64;

/** The fragment of an address, with the names of the command line: `#log=server.hpl&thread=main&drop=Shop.wait`; '' for no scope. */
export function fragmentOf({ frames, threads, logs }: ScopeLink): string {
  const fields: string[] = [];
  logs.forEach((log, at) => {
    const { name, scope, where, split, zoom, hidesErrors, baseline, base, merge } = log;
    const isNeeded = logs.some((each, place) => place >= at && each.name === name && !isWhole(each));
    if (!isNeeded) return;
    fields.push(
      field('log', name),
      ...(merge === undefined ? [] : [field('merged', merge.threads)]),
      ...(merge?.parts ?? []).map((part) => field('part', part)),
      ...fieldsOfRange(scope.range),
      ...scope.threads.map((thread) => field('thread', thread)),
      ...(base === undefined ? [] : [field('base', base)]),
      ...fieldsOfBaseline(baseline),
    );
    fields.push(...fieldsOfTransforms(scope.transforms, frames));
    fields.push(...split.map(({ key, by }) => field(by === 'line' ? 'lines' : 'bcis', key)));
    for (const group of where)
      fields.push(...group.map((condition, each) => field(each === 0 ? 'rows' : 'and', textOf(condition))));
    if (hidesErrors === true) fields.push(field('hide-errors', 'yes'));
    if (zoom !== undefined) fields.push(field('zoom', zoomText(zoom)));
    fields.push(...fieldsOfTime(log));
  });
  if (fields.length === 0) return '';
  if (threads !== undefined) fields.unshift(field('threads', threads));
  if (frames !== 'fqmn') fields.unshift(field('frames', frames));
  return `#${fields.join('&')}`;
}

/** Reads the fragment of any address: what is unknown or invalid in it is left out. Never throws. */
export function readFragment(fragment: string): ScopeLink {
  let frames: FrameGrouping = 'fqmn';
  let grouping: ThreadGrouping | undefined;
  const logs: ReadLog[] = [];
  let expressions = 0;
  let transformCount = 0;
  let mergeCount = 0;
  if (fragment.length > MOST_CHARACTERS) return { frames, threads: undefined, logs: [] };
  for (const text of fragment.replace(/^#/, '').split('&', MOST_FIELDS)) {
    const [name, value] = readField(text);
    const log = logs.at(-1);
    if (value === '') continue;
    if (isExpression(name, value) && ++expressions > MOST_EXPRESSIONS) continue;
    if (name === 'log')
      logs.push({
        name: value,
        range: undefined,
        threads: [],
        transforms: [],
        keys: undefined,
        split: [],
        where: [],
        zoom: undefined,
        hidesErrors: false,
        chartOnly: undefined,
        chartZoom: undefined,
        heatmapScale: undefined,
        baseRange: undefined,
        baseThreads: [],
        base: undefined,
        merged: undefined,
        parts: [],
      });
    else if (name === 'frames') frames = FRAME_GROUPINGS.find((each) => each === value) ?? frames;
    else if (name === 'threads') grouping = THREAD_GROUPINGS.find((each) => each === value) ?? grouping;
    else if (log === undefined) continue;
    else if (name === 'from' || name === 'to' || name === 'latest')
      log.range = rangeWith(log.range, name, value);
    else if (name === 'base') log.base = value;
    else if (name === 'merged' && ++mergeCount <= MOST_MERGES)
      log.merged = MERGED_THREADS.find((each) => each === value);
    else if (name === 'part') log.parts.push(value);
    else if (name === 'base-from' || name === 'base-to' || name === 'base-latest')
      log.baseRange = rangeWith(log.baseRange, END_OF_BASE[name], value);
    else if (name === 'thread' || name === 'base-thread') {
      // As a search: an expression must be valid, and no name may keep it busy for ever.
      if (parseSearch(value).problem === undefined)
        (name === 'thread' ? log.threads : log.baseThreads).push(value);
    } else if (name === 'chart-thread') {
      if (parseSearch(value).problem === undefined) log.chartOnly = [...(log.chartOnly ?? []), value];
    } else if (name === 'chart-threads') log.chartOnly = value === 'all' ? [] : log.chartOnly;
    else if (name === 'chart-zoom') log.chartZoom = chartZoomFrom(value) ?? log.chartZoom;
    else if (name === 'heatmap')
      log.heatmapScale = HEATMAP_SCALE_NAMES.find((scale) => scale === value) ?? log.heatmapScale;
    else if (name === 'keys') log.keys = FRAME_GROUPINGS.find((each) => each === value) ?? log.keys;
    else if (name === 'lines' || name === 'bcis')
      addSplit(log.split, value, name === 'lines' ? 'line' : 'bci');
    else if (name === 'rows' || name === 'and') addCondition(log.where, value, name === 'and');
    else if (name === 'hide-errors') log.hidesErrors = value === 'yes';
    else if (name === 'zoom') log.zoom = zoomFrom(value) ?? log.zoom;
    else {
      const transform = readTransform(name, value, log.keys);
      if (transform === undefined) addValue(log.transforms, name, value);
      else if (++transformCount <= MOST_TRANSFORMS) log.transforms.push(transform);
    }
  }
  return {
    frames,
    threads: logs.some(({ zoom }) => zoom !== undefined) ? grouping : undefined,
    logs: logs.map((read) => {
      const { name, split, where, zoom, range, threads, baseRange, baseThreads, base } = read;
      const { chartOnly, chartZoom, heatmapScale, merged, parts } = read;
      const hasChart = chartOnly !== undefined || chartZoom !== undefined;
      // The field of the frames may be anywhere.
      const transforms = read.transforms.map((transform) => withKeys(transform, frames));
      return {
        ...{ name, split, where, zoom },
        ...(read.hidesErrors ? { hidesErrors: true } : {}),
        ...mergeOf(merged, parts),
        ...(base === undefined ? {} : { base }),
        ...(hasChart ? { chart: { only: chartOnly, zoom: chartZoom } } : {}),
        ...(heatmapScale === undefined ? {} : { heatmapScale }),
        ...baselineOf(baseRange, baseThreads),
        scope: { ...EMPTY_SCOPE, ...(range === undefined ? {} : { range }), threads, transforms },
      };
    }),
  };
}

function fieldsOfRange(range: TimeRange | undefined, prefix = ''): readonly string[] {
  if (range === undefined) return [];
  if (range.kind === 'latest') return [field(`${prefix}latest`, `${range.ns}ns`)];
  return [
    ...(range.from === undefined ? [] : [field(`${prefix}from`, `${range.from}ns`)]),
    ...(range.to === undefined ? [] : [field(`${prefix}to`, `${range.to}ns`)]),
  ];
}

/** `chart-thread=main&chart-zoom=120,340&heatmap=fine`. */
function fieldsOfTime({
  chart,
  heatmapScale,
}: Pick<LinkedScope, 'chart' | 'heatmapScale'>): readonly string[] {
  const { only, zoom } = chart ?? {};
  return [
    ...(only?.length === 0 ? [field('chart-threads', 'all')] : []),
    ...(only ?? []).map((thread) => field('chart-thread', thread)),
    ...(zoom === undefined ? [] : [field('chart-zoom', `${zoom.from},${zoom.to}`)]),
    ...(heatmapScale === undefined ? [] : [field('heatmap', heatmapScale)]),
  ];
}

function chartZoomFrom(text: string): ChartZoom | undefined {
  if (!/^\d{1,10},\d{1,10}$/.test(text)) return undefined;
  const [from, to] = text.split(',').map(Number);
  return from < to ? { from, to } : undefined;
}

const END_OF_BASE = { 'base-from': 'from', 'base-to': 'to', 'base-latest': 'latest' } as const;

/** `base-from=0ns&base-to=5000000000ns`, `base-thread=main`. */
function fieldsOfBaseline(baseline: Baseline | undefined): readonly string[] {
  if (baseline === undefined) return [];
  return [
    ...fieldsOfRange(baseline.range, 'base-'),
    ...(baseline.threads ?? []).map((thread) => field('base-thread', thread)),
  ];
}

function baselineOf(
  range: TimeRange | undefined,
  threads: readonly string[],
): { readonly baseline?: Baseline } {
  if (range === undefined && threads.length === 0) return {};
  return {
    baseline: {
      ...(range === undefined ? {} : { range }),
      ...(threads.length === 0 ? {} : { threads }),
    },
  };
}

/** The range with a further field of an address; the same where its value is no time in ns. */
function rangeWith(
  range: TimeRange | undefined,
  name: 'from' | 'to' | 'latest',
  value: string,
): TimeRange | undefined {
  const ns = /^(-?\d{1,25})ns$/.exec(value)?.[1];
  if (ns === undefined) return range;
  if (name === 'latest') return Number(ns) > 0 ? { kind: 'latest', ns: Number(ns) } : range;
  const known =
    range?.kind === 'between' ? range : { kind: 'between' as const, from: undefined, to: undefined };
  return { ...known, [name]: BigInt(ns).toString() };
}

/** A log of an address while it is read. */
interface ReadLog {
  readonly name: string;
  range: TimeRange | undefined;
  readonly threads: string[];
  readonly transforms: Transform[];
  /** Grouping in the keys of further transforms; undefined: that of frames. */
  keys: FrameGrouping | undefined;
  readonly split: SplitMethod[];
  readonly where: Condition[][];
  zoom: FlameZoom | undefined;
  hidesErrors: boolean;
  chartOnly: readonly string[] | undefined;
  chartZoom: ChartZoom | undefined;
  heatmapScale: HeatmapScaleName | undefined;
  baseRange: TimeRange | undefined;
  readonly baseThreads: string[];
  base: string | undefined;
  merged: MergedThreads | undefined;
  readonly parts: string[];
}

function isWhole(log: LinkedScope): boolean {
  const { scope, where, split, zoom, hidesErrors, baseline, base, merge } = log;
  if (merge !== undefined || hidesErrors === true) return false;
  const isSplit = split.length > 0;
  const isCompared = base !== undefined || fieldsOfBaseline(baseline).length > 0;
  const isNarrowed = where.length > 0 || zoom !== undefined || fieldsOfTime(log).length > 0;
  return isEmptyScope(scope) && !isSplit && !isNarrowed && !isCompared;
}

function mergeOf(
  threads: MergedThreads | undefined,
  parts: readonly string[],
): { readonly merge?: LinkedMerge } {
  const isPossible = parts.length > 1 && parts.length <= MOST_PARTS;
  return threads === undefined || !isPossible ? {} : { merge: { threads, parts } };
}

function isExpression(name: string, value: string): boolean {
  if (name === 'thread' || name === 'base-thread' || name === 'chart-thread')
    return value.length > 2 && value.startsWith('/') && value.endsWith('/');
  return (name === 'rows' || name === 'and') && value.startsWith('key matches ');
}

function addSplit(split: SplitMethod[], key: string, by: SplitMethod['by']): void {
  if (!split.some((each) => each.key === key)) split.push({ key, by });
}

/** `selfCount >= 5`, `key contains Shop`. */
function textOf(condition: Condition): string {
  const { of, comparison } = condition;
  return `${of} ${comparison} ${condition.of === 'key' ? condition.text : String(condition.value)}`;
}

/** `isAlso`: it must hold together with the one before it. */
function addCondition(where: Condition[][], text: string, isAlso: boolean): void {
  const condition = conditionFrom(text);
  const group = where.at(-1);
  if (condition === undefined) return;
  if (isAlso && group !== undefined) group.push(condition);
  else where.push([condition]);
}

function conditionFrom(text: string): Condition | undefined {
  const [name, sign, rest = ''] = /^(\S+) (\S+) (.*)$/s.exec(text)?.slice(1) ?? [];
  const of = QUANTITIES.find((each) => each === name);
  const number = NUMBER_COMPARISONS.find((each) => each === sign);
  const word = KEY_COMPARISONS.find((each) => each === sign);
  const condition: Condition | undefined =
    name === 'key' && word !== undefined
      ? { of: 'key', comparison: word, text: rest }
      : of !== undefined && number !== undefined && rest.trim() !== ''
        ? { of, comparison: number, value: Number(rest) }
        : undefined;
  return condition !== undefined && conditionProblem(condition) === undefined ? condition : undefined;
}

/** `17`, or `17,20,31` for a block of narrow frames below 17. Bottom-up: `90:17`, or `90:17,91:20,95:31`. */
function zoomText({ row, run }: FlameZoom): string {
  return (run === undefined ? [row] : [row, run.first, run.last]).map(rowText).join(',');
}

function rowText(row: ZoomedRow): string {
  return typeof row === 'number' ? String(row) : `${row.end}:${row.caller}`;
}

function zoomFrom(text: string): FlameZoom | undefined {
  const isKnown =
    /^(?:-1|\d{1,10})(?:,\d{1,10},\d{1,10})?$/.test(text) ||
    /^(?:-1(?=,)|\d{1,10}:\d{1,10})(?:,\d{1,10}:\d{1,10},\d{1,10}:\d{1,10})?$/.test(text);
  if (!isKnown) return undefined;
  const [row, first, last] = text.split(',').map(rowFrom);
  return { row, run: text.includes(',') ? { first, last } : undefined };
}

function rowFrom(text: string): ZoomedRow {
  const [end, caller] = text.split(':').map(Number);
  return text.includes(':') ? { end, caller } : end;
}
