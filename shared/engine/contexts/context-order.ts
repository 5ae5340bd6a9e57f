import { NONE } from '../../profile/columns.ts';
import type { ContextTable } from '../../profile/context-table.ts';

/** Contexts that are open at once, among which the one around another is looked for. Programs nest a few dozen. */
const MOST_OPEN = 64;

/**
 * Contexts by thread and start, each after the one that it is inside. A context is inside another one of its thread that begins
 * no later and ends no earlier; of several, it is inside the one that began last.
 *
 *   row        0 [4, 6)   1 [0, 9)   2 [5, 12)      order   1 0 2
 *   parent     1          NONE       NONE           2 is not inside 1: it ends later
 */
export class ContextOrder {
  /** Place -> row. */
  order = new Int32Array(0);
  /** Row -> the row that it is inside; NONE. */
  parent = new Int32Array(0);

  /** Takes in what the table has gained: O(n log n), because a context comes after those inside it. */
  update({ length, thread, from, to }: ContextTable): void {
    if (length === this.order.length) return;
    this.order = Int32Array.from({ length }, (_, row) => row).sort(
      (a, b) => thread[a] - thread[b] || from[a] - from[b] || to[b] - to[a] || a - b,
    );
    this.parent = new Int32Array(length).fill(NONE);
    const open = new Int32Array(MOST_OPEN);
    let opened = 0;
    let last = NONE;
    for (const row of this.order) {
      if (thread[row] !== last) opened = 0;
      last = thread[row];
      while (opened > 0 && to[open[opened - 1]] <= from[row] && to[open[opened - 1]] < to[row]) opened--;
      let at = opened - 1;
      while (at >= 0 && to[open[at]] < to[row]) at--;
      if (at >= 0) this.parent[row] = open[at];
      if (opened === MOST_OPEN) open.copyWithin(0, 1, opened--);
      open[opened++] = row;
    }
  }
}
