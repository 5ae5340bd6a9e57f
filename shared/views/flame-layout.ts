import { NONE } from '../profile/columns.ts';
import type { CallTree } from './call-tree.ts';
import type { Metric } from './grouping.ts';
import { compareKeys, type RowKind } from './keys.ts';

/** A frame of the flame graph, or a block that stands for frames too small to draw. */
export interface FlameRow {
  /** First call node of the frame; of a remainder block its parent's; ALL_ROWS for everything. */
  readonly id: number;
  readonly kind: RowKind | 'remainder';
  readonly label: string;
  /** Position of the parent in the list of rows; -1 for the first row, the root of what is shown. */
  readonly parent: number;
  /** 0 for the root of what is shown. */
  readonly depth: number;
  /** Weight by the chosen metric: samples or ns, never negative. Children never weigh more than their parent. */
  readonly weight: number;
  /** Left edge, in units of weight, from the left edge of the root. */
  readonly start: number;
  readonly selfCount: number;
  readonly totalCount: number;
  readonly totalTime: number;
  readonly match: boolean;
  /** Remainder block: number of frames, whole subtrees, that it stands for; else 0. */
  readonly smaller: number;
}

/** Id of the root when it stands for several threads. */
export const ALL_ROWS = -1;

export interface FlameOptions {
  readonly metric: Metric;
  /** Row of the call tree that becomes the root; undefined: everything. */
  readonly zoom: number | undefined;
  /** Frames below this share of the root's weight go into a remainder block. */
  readonly minShare: number;
  /** The heaviest so many frames are shown; the rest goes into remainder blocks too. */
  readonly maxFrames: number;
  /** key -> 1 when it matches the search. */
  readonly matching: Uint8Array | undefined;
  /** row -> 1 when it is shown at all. */
  readonly kept: Uint8Array | undefined;
}

export interface FlameLayout {
  /** Parents before children; siblings left to right by label, a remainder block last. */
  readonly rows: readonly FlameRow[];
  /** Frames that are in remainder blocks, and the weight of those blocks. */
  readonly smaller: number;
  readonly smallerWeight: number;
  readonly deepest: number;
}

/**
 * Weights of all rows by a metric. Time can be negative where a clock ran backwards, width cannot: a row's own
 * negative time counts as 0, as a collapsed stack with it is left out.
 */
export function flameWeights(tree: CallTree, metric: Metric): Float64Array {
  const { parent, selfTime } = tree.rows;
  const weights = new Float64Array(tree.length);
  if (metric === 'samples') {
    weights.set(tree.totals.count);
    return weights;
  }
  for (let row = tree.length - 1; row >= 0; row--) {
    if (selfTime.ns[row] > 0) weights[row] += selfTime.ns[row];
    if (parent[row] !== NONE) weights[parent[row]] += weights[row];
  }
  return weights;
}

/** row -> number of frames in its subtree, itself included; frames without weight do not count. */
export function subtreeSizes(tree: CallTree, weights: Float64Array): Int32Array {
  const { parent } = tree.rows;
  const sizes = new Int32Array(tree.length);
  for (let row = tree.length - 1; row >= 0; row--) {
    if (weights[row] > 0) sizes[row]++;
    if (parent[row] !== NONE) sizes[parent[row]] += sizes[row];
  }
  return sizes;
}

/** What a layout needs to know of every row; worth keeping while the tree stays as it is. */
export interface FlameMeasures {
  readonly metric: Metric;
  readonly weights: Float64Array;
  readonly sizes: Int32Array;
}

export function measureFlame(tree: CallTree, metric: Metric): FlameMeasures {
  const weights = flameWeights(tree, metric);
  return { metric, weights, sizes: subtreeSizes(tree, weights) };
}

/**
 * What can be seen of a flame graph, exactly: the heaviest frames, and for every shown frame one block that sums its
 * smaller children. At every level shown children + block + self = parent. Costs the children of the shown frames;
 * the measures cost two sweeps over all rows.
 */
