import { NONE } from '../profile/columns.ts';
import { formatQuantity } from '../text/format-value.ts';
import type { RowSums } from '../values/row-sums.ts';
import { FlameMeasures } from './flame-measures.ts';
import type { Metric } from '../values/metric.ts';
import { compareKeys, type RowKind } from '../trees/keys.ts';

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
 * What can be seen of a flame graph, exactly: the heaviest frames, and for every shown frame one block that sums its
 * smaller children. At every level shown children + block + self = parent. Looks at the children of the shown frames
 * once, at no more than whose child each is and what it weighs: some of them have thousands that are too small to show.
 */
export function layoutFlame(
  sums: RowSums,
  options: FlameOptions,
  { weights, sizes } = measured(sums, options.metric),
): FlameLayout {
  const { tree } = sums;
  const kept = options.kept;
  const isKept = (row: number): boolean => weights[row] > 0 && (kept === undefined || kept[row] === 1);
  const { matching } = options;
  const { selfCount, selfTime, totalCount: count, totalTime: time } = sums;

  const roots = tree.roots().filter(isKept);
  const single =
    options.zoom ?? (tree.grouping.threads === 'all' && roots.length === 1 ? roots[0] : undefined);
  const root = single ?? ALL_ROWS;
  const rootWeight = root === ALL_ROWS ? roots.reduce((sum, row) => sum + weights[row], 0) : weights[root];
  const drawnOf = heaviestRows(
    root,
    (row, least, take) => {
      if (row === ALL_ROWS) {
        for (const child of roots) if (weights[child] >= least) take(child);
        return;
      }
      for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child))
        if (weights[child] >= least && isKept(child)) take(child);
    },
    tree.parent,
    weights,
    Math.max(rootWeight * options.minShare, Number.MIN_VALUE),
    options.maxFrames,
  );
  // By samples, what a frame has besides itself and the children that are drawn is what the others have.
  const byDifference = options.metric === 'samples' && kept === undefined && time.bigints === undefined;

  /** Sums of the children of a row that are not drawn. */
  function hiddenBelow(row: number, drawn: readonly number[]): Hidden {
    const hidden = { frames: 0, weight: 0, count: 0, time: 0 };
    const add = (child: number, sign: 1 | -1): void => {
      hidden.frames += sign * sizes[child];
      hidden.weight += sign * weights[child];
      hidden.count += sign * count[child];
      hidden.time += sign * time.ns[child];
    };
    if (row !== ALL_ROWS && byDifference) {
      add(row, 1);
      hidden.frames -= 1;
      hidden.weight -= selfCount[row];
      hidden.count -= selfCount[row];
      hidden.time -= selfTime.ns[row];
      for (const child of drawn) add(child, -1);
      return hidden;
    }
    const isDrawn = new Set(drawn);
    const addHidden = (child: number): void => {
      if (isKept(child) && !isDrawn.has(child)) add(child, 1);
    };
    if (row === ALL_ROWS) roots.forEach(addHidden);
    else
      for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child))
        addHidden(child);
    return hidden;
  }

  const rows: FlameRow[] = [];
  let smaller = 0;
  let smallerWeight = 0;
  let deepest = 0;
  if (rootWeight > 0)
    rows.push(root === ALL_ROWS ? everything(sums, roots, rootWeight) : frameRow(root, -1, 0, 0));

  function frameRow(row: number, parent: number, depth: number, start: number): FlameRow {
    const key = tree.key[row];
    return {
      id: tree.idOf(row),
      kind: tree.kind(row),
      label: tree.label(row),
      parent,
      depth,
      weight: weights[row],
      start,
      selfCount: selfCount[row],
      totalCount: count[row],
      totalTime: time.ns[row],
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
    const drawn = drawnOf.get(treeRows[at]) ?? [];
    const hidden = hiddenBelow(treeRows[at], drawn);
    drawn.sort((a, b) => compareKeys(tree.label(a), tree.label(b)));
    for (const child of drawn) {
      rows.push(frameRow(child, at, depth, start));
      treeRows.push(child);
      start += weights[child];
    }
    if (hidden.frames > 0) {
      rows.push({
        id: parent.id,
        kind: 'remainder',
        label: formatQuantity(hidden.frames, 'smaller frame'),
        parent: at,
        depth,
        weight: hidden.weight,
        start,
        selfCount: 0,
        totalCount: hidden.count,
        totalTime: hidden.time,
        match: false,
        smaller: hidden.frames,
      });
      treeRows.push(NONE);
      smaller += hidden.frames;
      smallerWeight += hidden.weight;
    }
    if (drawn.length > 0 || hidden.frames > 0) deepest = Math.max(deepest, depth);
  }
  return { rows, smaller, smallerWeight, deepest };
}

interface Hidden {
  frames: number;
  weight: number;
  count: number;
  time: number;
}

function measured(sums: RowSums, metric: Metric): FlameMeasures {
  const measures = new FlameMeasures(sums, metric);
  measures.update();
  return measures;
}

function everything(sums: RowSums, roots: readonly number[], weight: number): FlameRow {
  let totalCount = 0;
  let totalTime = 0;
  for (const row of roots) {
    totalCount += sums.totalCount[row];
    totalTime += sums.totalTime.ns[row];
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
 * Returned by their parents; ALL_ROWS stands for the parent of thread roots.
 */
function heaviestRows(
  root: number,
  eachChild: (row: number, least: number, take: (child: number) => void) => void,
  parent: Int32Array,
  weights: Float64Array,
  least: number,
  limit: number,
): Map<number, number[]> {
  const taken = new Map<number, number[]>();
  let length = 0;
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
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && weights[heap[down + 1]] > weights[heap[down]]) down++;
      if (weights[heap[down]] <= weights[last]) break;
      heap[at] = heap[down];
      at = down;
    }
    heap[at] = last;
    return first;
  };
  eachChild(root, least, push);
  while (heap.length > 0 && length < limit) {
    const row = pop();
    const siblings = taken.get(parent[row]);
    if (siblings === undefined) taken.set(parent[row], [row]);
    else siblings.push(row);
    length++;
    eachChild(row, least, push);
  }
  return taken;
}
