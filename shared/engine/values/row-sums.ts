import { extended, NONE, release } from '../../profile/columns.ts';
import type { TimeColumn } from '../../profile/time-column.ts';
import type { GrowingTree } from '../trees/growing-tree.ts';
import type { RowTree } from '../trees/row-tree.ts';
import { SelfChanges, type SelfGains } from './self-changes.ts';
import type { ComparedTo } from './row-change.ts';
import type { SelfValues } from './self-values.ts';
import { ValueColumns, type ChainSums, ValuedRows } from './value-columns.ts';
import { sweepUp } from '../../profile/lean-profile.ts';
import type { Callees, Callers } from '../trees/callers.ts';
import type { MethodTree } from '../trees/method-tree.ts';

/** A tree with the values of its rows, for panes and export writers. */
export interface RowValues {
  readonly tree: RowTree;
  readonly selfCount: ArrayLike<number>;
  readonly totalCount: ArrayLike<number>;
  readonly selfTime: TimeColumn;
  readonly totalTime: TimeColumn;
  /** Number of updates. */
  readonly revision: number;
  /** Rows whose self values the last update changed; undefined when it summed everything again. */
  readonly changed: readonly number[] | undefined;
  /** The rows that they are compared with; undefined: none. */
  readonly compared?: ComparedRows | undefined;
  /** False for most rows that have neither samples nor time: these were withdrawn, or are not among the summed values. */
  isShown(row: number): boolean;
}

/** A baseline over the rows of a tree. */
export interface ComparedRows extends ComparedTo {
  readonly base: RowValues;
}

/** Values of which other rows are shown, or which are compared with a baseline. */
export class ShownRows implements RowValues {
  readonly compared: ComparedRows | undefined;
  readonly isShown: (row: number) => boolean;
  readonly #values: RowValues;

  constructor(values: RowValues, isShown: (row: number) => boolean, compared = values.compared) {
    this.#values = values;
    this.isShown = isShown;
    this.compared = compared;
  }

  get tree(): RowTree {
    return this.#values.tree;
  }

  get selfCount(): ArrayLike<number> {
    return this.#values.selfCount;
  }

  get totalCount(): ArrayLike<number> {
    return this.#values.totalCount;
  }

  get selfTime(): TimeColumn {
    return this.#values.selfTime;
  }

  get totalTime(): TimeColumn {
    return this.#values.totalTime;
  }

  get revision(): number {
    return this.#values.revision;
  }

  get changed(): readonly number[] | undefined {
    return this.#values.changed;
  }
}

/**
 * The sums of self values over the rows of a tree. When other values are summed, the memory is reused.
 */
export class RowSums extends ValueColumns implements RowValues {
  readonly tree: GrowingTree;
  /** The values to sum. Call `update` after replacing them. */
  values: SelfValues;
  revision = 0;
  changed: readonly number[] | undefined;

  readonly #selfChanges = new SelfChanges();
  readonly #valued = new ValuedRows(this);
  /** The values that the last update summed. */
  #summed: SelfValues | undefined;
  #numbering = 0;

  constructor(tree: GrowingTree, values: SelfValues) {
    super();
    this.tree = tree;
    this.values = values;
  }

  /**
   * Sums the present values; update the tree first. Few changes are added along the paths to the roots. After many
   * changes everything is summed again, O(rows).
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

  /** A root without values is shown if no values are left out, because its thread is in the profile. */
  isShown(row: number): boolean {
    return (this.values.isComplete && this.tree.parent[row] === NONE) || this.#valued.has(row);
  }

  /** Frees the memory at once. */
  release(): void {
    release(this.selfCount, this.totalCount, this.selfTime.ns, this.totalTime.ns);
    this.#selfChanges.forget();
  }

  /**
   * Adds changes to the sums. Returns the rows whose self values changed; undefined, with incomplete sums, if summing
   * everything again costs less.
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

/** The values of the callers or callees of one method. They are never updated. */
export class MethodSums extends ValueColumns implements RowValues {
  readonly tree: MethodTree;
  readonly revision = 1;
  readonly changed = undefined;

  readonly #valued = new ValuedRows(this);

  constructor(tree: MethodTree) {
    super(tree.length);
    this.tree = tree;
  }

  /** The method itself is always shown. */
  isShown(row: number): boolean {
    return this.tree.parent[row] === NONE || this.#valued.has(row);
  }

  /** Adds every row's totals to its parent's, children first. */
  sumUp(): void {
    const { tree, totalCount, totalTime } = this;
    sweepUp(tree.parent, tree.length, totalCount, totalTime, totalTime.sumsStayExact(tree.length));
  }
}

/**
 * Adds the total of each occurrence to the row at the end of its callers. From there `sumUp` adds it to all rows on the
 * path to the method. `sums`: sums over `chains`.
 */
export function sumCallers({ tree, chains, occurrences, endRow }: Callers, sums: ChainSums): MethodSums {
  const result = new MethodSums(tree);
  for (let at = 0; at < occurrences.length; at++) {
    const node = occurrences[at];
    const chain = chains.of(node);
    result.totalCount[endRow[at]] += sums.totalCount[chain];
    result.totalTime.addFrom(endRow[at], sums.totalTime, chain);
    // Samples end at the last node of a chain.
    if (node + 1 !== chains.start[chain + 1]) continue;
    result.selfCount[0] += sums.selfCount[chain];
    result.selfTime.addFrom(0, sums.selfTime, chain);
  }
  result.sumUp();
  return result;
}

/** Adds the samples that ended at or below each occurrence. `sums`: sums over `chains`. */
export function sumCallees({ tree, chains, firstRow, rows }: Callees, sums: ChainSums): MethodSums {
  const result = new MethodSums(tree);
  for (let chain = 0; chain < chains.length; chain++) {
    for (let at = firstRow[chain]; at < firstRow[chain + 1]; at++) {
      result.selfCount[rows[at]] += sums.selfCount[chain];
      result.selfTime.addFrom(rows[at], sums.selfTime, chain);
    }
  }
  result.totalCount.set(result.selfCount);
  result.totalTime.copyFrom(result.selfTime);
  result.sumUp();
  return result;
}
