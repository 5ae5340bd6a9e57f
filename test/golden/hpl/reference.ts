import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { FrameGrouping, ThreadGrouping } from '../../../shared/engine/trees/grouping.ts';
import { GOLDEN_LOGS } from '../../support/read-log.ts';

/** Lines of a canonical text and their hash. */
export interface Block {
  readonly lines: number;
  readonly sha256: string;
}

export type TreeName = `${ThreadGrouping}/${FrameGrouping}`;

/** The cases of the reference's filters. */
export const FILTER_CASES = [
  'none',
  'hideErrors',
  'quick-java.util',
  'quick-JAVA',
  'selfCntGe5',
  'selfCntEq1',
  'totalCntPctGt10',
  'selfTimeLt0',
  'totalTimeGt50ms',
  'startsJava',
  'endsRun',
  'matches',
  'equals',
  'combo',
] as const;
export type FilterCase = (typeof FILTER_CASES)[number];

/** What the Java reference says of one log, in the form of reference.json. */
export interface LogReference {
  readonly bytes: number;
  /** Bytes of whole records before a zero fill. */
  readonly consumedBytes: number;
  /** Record type -> records, by the reference driver's own byte walker. */
  readonly records: Readonly<Record<string, number>>;
  readonly pseudoFrames: number;
  readonly backwardSteps: number;
  readonly threads: number;
  readonly nodes: number;
  readonly samples: number;
  readonly totalTime: string;
  readonly lean: Block;
  readonly flat: Readonly<Partial<Record<FrameGrouping, Block>>>;
  readonly tree: Readonly<Partial<Record<TreeName, Block>>>;
  readonly filters: Readonly<Partial<Record<FilterCase, FilteredReference>>>;
  /** The reference's stacks, equal ones merged, sorted in UTF-16 code units; absent where it only left a hash. */
  readonly collapsed?: Block;
}

export interface FilteredReference {
  readonly flat: Readonly<Partial<Record<FrameGrouping, Block>>>;
  readonly tree: Readonly<Partial<Record<TreeName, Block>>>;
}

const FRAMES: Readonly<Record<string, FrameGrouping>> = {
  BY_FQMN: 'fqmn',
  BY_FQMN_LINENR: 'line',
  BY_BCI: 'bci',
  BY_METHOD_ID: 'method-id',
};
const THREADS: Readonly<Record<string, ThreadGrouping>> = { ALL_TOGETHER: 'all', BY_NAME: 'name', BY_ID: 'id' };

interface GoldenProfile {
  readonly bytes: number;
  readonly raw: { readonly types: Record<string, number>; readonly consumedBytes: number };
  readonly events: { readonly pseudoFrames: number; readonly negativeTimeSteps: number };
  readonly threads: readonly unknown[];
  readonly global: { readonly totalCnt: number; readonly totalTime: string };
  readonly threadNodes: readonly { readonly nodes: number }[];
  readonly lean: Block;
}

type Blocks = Readonly<Record<string, Block>>;
interface GoldenViews {
  readonly flat: Blocks;
  readonly tree: Blocks;
}

/** Reads what the reference left about one log in `folder`. */
export function referenceOf(folder: string, name: string): LogReference {
  const isBig = existsSync(`${folder}/${name}.summary.json`);
  const summary = isBig
    ? (JSON.parse(readFileSync(`${folder}/${name}.summary.json`, 'utf8')) as GoldenProfile & {
        readonly flatAll: Blocks;
        readonly tree: Blocks;
      })
    : undefined;
  const profile = summary ?? (json(`${folder}/${name}.lean.json.gz`) as GoldenProfile);
  const views: GoldenViews =
    summary === undefined
      ? (json(`${folder}/${name}.agg.json.gz`) as GoldenViews)
      : { flat: summary.flatAll, tree: summary.tree };
  return {
    bytes: profile.bytes,
    consumedBytes: profile.raw.consumedBytes,
    records: profile.raw.types,
    pseudoFrames: profile.events.pseudoFrames,
    backwardSteps: profile.events.negativeTimeSteps,
    threads: profile.threads.length,
    nodes: profile.threadNodes.reduce((sum, { nodes }) => sum + nodes, 0),
    samples: profile.global.totalCnt,
    totalTime: profile.global.totalTime,
    lean: block(profile.lean),
    ...viewsOf(views),
    filters: isBig ? {} : filtersOf(`${folder}/${name}.filter.json.gz`),
    ...(isBig ? {} : { collapsed: mergedStacks(`${folder}/${name}.flame.txt.gz`) }),
  };
}

/** What the Java reference says of the callers and callees of one method: its trees of ancestors and descendants. */
export interface MethodReference {
  readonly frames: FrameGrouping;
  readonly method: string;
  /** Absent where it is too large. */
  readonly callers: Block;
  readonly callees: Block;
}

