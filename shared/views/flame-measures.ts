import { extended, NONE } from '../profile/columns.ts';
import type { CallTree } from './call-tree.ts';
import type { Metric } from './grouping.ts';

/**
 * Weights of all rows by a metric. Time can be negative where a clock ran backwards, width cannot: a row's own
 * negative time counts as 0, as a collapsed stack with it is left out.
 */
export function flameWeights(tree: CallTree, metric: Metric): Float64Array<ArrayBuffer> {
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
function subtreeSizes(tree: CallTree, weights: Float64Array): Int32Array<ArrayBuffer> {
  const { parent } = tree.rows;
  const sizes = new Int32Array(tree.length);
  for (let row = tree.length - 1; row >= 0; row--) {
    if (weights[row] > 0) sizes[row]++;
    if (parent[row] !== NONE) sizes[parent[row]] += sizes[row];
  }
  return sizes;
}

/** What a layout needs to know of every row. Grows with its tree. */
export class FlameMeasures {
  readonly tree: CallTree;
  readonly metric: Metric;
  weights: Float64Array<ArrayBuffer> = new Float64Array(0);
  sizes: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** The tree's when it was measured. */
  #revision = -1;

  constructor(tree: CallTree, metric: Metric) {
    this.tree = tree;
    this.metric = metric;
  }

  /** Follows the tree: along what changed since its update before, else by two sweeps over all rows. */
  update(): void {
    const { tree, metric } = this;
    const { revision, changed } = tree;
    if (revision === this.#revision) return;
    if (revision === this.#revision + 1 && metric === 'samples' && changed !== undefined)
      this.#follow(changed);
    else {
      this.weights = flameWeights(tree, metric);
      this.sizes = subtreeSizes(tree, this.weights);
    }
    this.#revision = revision;
  }

  #follow(changed: readonly number[]): void {
    const { tree } = this;
    const { parent } = tree.rows;
    const { count } = tree.totals;
    const weights = (this.weights = extended(this.weights, tree.length));
    const sizes = (this.sizes = extended(this.sizes, tree.length));
    for (const leaf of changed) {
      /** Frames on the way up from the leaf that gained their first weight, less those that lost their last. */
      let frames = 0;
      for (let row = leaf; row !== NONE; row = parent[row]) {
        // Whatever else changed above is on the way of another leaf.
        if (frames === 0 && weights[row] === count[row]) break;
        frames += Number(count[row] > 0) - Number(weights[row] > 0);
        weights[row] = count[row];
        sizes[row] += frames;
      }
    }
  }
}
