import type { MethodEnds } from '../trees/callers.ts';
import type { SelfValues } from '../values/self-values.ts';
import { NONE } from '../../profile/columns.ts';
import { ALL_ROWS, FlameBuilder, type FlameLayout, KIND } from './flame-columns.ts';
import { FlameMeasures, measureSubtrees, type Subtrees } from './flame-measures.ts';
import { ALL_THREADS_LABEL, compareKeys } from '../trees/keys.ts';
import { displayLabel, type RowTree } from '../trees/row-tree.ts';
import type { Metric } from '../values/metric.ts';
import type { RowValues } from '../values/row-sums.ts';

/** The root of a layout: a row of the tree, or some children of it. For ALL_ROWS these are thread roots. */
export interface LayoutRoot {
  readonly row: number;
  /** These children; undefined: the row itself. */
  readonly run: readonly number[] | undefined;
}

/** The heaviest sibling first; or by name, so that frames stay in their places whatever their weights. */
export type SiblingOrder = 'weight' | 'name';

export interface FlameOptions {
  readonly metric: Metric;
  /** Undefined: everything. */
  readonly zoom: LayoutRoot | undefined;
  readonly siblings: SiblingOrder;
  /** Width of the root, device pixels. Frames narrower than a pixel are grouped. */
  readonly pixels: number;
  /** key -> 1 if it matches the search. */
  readonly matching: Uint8Array | undefined;
  /** row -> 1 if it is shown; undefined: all rows. */
  readonly kept: Uint8Array | undefined;
}

/** When a block is zoomed whose frames are all narrow, at least this many smaller blocks are shown. */
const LEAST_BLOCKS_OF_RUN = 8;

/**
 * Lays out a flame graph. Every frame of at least one pixel is a row of the layout. Adjacent siblings that are narrower
 * are one block. For every frame, the weights of its children and blocks and its self weight sum to its weight, exactly.
 *
 * There are at most `pixels` frames in a level, so a layout has at most 2 × pixels × levels rows, whatever the size of the
 * profile. The time depends on the number of rows, and of children of the frames that are drawn.
 */