/** What it says of all methods below one row of a tree, in the form of `flat`. */
export interface BelowReference {
  readonly threads: ThreadGrouping;
  /** Keys from the root to the row, as the reference has them. */
  readonly path: readonly string[];
  readonly flat: Block;
}

/** Logs whose methods and rows the reference looked at. */
export const CALLED_LOGS = GOLDEN_LOGS.filter((name) => name !== 'server-20mb');

/** What the Java reference says of methods and rows of one log, in the form of called.json. */
export interface CalledReference {
  readonly methods: readonly MethodReference[];
  readonly below: readonly BelowReference[];
}

interface GoldenCalled {
  readonly entries: readonly {
    readonly grouping: string;
    readonly key: string;
    readonly ancestors: Block;
    readonly descendants: Block;
  }[];
  readonly nodes: readonly {
    readonly grouping: string;
    readonly path: readonly string[];
    readonly descendantFlat: Block;
  }[];
}

export function calledOf(folder: string, name: string): CalledReference {
  const { entries, nodes } = json(`${folder}/${name}.sub.json.gz`) as GoldenCalled;
  return {
    methods: entries.map(({ grouping, key, ancestors, descendants }) => ({
      frames: FRAMES[grouping.split('/')[1]],
      method: key,
      callers: block(ancestors),
      callees: block(descendants),
    })),
    below: nodes.map(({ grouping, path, descendantFlat }) => ({
      threads: THREADS[grouping.split('/')[0]],
      path,
      flat: block(descendantFlat),
    })),
  };
}

/** Pairs of logs that the reference compared. */
export const COMPARED_LOGS = [
  ['control-a', 'control-a'],
  ['control-a', 'control-b'],
  ['hello', 'deeprec'],
] as const;

const COMPARISON_FILTERS = [
  'hideErrors',
  'quick-java.util',
  'baseSelfGe1',
  'selfDiffGt0',
  'totalTimePctDiffLt-1',
] as const;
export type ComparisonFilter = (typeof COMPARISON_FILTERS)[number];

/** What the Java reference says of the differences of two logs, in the form of comparisons.json. */
export interface ComparisonReference {
  readonly flat: FilteredReference['flat'];
  readonly tree: FilteredReference['tree'];
  readonly filters: Readonly<Record<ComparisonFilter, { readonly flat: Block; readonly treeByName: Block }>>;
}

export function comparisonOf(folder: string, base: string, next: string): ComparisonReference {
  const path = `${folder}/${base}--${next}.diff.json.gz`;
  const found = json(path) as GoldenViews & {
    readonly filtered: readonly { readonly name: string; readonly flat: Block; readonly treeByName: Block }[];
  };
  const filters = COMPARISON_FILTERS.map((name) => {
    const filtered = found.filtered.find((each) => each.name === name);
    if (filtered === undefined) throw new Error(`${path}: no case ${name}`);
    return [name, { flat: block(filtered.flat), treeByName: block(filtered.treeByName) }];
  });
  return {
    ...viewsOf(found),
    filters: Object.fromEntries(filters) as ComparisonReference['filters'],
  };
}

function filtersOf(path: string): LogReference['filters'] {
  const { cases } = json(path) as { readonly cases: readonly (GoldenViews & { readonly name: string })[] };
  return Object.fromEntries(
    FILTER_CASES.map((name) => {
      const found = cases.find((each) => each.name === name);
      if (found === undefined) throw new Error(`${path}: no case ${name}`);
      return [name, viewsOf(found)];
    }),
  );
}

function viewsOf({ flat, tree }: GoldenViews): FilteredReference {
  return {
    flat: Object.fromEntries(Object.entries(flat).map(([frames, found]) => [FRAMES[frames], block(found)])),
    tree: Object.fromEntries(
      Object.entries(tree).map(([name, found]) => {
        const [threads, frames] = name.split('/');
        return [`${THREADS[threads]}/${FRAMES[frames]}`, block(found)];
      }),
    ),
  };
}

function mergedStacks(path: string): Block {
  const weights = new Map<string, number>();
  for (const line of text(path).split('\n')) {
    if (line === '') continue;
    const end = line.lastIndexOf(' ');
    const stack = line.slice(0, end);
    weights.set(stack, (weights.get(stack) ?? 0) + Number(line.slice(end + 1)));
  }
  return blockOf(Array.from(weights, ([stack, weight]) => `${stack} ${weight}\n`).sort());
}

/** Hash of lines that have their line breaks. */
export function blockOf(lines: readonly string[]): Block {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line);
  return { lines: lines.length, sha256: hash.digest('hex') };
}

function block({ lines, sha256 }: Block): Block {
  return { lines, sha256 };
}

function text(path: string): string {
  return gunzipSync(readFileSync(path)).toString('utf8');
}

function json(path: string): unknown {
  return JSON.parse(text(path));
}
