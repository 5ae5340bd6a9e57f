import { extended, NONE, release } from '../profile/columns.ts';
import type { TimeColumn } from '../profile/time-column.ts';
import type { GrowingTree } from '../trees/growing-tree.ts';
import type { RowTree } from '../trees/row-tree.ts';
import { SelfChanges, type SelfGains } from './self-changes.ts';
import type { SelfValues } from './self-values.ts';
import { ValueColumns } from './value-columns.ts';

/** A tree with the values of its rows, for panes and export writers. */
export interface RowValues {
  readonly tree: RowTree;
  readonly selfCount: ArrayLike<number>;
  readonly totalCount: ArrayLike<number>;
  readonly selfTime: TimeColumn;
  readonly totalTime: TimeColumn;
  /** A row without samples is not shown: its samples were withdrawn, or are not among the values. */
  isShown(row: number): boolean;
}

/**
 * The sums of one set of self values over the rows of one tree. Sums of other values over the same tree reuse the
 * memory.
 */
export class RowSums extends ValueColumns implements RowValues {
  readonly tree: GrowingTree;
  /** What is summed. Call `update` after replacing it. */
  values: SelfValues;
  /** Counts updates. */
  revision = 0;
  /** Rows whose self values the last update changed; undefined when it summed everything again. */
  changed: readonly number[] | undefined;

  readonly #selfChanges = new SelfChanges();
  /** What the last update summed. */
  #summed: SelfValues | undefined;
  #numbering = 0;

  constructor(tree: GrowingTree, values: SelfValues) {
    super();
    this.tree = tree;
    this.values = values;
  }

  /**
   * Brings the sums up to date with the values; update the tree first. A few changes are added along the paths to the
   * roots; otherwise everything is summed again, O(rows).
   */
  update(): void {
    const { tree, values } = this;
    if (this.#summed !== values || this.#numbering !== tree.numbering) this.#selfChanges.forget();
    this.#summed = values;
    this.#numbering = tree.numbering;
    const gains = this.#selfChanges.take(values);
    this.changed = gains && this.#add(gains);
    if (this.changed === undefined) this.sum(tree, values);
    this.revision++;
  }

  /** A root without samples is shown if the values are complete: its thread is in the profile. */
  isShown(row: number): boolean {
    return this.totalCount[row] > 0 || (this.values.isComplete && this.tree.parent[row] === NONE);
  }

  /** Frees the memory at once. */
  release(): void {
    release(this.selfCount, this.totalCount, this.selfTime.ns, this.totalTime.ns);
    this.#selfChanges.forget();
  }

  /**
   * Returns the rows whose self values changed; undefined, with incomplete sums, when summing everything again costs
   * less.
   */
  #add(gains: SelfGains): readonly number[] | undefined {
    const { length, parent } = this.tree;
    const selfCount = (this.selfCount = extended(this.selfCount, length));
    const totalCount = (this.totalCount = extended(this.totalCount, length));
    this.selfTime.extend(length);
    this.totalTime.extend(length);
    const selfNs = this.selfTime.ns;
    const totalNs = this.totalTime.ns;
    const leaves = new Int32Array(gains.node.length);
    this.tree.rowsOfNodes(gains.node, gains.node.length, leaves);
    let steps = 0;
    for (let at = 0; at < leaves.length; at++) {
      const count = gains.count[at];
      const ns = gains.ns[at];
      selfCount[leaves[at]] += count;
      selfNs[leaves[at]] += ns;
      for (let row = leaves[at]; row !== NONE; row = parent[row]) {
        totalCount[row] += count;
        totalNs[row] += ns;
        steps++;
      }
      if (steps > length) return undefined;
    }
    return [...new Set(leaves)];
  }
}