export function layoutFlame(
  sums: RowValues,
  options: FlameOptions,
  measures = measured(sums, options.metric),
): FlameLayout {
  const { zoom, pixels, matching, kept } = options;
  const { weights } = measures;
  const { tree, selfCount, totalCount, totalTime } = sums;
  const { heights, sizes }: Subtrees = kept === undefined ? measures : measureSubtrees(tree, weights, kept);
  const holdsMatch = matching && matchBelow(tree, matching, heights);
  const builder = new FlameBuilder(pixels);
  const children = new SortedChildren(tree, heights, measures, options.siblings);

  const roots = children.ofAll();
  const single: LayoutRoot | undefined =
    tree.hasOneRoot && roots.length === 1 ? { row: roots[0], run: undefined } : undefined;
  const { row: rootRow, run } = zoom ?? single ?? { row: ALL_ROWS, run: undefined };
  const shown = run === undefined ? undefined : children.sorted(run);
  const rootWeight =
    shown !== undefined
      ? sumOf(shown, weights)
      : rootRow === ALL_ROWS
        ? sumOf(roots, weights)
        : weights[rootRow];
  // Rows that are not kept have height 0.
  const isEmpty = shown === undefined && rootRow !== ALL_ROWS && heights[rootRow] === 0;
  if (!(rootWeight > 0) || isEmpty) return builder.layout();

  /** row of the layout -> row of the tree; NONE for a block. */
  const treeRow: number[] = [rootRow];
  if (shown !== undefined) appendGroup(shown, 'block');
  else if (rootRow === ALL_ROWS) appendGroup(roots, 'all');
  else appendFrame(rootRow, -1, 0);

  function appendGroup(group: ArrayLike<number>, kind: 'block' | 'all'): void {
    let frames = 0;
    let count = 0;
    let time = 0;
    for (let at = 0; at < group.length; at++) {
      frames += sizes[group[at]];
      count += totalCount[group[at]];
      time += totalTime.ns[group[at]];
    }
    const isAll = kind === 'all';
    const at = builder.append(
      isAll ? KIND.all : KIND.block,
      isAll ? ALL_THREADS_LABEL : '',
      -1,
      0,
      rootWeight,
    );
    builder.id[at] = isAll ? ALL_ROWS : tree.idOf(group[0]);
    builder.lastId[at] = isAll ? ALL_ROWS : tree.idOf(group[group.length - 1]);
    builder.grouped[at] = isAll ? 0 : frames;
    builder.totalCount[at] = count;
    builder.totalTime[at] = time;
  }

  function appendFrame(row: number, parent: number, start: number): void {
    const key = tree.key[row];
    const kind = KIND[tree.kind(row)];
    const at = builder.append(kind, displayLabel(tree, row), parent, start, weights[row]);
    builder.id[at] = tree.idOf(row);
    builder.selfCount[at] = selfCount[row];
    builder.totalCount[at] = totalCount[row];
    builder.totalTime[at] = totalTime.ns[row];
    if (key >= 0 && matching?.[key] === 1) builder.markMatch(at);
  }

  /** Appends siblings[from … to), all narrower than a pixel, as a block. Returns its right edge. */
  function appendBlock(
    siblings: Int32Array,
    from: number,
    to: number,
    parent: number,
    start: number,
    level: number,
  ): number {
    let weight = 0;
    let count = 0;
    let time = 0;
    let frames = 0;
    for (let at = from; at < to; at++) {
      weight += weights[siblings[at]];
      count += totalCount[siblings[at]];
      time += totalTime.ns[siblings[at]];
      frames += sizes[siblings[at]];
    }
    const block = builder.append(KIND.block, '', parent, start, weight);
    builder.id[block] = tree.idOf(siblings[from]);
    builder.lastId[block] = tree.idOf(siblings[to - 1]);
    builder.grouped[block] = frames;
    builder.totalCount[block] = count;
    builder.totalTime[block] = time;
    builder.openColumns(block, start, weight, rootWeight);
    let left = start;
    for (let at = from; at < to; at++) {
      const sibling = siblings[at];
      const right = left + weights[sibling];
      builder.fillColumns(left, right, rootWeight, level + heights[sibling], holdsMatch?.[sibling] === 1);
      left = right;
    }
    return left;
  }

  /** Appends siblings from left to right. A block with several frames weighs at most `mostInBlock`. */
  function appendChildren(parent: number, siblings: Int32Array, level: number, mostInBlock = Infinity): void {
    let start = builder.start[parent];
    for (let at = 0; at < siblings.length;) {
      if (weights[siblings[at]] * pixels >= rootWeight) {
        appendFrame(siblings[at], parent, start);
        treeRow.push(siblings[at]);
        start += weights[siblings[at++]];
        continue;
      }
      const from = at;
      let weight = 0;
      while (at < siblings.length && weights[siblings[at]] * pixels < rootWeight) {
        weight += weights[siblings[at]];
        if (weight > mostInBlock && at > from) break;
        at++;
      }
      start = appendBlock(siblings, from, at, parent, start, level);
      treeRow.push(NONE);
    }
  }

  let from = 0;
  for (let level = 1; from < builder.length; level++) {
    const to = builder.length;
    builder.endLevel();
    for (let at = from; at < to; at++) {
      const row = treeRow[at];
      if (at === 0 && shown !== undefined) appendChildren(0, shown, level, rootWeight / LEAST_BLOCKS_OF_RUN);
      else if (at === 0 && row === ALL_ROWS) appendChildren(0, roots, level);
      else if (row !== NONE) appendChildren(at, children.of(row), level);
    }
    from = to;
  }
  return builder.layout();
}

/** Whether a row is the root of what is laid out, or one of the rows that a root stands for. */
export function rootTest(tree: RowTree, zoom: LayoutRoot | undefined): (row: number) => boolean {
  const { parent } = tree;
  if (zoom === undefined) return (row) => parent[row] === NONE;
  const { row: root, run } = zoom;
  if (run === undefined) return (row) => row === root;
  const rows = new Set(run);
  return (row) => rows.has(row);
}

function measured(sums: RowValues, metric: Metric): FlameMeasures {
  const measures = new FlameMeasures(sums, metric);
  measures.update();
  return measures;
}

function sumOf(rows: Int32Array, weights: Float64Array): number {
  let total = 0;
  for (const row of rows) total += weights[row];
  return total;
}

