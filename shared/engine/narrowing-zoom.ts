import { assert } from '../assert.ts';
import { BELOW_ZOOM } from './profile-steps.ts';
import { isBottomUpZoom, type ProfileQuery } from './query.ts';
import type { Steps } from './steps.ts';
import type { TreeGrouping } from './trees/grouping.ts';
import type { GrowingTree } from './trees/growing-tree.ts';
import type { BottomUpSums } from './values/bottom-up-sums.ts';
import type { MaskedValues } from './values/masked-values.ts';
import type { Metric } from './values/metric.ts';
import type { RowValues } from './values/row-sums.ts';
import type { SelfValues } from './values/self-values.ts';
import type { FlameMeasures } from './views/flame-measures.ts';
import { type LayoutRoot, outsideZoom } from './views/flame-layout.ts';
import { zoomedRoot } from './zoomed-root.ts';

/** The trees of a view. */
interface TreesOfView {
  allRows(of: 'calls' | 'bottom-up', grouping: TreeGrouping): RowValues;
  measures(rows: RowValues, metric: Metric): FlameMeasures;
  tree(grouping: TreeGrouping): GrowingTree;
  bottomUp(grouping: TreeGrouping): BottomUpSums;
}

/** A zoom that narrows the call tree and the methods, in rows of the call tree or of its bottom-up tree. */
export class NarrowingZoom {
  readonly #calls: GrowingTree;
  /** undefined: it is not there. */
  readonly #root: LayoutRoot | undefined;
  readonly #bottomUp: BottomUpSums | undefined;

  constructor({ narrowing, keys, metric, siblings }: ProfileQuery, trees: TreesOfView) {
    assert(narrowing !== undefined, 'a zoom is looked for where one narrows');
    const { zoom, threads } = narrowing;
    const grouping = { threads, frames: keys };
    const isInverted = isBottomUpZoom(zoom);
    const rows = trees.allRows(isInverted ? 'bottom-up' : 'calls', grouping);
    // Only a run of siblings is found by their weights.
    const weights = zoom.run === undefined ? [] : trees.measures(rows, metric).weights;
    this.#root = zoomedRoot(rows, zoom, weights, siblings);
    this.#calls = trees.tree(grouping);
    this.#bottomUp = isInverted ? trees.bottomUp(grouping) : undefined;
  }

  /** The part of some values below the zoom; undefined: the zoom is not there. */
  below(steps: Steps, values: SelfValues): MaskedValues | undefined {
    return this.#root && steps.get(BELOW_ZOOM, values, this.#calls, this.#root, this.#bottomUp);
  }

  /** Row -> 1 where its node is not below the zoom; undefined: the zoom is not there. */
  rowsBeyond(node: Int32Array): Uint8Array | undefined {
    if (this.#root === undefined) return undefined;
    const ends = this.#bottomUp?.ends(this.#calls) ?? this.#calls;
    return outsideZoom(this.#bottomUp?.tree ?? this.#calls, this.#root, ends, { node, length: node.length });
  }
}
