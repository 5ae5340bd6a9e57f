import { NONE } from '../../profile/columns.ts';
import type { RowTree } from '../trees/row-tree.ts';
import { ALL_ROWS, FlameBuilder, type FlameLayout, KIND } from './flame-columns.ts';
import type { Interval } from './timeline-columns.ts';

interface ChartOptions {
  /** The label of the row at the root that stands for all samples. */
  readonly label: string;
  /** key -> 1 if it matches the search. */
  readonly matching: Uint8Array | undefined;
}

type Tree = Pick<RowTree, 'parent' | 'key' | 'length' | 'idOf' | 'label' | 'kind'>;

/** Frames in the order in which they begin, callers first. */
interface Runs {
  readonly row: number[];
  readonly level: number[];
  /** Number of the caller's run. */
  readonly parent: number[];
  readonly start: number[];
  readonly end: number[];
}

/**
 * Lays out stacks over time, like a flame graph: a frame is a run of neighbouring cells with the same path, and as wide
 * as it has cells. A frame has the samples in its cells, and as own samples those that no frame below has.
 *
 *   cells    abc abd abd -  a        a a a - a
 *                                    b b b
 *                                    c d d
 *
 * O(rows of the tree + cells + frames).
 */
export function layoutChart(
  { leaf, before }: ChartCells,
  tree: Tree,
  { label, matching }: ChartOptions,
): FlameLayout {
  const cells = leaf.length;
  const builder = new FlameBuilder(cells);
  if (cells === 0) return builder.layout();
  const depth = new Int32Array(tree.length);
  const rootOf = new Int32Array(tree.length);
  for (let row = 0; row < tree.length; row++) {
    const above = tree.parent[row];
    depth[row] = above === NONE ? 0 : depth[above] + 1;
    rootOf[row] = above === NONE ? row : rootOf[above];
  }
  const roots = new Set(
    Array.from(
      leaf.filter((row) => row !== NONE),
      (row) => rootOf[row],
    ),
  );
  // Where all stacks have one root, it is that of the chart, also where there is a gap.
  const common = roots.size === 1 ? [...roots][0] : undefined;
  const runs = runsOf(leaf, tree.parent, depth, common);
  const samplesIn = (start: number, end: number): number => before[end] - before[start];
  const append = (kind: number, name: string, parent: number, start: number, end: number): number => {
    const at = builder.append(kind, name, parent, start, end - start);
    builder.totalCount[at] = builder.selfCount[at] = samplesIn(start, end);
    if (parent !== NONE) builder.selfCount[parent] -= builder.totalCount[at];
    return at;
  };
  const appendRow = (row: number, parent: number, start: number, end: number): number => {
    const kind = tree.kind(row);
    const at = append(KIND[kind], kind === 'all' ? label : tree.label(row), parent, start, end);
    builder.id[at] = tree.idOf(row);
    const key = tree.key[row];
    if (key >= 0 && matching?.[key] === 1) builder.markMatch(at);
    return at;
  };
  if (common !== undefined) appendRow(common, NONE, 0, cells);
  else builder.id[append(KIND.all, label, NONE, 0, cells)] = ALL_ROWS;
  builder.endLevel();
  const levels: number[][] = [];
  for (const [run, level] of runs.level.entries()) (levels[level] ??= []).push(run);
  const placeOf = new Int32Array(runs.row.length);
  for (const level of levels) {
    for (const run of level) {
      const parent = runs.parent[run] === NONE ? 0 : placeOf[runs.parent[run]];
      placeOf[run] = appendRow(runs.row[run], parent, runs.start[run], runs.end[run]);
    }
    builder.endLevel();
  }
  return builder.layout();
}