export function layoutFlame(
  tree: CallTree,
  options: FlameOptions,
  { weights, sizes } = measureFlame(tree, options.metric),
): FlameLayout {
  const kept = options.kept;
  const isKept = (row: number): boolean => weights[row] > 0 && (kept === undefined || kept[row] === 1);
  const { matching } = options;

  const roots = tree.roots().filter(isKept);
  const single =
    options.zoom ?? (tree.grouping.threads === 'all' && roots.length === 1 ? roots[0] : undefined);
  const childrenOf = (row: number): number[] => {
    if (row === ALL_ROWS) return roots;
    const children: number[] = [];
    for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child)) {
      if (isKept(child)) children.push(child);
    }
    return children;
  };
  const root = single ?? ALL_ROWS;
  const rootWeight = root === ALL_ROWS ? roots.reduce((sum, row) => sum + weights[row], 0) : weights[root];
  const shown = heaviestRows(
    root,
    childrenOf,
    weights,
    Math.max(rootWeight * options.minShare, Number.MIN_VALUE),
    options.maxFrames,
  );

  const rows: FlameRow[] = [];
  let smaller = 0;
  let smallerWeight = 0;
  let deepest = 0;
  if (rootWeight > 0)
    rows.push(root === ALL_ROWS ? everything(tree, roots, rootWeight) : frameRow(root, -1, 0, 0));

  function frameRow(row: number, parent: number, depth: number, start: number): FlameRow {
    const key = tree.rows.frame[row];
    return {
      id: tree.firstNode[row],
      kind: tree.kind(row),
      label: tree.label(row),
      parent,
      depth,
      weight: weights[row],
      start,
      selfCount: tree.rows.selfCount[row],
      totalCount: tree.totals.count[row],
      totalTime: tree.totals.time.ns[row],
      match: key >= 0 && matching?.[key] === 1,
      smaller: 0,
    };
  }

  // Rows are appended level by level, so the list is its own queue.
  const treeRows: number[] = [root];
  for (let at = 0; at < rows.length; at++) {
    const parent = rows[at];
    if (parent.kind === 'remainder') continue;
    const depth = parent.depth + 1;
    let start = parent.start;
    let hidden = 0;
    let hiddenWeight = 0;
    let hiddenCount = 0;
    let hiddenTime = 0;
    const drawn: number[] = [];
    for (const child of childrenOf(treeRows[at])) {
      if (shown.has(child)) {
        drawn.push(child);
      } else {
        hidden += sizes[child];
        hiddenWeight += weights[child];
        hiddenCount += tree.totals.count[child];
        hiddenTime += tree.totals.time.ns[child];
      }
    }
    drawn.sort((a, b) => compareKeys(tree.label(a), tree.label(b)));
    for (const child of drawn) {
      rows.push(frameRow(child, at, depth, start));
      treeRows.push(child);
      start += weights[child];
    }
    if (hidden > 0) {
      rows.push({
        id: parent.id,
        kind: 'remainder',
        label: hidden === 1 ? '1 smaller frame' : `${hidden.toLocaleString('en-US')} smaller frames`,
        parent: at,
        depth,
        weight: hiddenWeight,
        start,
        selfCount: 0,
        totalCount: hiddenCount,
        totalTime: hiddenTime,
        match: false,
        smaller: hidden,
      });
      treeRows.push(NONE);
      smaller += hidden;
      smallerWeight += hiddenWeight;
    }
    if (drawn.length > 0 || hidden > 0) deepest = Math.max(deepest, depth);
  }
  return { rows, smaller, smallerWeight, deepest };
}

function everything(tree: CallTree, roots: readonly number[], weight: number): FlameRow {
  let totalCount = 0;
  let totalTime = 0;
  for (const row of roots) {
    totalCount += tree.totals.count[row];
    totalTime += tree.totals.time.ns[row];
  }
  return {
    id: ALL_ROWS,
    kind: 'all',
    label: 'All Threads',
    parent: -1,
    depth: 0,
    weight,
    start: 0,
    selfCount: 0,
    totalCount,
    totalTime,
    match: false,
    smaller: 0,
  };
}

/**
 * The `limit` heaviest rows of at least `least` weight in the subtree of `root`. A child never outweighs its parent,
 * so taking the heaviest candidate again and again yields whole paths, and looks only at the children of what it took.
 */
function heaviestRows(
  root: number,
  childrenOf: (row: number) => number[],
  weights: Float64Array,
  least: number,
  limit: number,
): Set<number> {
  const taken = new Set<number>();
  const heap: number[] = [];
  const push = (row: number): void => {
    let at = heap.length;
    heap.push(row);
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (weights[heap[up]] >= weights[row]) break;
      heap[at] = heap[up];
      at = up;
    }
    heap[at] = row;
  };
  const pop = (): number => {
    const first = heap[0];
    const last = heap.pop() ?? first;
    const length = heap.length;
    if (length === 0) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= length) break;
      if (down + 1 < length && weights[heap[down + 1]] > weights[heap[down]]) down++;
      if (weights[heap[down]] <= weights[last]) break;
      heap[at] = heap[down];
      at = down;
    }
    heap[at] = last;
    return first;
  };
  const offer = (row: number): void => {
    for (const child of childrenOf(row)) if (weights[child] >= least) push(child);
  };
  offer(root);
  while (heap.length > 0 && taken.size < limit) {
    const row = pop();
    taken.add(row);
    offer(row);
  }
  return taken;
}
