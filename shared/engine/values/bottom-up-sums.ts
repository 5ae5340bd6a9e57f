import { extended, zeroed } from '../../profile/columns.ts';
import { sweepUp } from '../../profile/lean-profile.ts';
import { BottomUp } from '../trees/bottom-up.ts';
import { endsOfBottomUp, type MethodEnds } from '../trees/callers.ts';
import type { MethodTree } from '../trees/method-tree.ts';
import type { SummableRows } from '../trees/row-tree.ts';
import type { RowValues } from './row-sums.ts';
import { ValueColumns, ValuedRows } from './value-columns.ts';

/**
 * The bottom-up tree of a call tree, with values. A root has the samples that ended in its method, as self and as total;
 * a row below it those that reached the root's method through it, which is less than or equal to the row above.
 */
export class BottomUpSums extends ValueColumns implements RowValues {
  readonly calls: RowValues;
  revision = 0;
  readonly changed = undefined;

  readonly #rows: BottomUp;
  readonly #valued = new ValuedRows(this);
  /** Row of the call tree -> 1 if its callers are added. */
  #isAdded = new Uint8Array(0);

  /** `calls`: the values of a call tree, until its rows are renumbered. For `hasThreads` see `BottomUp`. */
  constructor(calls: RowValues, hasThreads: boolean, rows = new BottomUp(calls.tree, hasThreads)) {
    super();
    this.calls = calls;
    this.#rows = rows;
  }

  get tree(): MethodTree {
    return this.#rows.tree;
  }

  /** `calls`: the call tree whose values these are. */
  ends(calls: SummableRows): MethodEnds {
    return endsOfBottomUp(this.#rows, calls);
  }

  /**
   * Adds the rows of the call tree at which samples have ended since, and sums its present values. Update it first. `base`:
   * other values of the call tree; where their samples ended, there are rows, too.
   */
  update(base?: RowValues): void {
    const { length } = this.calls.tree;
    this.#isAdded = extended(this.#isAdded, length);
    for (let row = 0; row < length; row++) {
      if (this.#isAdded[row] === 1) continue;
      if (!hasEnds(this.calls, row) && (base === undefined || !hasEnds(base, row))) continue;
      this.#isAdded[row] = 1;
      this.#rows.add(row);
    }
    this.sumAgain();
  }

  /** Instead of `update`, once: sums only the samples that ended at these rows of the call tree. */
  sumOf(rows: readonly number[]): void {
    for (const row of rows) this.#rows.add(row);
    this.sumAgain();
  }

  /** The sums of other values of the same call tree over the present rows. They are not updated, but may be summed again. */
  sumsOf(calls: RowValues): BottomUpSums {
    const sums = new BottomUpSums(calls, this.#rows.hasThreads, this.#rows);
    sums.sumAgain();
    return sums;
  }

  isShown(row: number): boolean {
    return this.#valued.has(row);
  }

  /** Sums the present values of the call tree over the present rows. */
  sumAgain(): void {
    const { selfCount, selfTime } = this.calls;
    const { tree, ends, topRows } = this.#rows;
    tree.complete();
    const { length, parent } = tree;
    this.totalCount = zeroed(this.totalCount, length);
    this.totalTime.clear(length);
    for (let at = 0; at < ends.length; at++) {
      this.totalCount[topRows[at]] += selfCount[ends[at]];
      this.totalTime.addFrom(topRows[at], selfTime, ends[at]);
    }
    sweepUp(parent, length, this.totalCount, this.totalTime, this.totalTime.sumsStayExact(length));
    this.selfCount = zeroed(this.selfCount, length);
    this.selfTime.clear(length);
    for (const root of tree.roots()) {
      this.selfCount[root] = this.totalCount[root];
      this.selfTime.addFrom(root, this.totalTime, root);
    }
    this.revision++;
  }
}

/** Samples ended at this row of a call tree. */
export function hasEnds({ selfCount, selfTime }: RowValues, row: number): boolean {
  return selfCount[row] !== 0 || selfTime.ns[row] !== 0;
}