/** The runs below the root of the chart, level 0 first. `common`: the row of that root, which has no run. */
function runsOf(leaf: Int32Array, up: Int32Array, depth: Int32Array, common: number | undefined): Runs {
  const runs: Runs = { row: [], level: [], parent: [], start: [], end: [] };
  const top = common === undefined ? 0 : 1;
  /** Level -> the run that goes on in this cell. */
  const open: number[] = [];
  const closeFrom = (level: number, cell: number): void => {
    for (let at = level; at < open.length; at++) runs.end[open[at]] = cell;
    open.length = Math.min(open.length, level);
  };
  for (let cell = 0; cell < leaf.length; cell++) {
    if (cell > 0 && leaf[cell] === leaf[cell - 1]) continue;
    const path: number[] = [];
    if (leaf[cell] === NONE) closeFrom(0, cell);
    else {
      let row = leaf[cell];
      for (; row !== NONE && depth[row] >= top; row = up[row]) {
        const level = depth[row] - top;
        if (level < open.length && runs.row[open[level]] === row) break;
        path.push(row);
      }
      closeFrom(row === NONE ? 0 : depth[row] - top + 1, cell);
      for (const begun of path.reverse()) {
        const level = open.length;
        runs.parent.push(level === 0 ? NONE : open[level - 1]);
        runs.start.push(cell);
        runs.end.push(leaf.length);
        runs.level.push(level);
        open.push(runs.row.push(begun) - 1);
      }
    }
  }
  return runs;
}

/** Stacks over time in cells of equal width. */
interface ChartCells {
  /** Cell -> row of the tree in which most of its samples ended; NONE in a gap. */
  readonly leaf: Int32Array;
  /** Cell -> samples in the cells before it; one more than there are cells. */
  readonly before: Float64Array;
  /** Cell -> when it begins, ns after the earliest sample; one more than there are cells. */
  readonly times: Float64Array;
}

/** A sample stands for the time up to the next one, but for no more than so many times the usual time between two. */
const MOST_REACH = 1.5;
/** Distances from which the usual one is taken. */
const MOST_DISTANCES = 1_001;

/**
 * Divides a part of the time into cells. `at`: place -> ns after the earliest sample, ascending; `leaf`: place -> row of
 * the tree. O(samples in the part + cells).
 *
 *   at 0 10 20 70   leaf a a b c   [0, 90) in 9 cells      a a b - - - - c -
 */
export function linearCells(at: Float64Array, leaf: Int32Array, shown: Interval, cells: number): ChartCells {
  const found = new Int32Array(cells).fill(NONE);
  const votes = new Int32Array(cells);
  const before = new Float64Array(cells + 1);
  const usual = usualDistance(at);
  const cellOf = (time: number): number => ((time - shown.from) * cells) / (shown.to - shown.from);
  for (let place = firstFrom(at, shown.from - MOST_REACH * usual); place < at.length; place++) {
    const time = at[place];
    if (time >= shown.to) break;
    const next = place + 1 < at.length ? at[place + 1] : time + usual;
    const own = Math.floor(cellOf(time));
    const end = Math.min(cells, Math.round(cellOf(Math.min(next, time + MOST_REACH * usual))));
    for (let cell = Math.max(0, own + 1); cell < end; cell++)
      if (votes[cell] === 0) found[cell] = leaf[place];
    if (own < 0) continue;
    before[own + 1]++;
    // The majority where there is one (Boyer and Moore); otherwise one of them.
    if (votes[own] === 0) found[own] = leaf[place];
    votes[own] += found[own] === leaf[place] ? 1 : -1;
  }
  for (let cell = 0; cell < cells; cell++) before[cell + 1] += before[cell];
  const times = Float64Array.from(before, (_, cell) => shown.from + (cell * (shown.to - shown.from)) / cells);
  return { leaf: found, before, times };
}

/** All samples are equally wide: a cell each, or with some others where there are more of them than pixels. */
export function equalCells(at: Float64Array, leaf: Int32Array, pixels: number): ChartCells {
  const cells = Math.min(pixels, at.length);
  const places = at.map((_, place) => place);
  const inPlaces = linearCells(places, leaf, { from: 0, to: at.length }, cells);
  const end = (at.at(-1) ?? 0) + 1;
  const times = inPlaces.times.map((place) => at[Math.ceil(place)] ?? end);
  return { ...inPlaces, times };
}

/** The median of the times between two samples, of so many pairs at equal distances. */
function usualDistance(times: Float64Array): number {
  const pairs = Math.min(MOST_DISTANCES, times.length - 1);
  if (pairs <= 0) return 0;
  const distances = Float64Array.from({ length: pairs }, (_, at) => {
    const place = Math.floor((at * (times.length - 1)) / pairs);
    return times[place + 1] - times[place];
  });
  return distances.sort()[pairs >> 1];
}

/** The first place with a time that is not earlier. */
export function firstFrom(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
