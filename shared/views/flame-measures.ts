import { extended, NONE } from '../profile/columns.ts';
import type { RowSums } from '../values/row-sums.ts';
import type { Metric } from '../values/metric.ts';

/**
 * Weights of all rows by a metric. Time can be negative where a clock ran backwards, width cannot: a row's own
 * negative time counts as 0, as a collapsed stack with it is left out.
 */
export function flameWeights(sums: RowSums, metric: Metric): Float64Array<ArrayBuffer> {
  const { tree, selfTime } = sums;
  const { parent } = tree;
  const weights = new Float64Array(tree.length);
  if (metric === 'samples') {
    weights.set(sums.totalCount);
    return weights;
  }
  for (let row = tree.length - 1; row >= 0; row--) {
    if (selfTime.ns[row] > 0) weights[row] += selfTime.ns[row];
    if (parent[row] !== NONE) weights[parent[row]] += weights[row];
  }
  return weights;
}

/** row -> number of frames in its subtree, itself included; frames without weight do not count. */
function subtreeSizes({ tree: { parent, length } }: RowSums, weights: Float64Array): Int32Array<ArrayBuffer> {
  const sizes = new Int32Array(length);
  for (let row = length - 1; row >= 0; row--) {
    if (weights[row] > 0) sizes[row]++;
    if (parent[row] !== NONE) sizes[parent[row]] += sizes[row];
  }
  return sizes;
}

/** What a layout needs to know of every row. Grows with its tree. */
export class FlameMeasures {
  readonly sums: RowSums;
  readonly metric: Metric;
  weights: Float64Array<ArrayBuffer> = new Float64Array(0);
  sizes: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Revision of the sums when they were measured. */
  #revision = -1;

  constructor(sums: RowSums, metric: Metric) {
    this.sums = sums;
    this.metric = metric;
  }

  /** Takes in what the sums are now: along what changed since its update before, else by two sweeps over all rows. */
  update(): void {
    const { sums, metric } = this;
    const { revision, changed } = sums;
    if (revision === this.#revision) return;
    if (revision === this.#revision + 1 && metric === 'samples' && changed !== undefined)
      this.#follow(changed);
    else {
      this.weights = flameWeights(sums, metric);
      this.sizes = subtreeSizes(sums, this.weights);
    }
    this.#revision = revision;
  }

  #follow(changed: readonly number[]): void {
    const { tree, totalCount: count } = this.sums;
    const { parent } = tree;
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
