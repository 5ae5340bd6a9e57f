import { extended, NONE, zeroed, grown, nextCapacity } from '../../profile/columns.ts';
import { type KeyTable, compareKeys } from '../trees/keys.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { Metric } from '../values/metric.ts';
import type { RowValues } from '../values/row-sums.ts';

/**
 * Weights of all rows by a metric. A time may be negative if a clock ran backwards, a width cannot: a negative self time
 * counts as 0. Collapsed stacks leave such rows out, too. In a tree of callers the time of a row without that of the rows
 * below it takes the place of the self time, which is the root's. `memory` is used again.
 */
export function flameWeights(
  sums: RowValues,
  metric: Metric,
  memory = new Float64Array(0),
): Float64Array<ArrayBuffer> {
  const { tree } = sums;
  const { parent } = tree;
  const weights = zeroed(memory, tree.length);
  if (metric === 'samples') {
    weights.set(sums.totalCount);
    return weights;
  }
  const own = tree.isInverted ? ownTimes(sums) : sums.selfTime.ns;
  for (let row = tree.length - 1; row >= 0; row--) {
    if (own[row] > 0) weights[row] += own[row];
    if (parent[row] !== NONE) weights[parent[row]] += weights[row];
  }
  return weights;
}

/** The time of each row without that of the rows below it. */
function ownTimes({ tree, totalTime: { ns } }: RowValues): Float64Array {
  const own = ns.slice(0, tree.length);
  for (let row = 0; row < tree.length; row++) if (tree.parent[row] !== NONE) own[tree.parent[row]] -= ns[row];
  return own;
}

/** Sizes of the subtrees of rows. Rows that weigh nothing or are not kept do not count. */
export interface Subtrees {
  /** row -> number of frames in its subtree, including itself. */
  readonly sizes: Int32Array;
  /** row -> number of levels of its subtree, including its own; 0 for a row that does not count. */
  readonly heights: Int32Array;
}

/** Measures all subtrees; O(rows). `kept`: row -> 1 if it counts; undefined: all rows. `memory` is used again. */
export function measureSubtrees(
  tree: RowTree,
  weights: Float64Array,
  kept: Uint8Array | undefined,
  memory = { sizes: new Int32Array(0), heights: new Int32Array(0) },
): { readonly sizes: Int32Array<ArrayBuffer>; readonly heights: Int32Array<ArrayBuffer> } {
  const { parent } = tree;
  const sizes = zeroed(memory.sizes, tree.length);
  const heights = zeroed(memory.heights, tree.length);
  for (let row = tree.length - 1; row >= 0; row--) {
    if (!(weights[row] > 0) || kept?.[row] === 0) continue;
    sizes[row]++;
    heights[row]++;
    const up = parent[row];
    if (up === NONE) continue;
    sizes[up] += sizes[row];
    if (heights[row] > heights[up]) heights[up] = heights[row];
  }
  return { sizes, heights };
}

/** The values of every row of a tree that a flame layout uses. Updated while the tree grows. */
export class FlameMeasures implements Subtrees {
  readonly sums: RowValues;
  readonly metric: Metric;
  weights: Float64Array<ArrayBuffer> = new Float64Array(0);
  sizes: Int32Array<ArrayBuffer> = new Int32Array(0);
  heights: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** The order of siblings. */
  order: LabelOrder;
  /** Counts updates that changed a weight. The others brought nothing but rows without samples. */
  changes = 0;
  readonly #orderOf: (keys: KeyTable) => LabelOrder;
  /** Revision of the sums when they were measured. */
  #revision = -1;

  /** `orderOf`: where several trees have the same keys, their common order. */
  constructor(sums: RowValues, metric: Metric, orderOf = (keys: KeyTable) => new LabelOrder(keys)) {
    this.sums = sums;
    this.metric = metric;
    this.#orderOf = orderOf;
    this.order = orderOf(sums.tree.keys);
  }

  /** Measures the present sums. After few changes only the paths to the changed rows are visited, else all rows. */
  update(): void {
    const { sums, metric } = this;
    const { tree } = sums;
    if (this.order.keys !== tree.keys) this.order = this.#orderOf(tree.keys);
    this.order.update();
    const { revision, changed } = sums;
    if (revision === this.#revision) return;
    const canApply =
      changed !== undefined &&
      revision === this.#revision + 1 &&
      (metric === 'samples' || changed.length === 0);
    if (!canApply || !this.#applyChanges(changed)) this.#measureAll();
    if (!canApply || changed.length > 0) this.changes++;
    this.#revision = revision;
  }

  #measureAll(): void {
    this.weights = flameWeights(this.sums, this.metric, this.weights);
    const { sizes, heights } = measureSubtrees(this.sums.tree, this.weights, undefined, this);
    this.sizes = sizes;
    this.heights = heights;
  }

  /** False, with incomplete results, if a row lost its last sample: then the heights of its callers are unknown. */
  #applyChanges(changed: readonly number[]): boolean {
    const { tree, totalCount: count } = this.sums;
    const { parent } = tree;
    const weights = (this.weights = extended(this.weights, tree.length));
    const sizes = (this.sizes = extended(this.sizes, tree.length));
    const heights = (this.heights = extended(this.heights, tree.length));
    for (const leaf of changed) {
      /** Frames on the way up from the leaf that gained their first weight. */
      let frames = 0;
      let height = 0;
      for (let row = leaf; row !== NONE; row = parent[row]) {
        // The rows above are up to date, or will be visited from another leaf.
        if (frames === 0 && weights[row] === count[row]) break;
        if (weights[row] > 0 && !(count[row] > 0)) return false;
        if (count[row] > 0 && !(weights[row] > 0)) frames++;
        weights[row] = count[row];
        sizes[row] += frames;
        height = Math.max(height + 1, heights[row]);
        if (frames > 0) heights[row] = height;
      }
    }
    return true;
  }
}

/**
 * The order of the labels of a key table, as numbers, so that siblings are sorted by comparing integers instead of
 * strings. Samples without a stack are last.
 * An update sorts the new labels and merges them into the old order: O(keys + new keys · log new keys).
 *
 *   key      0          1           2
 *   label    Shop.main  Cart.add    Shop.parse
 *   rankOf   1          0           2
 */
export class LabelOrder {
  readonly keys: KeyTable;
  /** key -> its place in the order of all labels. */
  rankOf = new Int32Array(0);
  /** rank -> key. */
  #keyAt: number[] = [];

  constructor(keys: KeyTable) {
    this.keys = keys;
  }

  /** Adds the labels that are new in the table. */
  update(): void {
    const { keys } = this;
    const { labels } = keys;
    const known = this.#keyAt;
    if (known.length === labels.length) return;
    const byLabel = (a: number, b: number): number =>
      Number(keys.isNoStack(a)) - Number(keys.isNoStack(b)) || compareKeys(labels[a], labels[b]);
    const gained = Array.from({ length: labels.length - known.length }, (_, at) => known.length + at);
    gained.sort(byLabel);
    const merged: number[] = [];
    let next = 0;
    for (const key of gained) {
      while (next < known.length && byLabel(known[next], key) < 0) merged.push(known[next++]);
      merged.push(key);
    }
    while (next < known.length) merged.push(known[next++]);
    this.#keyAt = merged;
    if (labels.length > this.rankOf.length)
      this.rankOf = grown(this.rankOf, nextCapacity(this.rankOf.length, labels.length), 0);
    for (let rank = 0; rank < merged.length; rank++) this.rankOf[merged[rank]] = rank;
  }
}
