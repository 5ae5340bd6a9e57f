import { NONE } from '../../profile/columns.ts';
import { sweepUp } from '../../profile/lean-profile.ts';
import type { Callees, Callers } from '../trees/callers.ts';
import type { MethodTree } from '../trees/method-tree.ts';
import { type ChainSums, ValueColumns } from './value-columns.ts';
import type { RowValues } from './row-sums.ts';
import { ValuedRows } from './valued-rows.ts';

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
