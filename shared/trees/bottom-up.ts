import { NONE } from '../profile/columns.ts';
import { MethodTree } from './method-tree.ts';
import type { RowTree } from './row-tree.ts';

/**
 * A call tree from where samples ended to who led there: roots are the methods in which samples ended, and below a row
 * are its callers.
 *
 *   stacks      main;run;put   main;run;put;hash   main;load;put
 *
 *   bottom-up   put 2 (self 2)       hash 1 (self 1)
 *                 run 1                put 1
 *                   main 1               run 1
 *                 load 1                   main 1
 *                   main 1
 *
 * It grows with the call tree: each row of the call tree at which a sample ended adds the path of its callers, once. So
 * its size is at most the sum of the depths of these rows: 1.5 million for a log of 7.7 million call nodes, whose call
 * tree has 0.4 million rows.
 */
export class BottomUp {
  readonly calls: RowTree;
  readonly tree: MethodTree;
  /** Rows of `calls` at which samples ended, in the order in which they were added. */
  readonly ends: number[] = [];
  /** For each of `ends` the row here at the end of its callers. */
  readonly topRows: number[] = [];

  /** Every path ends with a thread; otherwise with the outermost method. */
  readonly hasThreads: boolean;

  constructor(calls: RowTree, hasThreads: boolean) {
    this.calls = calls;
    this.hasThreads = hasThreads;
    const threads = calls.hasOneRoot ? 'all' : 'name';
    this.tree = new MethodTree({ keys: calls.keys, method: undefined, isInverted: true, threads });
  }

  /** Adds the callers of a row of `calls`, which must not be added twice. */
  add(end: number): void {
    const { tree, calls } = this;
    const { parent, key } = calls;
    let row = tree.root(this.#keyOf(end));
    for (let up = parent[end]; up !== NONE; up = parent[up])
      if (key[up] >= 0 || this.hasThreads) row = tree.child(row, this.#keyOf(up));
    this.ends.push(end);
    this.topRows.push(row);
  }

  /** Threads have the same numbers as in `calls`. */
  #keyOf(row: number): number {
    const { key } = this.calls;
    if (key[row] < 0) this.tree.threadLabels[~key[row]] = this.calls.label(row);
    return key[row];
  }
}
