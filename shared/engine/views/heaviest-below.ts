import { NONE } from '../../profile/columns.ts';
import type { RowTree } from '../trees/row-tree.ts';

/**
 * Selects a row and the heaviest rows below it, at most `most` rows in all. Repeatedly selects the heaviest row whose
 * parent is selected, so the rows form a tree. Rows without weight are left out. O(most · log candidates).
 */
export function heaviestBelow(
  tree: Pick<RowTree, 'firstChild' | 'nextSibling'>,
  weight: ArrayLike<number>,
  root: number,
  most: number,
): Set<number> {
  const taken = new Set<number>();
  /** A binary heap, the heaviest first. */
  const waiting = [root];
  const isBefore = (a: number, b: number): boolean =>
    weight[a] > weight[b] || (weight[a] === weight[b] && a < b);
  const add = (row: number): void => {
    let at = waiting.push(row) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(row, waiting[above])) break;
      waiting[at] = waiting[above];
      at = above;
    }
    waiting[at] = row;
  };
  const take = (): number => {
    const [heaviest] = waiting;
    const row = waiting.pop() ?? NONE;
    if (waiting.length === 0) return heaviest;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= waiting.length) break;
      if (below + 1 < waiting.length && isBefore(waiting[below + 1], waiting[below])) below++;
      if (!isBefore(waiting[below], row)) break;
      waiting[at] = waiting[below];
      at = below;
    }
    waiting[at] = row;
    return heaviest;
  };
  while (waiting.length > 0 && taken.size < most) {
    const row = take();
    taken.add(row);
    for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child)) {
      if (weight[child] > 0) add(child);
    }
  }
  return taken;
}
