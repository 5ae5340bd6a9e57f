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

/** The hot path ends above rows that have less of everything. */
const LEAST_HOT_SHARE = 0.01;

/**
 * Down the heaviest children, to where the path forks, because no child has more than half of the weight, or is too light
 * to matter. Errors, which it does not go by, are not in that weight. `from`: a row, or those of which the heaviest begins.
 */
export function hotPath(
  tree: RowTree,
  weight: ArrayLike<number>,
  from: number | Iterable<number>,
  childrenOf: (row: number) => readonly number[],
): { readonly start: number; readonly row: number } | undefined {
  const start = typeof from === 'number' ? from : heaviest(tree, weight, from);
  if (start === NONE) return undefined;
  const least = LEAST_HOT_SHARE * tree.roots().reduce((sum, root) => sum + weight[root], 0);
  let row = start;
  for (;;) {
    const children = childrenOf(row);
    const child = heaviest(tree, weight, children);
    const errors = children.filter((each) => tree.kind(each) === 'error');
    const rest = errors.reduce((sum, each) => sum - weight[each], weight[row]);
    if (child === NONE || weight[child] * 2 <= rest || weight[child] < least) return { start, row };
    row = child;
  }
}

/** The heaviest row, on a tie the first; NONE of none. Errors are skipped: they cannot be optimised. */
function heaviest(tree: RowTree, weight: ArrayLike<number>, rows: Iterable<number>): number {
  let found = NONE;
  for (const row of rows) {
    if (tree.kind(row) !== 'error' && (found === NONE || weight[row] > weight[found])) found = row;
  }
  return found;
}

/** The heaviest row that passes, the first one of equals; undefined if none passes. O(rows). */
export function heaviestRow(
  { length }: RowTree,
  weight: ArrayLike<number>,
  passes: (row: number) => boolean,
): number | undefined {
  let heaviest: number | undefined;
  for (let row = 0; row < length; row++)
    if (passes(row) && (heaviest === undefined || weight[row] > weight[heaviest])) heaviest = row;
  return heaviest;
}
