import { NONE } from '../../profile/columns.ts';
import { MethodTree } from './method-tree.ts';
import type { RowTree, StackEnd, StackEnds } from './row-tree.ts';

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
export class BottomUp implements StackEnds {
  readonly calls: RowTree;
  readonly tree: MethodTree;
  /** Rows of `calls` at which samples ended, in the order in which they were added. */
  readonly ends: number[] = [];
  /** Place in `ends` -> the row here at the end of its callers. */
  readonly topRows: number[] = [];

  /** Every path ends with a thread; otherwise with the outermost method. */
  readonly hasThreads: boolean;
  /** Place in `ends` -> the number of rows here before it was added. */
  readonly #rowsBefore: number[] = [];
  /** row -> the caller above the end that it was added for: a row of `calls`. */
  readonly #callers: number[] = [];

  constructor(calls: RowTree, hasThreads: boolean) {
    this.calls = calls;
    this.hasThreads = hasThreads;
    const { keys } = calls;
    const threads = calls.hasOneRoot ? 'all' : 'name';
    this.tree = new MethodTree({ keys, method: undefined, isInverted: true, threads, stackEnds: this });
  }

  /** Adds the callers of a row of `calls`, which must not be added twice. */
  add(end: number): void {
    const { tree, calls } = this;
    const { parent, key } = calls;
    this.#rowsBefore.push(tree.length);
    let row: number = NONE;
    for (let up = end; up !== NONE; up = parent[up]) {
      if (row !== NONE && key[up] < 0 && !this.hasThreads) break;
      row = row === NONE ? tree.root(this.#keyOf(up)) : tree.child(row, this.#keyOf(up));
      if (row === this.#callers.length) this.#callers.push(up);
    }
    this.ends.push(end);
    this.topRows.push(row);
  }

  /** The stack of the first end that the row was added for. O(log ends). */
  of(row: number): StackEnd {
    let low = 0;
    let high = this.ends.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.#rowsBefore[middle] <= row) low = middle;
      else high = middle;
    }
    const { calls } = this;
    return { end: calls.idOf(this.ends[low]), caller: calls.idOf(this.#callers[row]) };
  }

  /** Where threads are together, the row of a thread is that of its outermost method. */
  rowOf({ end, caller }: StackEnd): number {
    const { tree, calls } = this;
    const { parent, key } = calls;
    const last = calls.rowOf(caller);
    let row: number = NONE;
    for (let up = calls.rowOf(end); up !== NONE; up = parent[up]) {
      const isThread = row !== NONE && key[up] < 0 && !this.hasThreads;
      if (!isThread) row = tree.find(row, key[up]);
      if (row === NONE || up === last) return row;
    }
    return NONE;
  }

  /** Threads have the same numbers as in `calls`. */
  #keyOf(row: number): number {
    const { key } = this.calls;
    if (key[row] < 0) this.tree.threadLabels[~key[row]] = this.calls.label(row);
    return key[row];
  }
}