/** row -> 1 if it or a row below it matches; O(rows). */
function matchBelow(tree: RowTree, matching: Uint8Array, heights: Int32Array): Uint8Array {
  const { parent, key } = tree;
  const holds = new Uint8Array(tree.length);
  for (let row = tree.length - 1; row >= 0; row--) {
    if (heights[row] === 0) continue;
    if (key[row] >= 0 && matching[key[row]] === 1) holds[row] = 1;
    if (holds[row] === 1 && parent[row] !== NONE) holds[parent[row]] = 1;
  }
  return holds;
}

const NO_CHILDREN = new Int32Array(0);

/** A comparison of siblings from left to right: samples without a stack are last. Siblings have different labels. */
export function siblingOrder(
  tree: RowTree,
  weights: ArrayLike<number>,
  siblings: SiblingOrder,
): (a: number, b: number) => number {
  const isLast = (row: number): number => Number(tree.keys.isNoStack(tree.key[row]));
  return (a, b) =>
    isLast(a) - isLast(b) ||
    (siblings === 'name' ? 0 : weights[b] - weights[a]) ||
    compareKeys(tree.label(a), tree.label(b));
}

/** The children of rows from left to right. Rows with height 0 are left out. */
class SortedChildren {
  readonly #tree: RowTree;
  readonly #heights: Int32Array;
  readonly #compare: (a: number, b: number) => number;
  readonly #byName: boolean;
  readonly #rankOf: Int32Array;
  /** rank -> child, used while children are sorted by name. */
  readonly #childAt: Int32Array;
  #found = new Int32Array(1024);

  constructor(
    tree: RowTree,
    heights: Int32Array,
    { weights, order: { rankOf, keys } }: Pick<FlameMeasures, 'weights' | 'order'>,
    siblings: SiblingOrder,
  ) {
    this.#tree = tree;
    this.#heights = heights;
    this.#compare = siblingOrder(tree, weights, siblings);
    this.#byName = siblings === 'name';
    this.#rankOf = rankOf;
    this.#childAt = new Int32Array(this.#byName ? keys.length : 0);
  }

  sorted(rows: readonly number[]): Int32Array {
    return Int32Array.from(rows.filter((row) => this.#heights[row] > 0)).sort(this.#compare);
  }

  /** The roots of the threads. */
  ofAll(): Int32Array {
    return this.sorted(this.#tree.roots());
  }

  /** The children of a row. The array is reused by the next call. */
  of(row: number): Int32Array {
    const tree = this.#tree;
    let count = 0;
    for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child)) {
      if (this.#heights[child] === 0) continue;
      if (count === this.#found.length) {
        const larger = new Int32Array(2 * count);
        larger.set(this.#found);
        this.#found = larger;
      }
      this.#found[count++] = child;
    }
    if (count === 0) return NO_CHILDREN;
    const found = this.#found.subarray(0, count);
    if (count === 1) return found;
    const { key } = tree;
    // Threads, at the end of callers, have no rank.
    if (!this.#byName || found.some((child) => key[child] < 0)) return found.sort(this.#compare);
    for (let at = 0; at < count; at++) {
      const rank = this.#rankOf[key[found[at]]];
      this.#childAt[rank] = found[at];
      found[at] = rank;
    }
    found.sort();
    for (let at = 0; at < count; at++) found[at] = this.#childAt[found[at]];
    return found;
  }
}

/**
 * Row of the values -> 1 where its samples are neither in the root of a zoom nor below it. `ends`: the deepest row of the
 * tree that a sample is in, by the node where it ends. O(rows of the tree).
 */
export function outsideZoom(
  tree: RowTree,
  root: LayoutRoot,
  ends: Pick<MethodEnds, 'rowsOfNodes'>,
  { node, length }: Pick<SelfValues, 'node' | 'length'>,
): Uint8Array {
  const isRoot = rootTest(tree, root);
  const { parent } = tree;
  const isInside = new Uint8Array(tree.length);
  for (let row = 0; row < tree.length; row++) {
    const up = parent[row];
    isInside[row] = (up !== NONE && isInside[up] === 1) || isRoot(row) ? 1 : 0;
  }
  const rows = new Int32Array(length);
  ends.rowsOfNodes(node, length, rows);
  return Uint8Array.from(rows, (row) => (row !== NONE && isInside[row] === 1 ? 0 : 1));
}
