import { NONE } from '../profile/columns.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { RowValues } from '../values/row-sums.ts';

/** row -> 1 when something below it matches. One backward sweep. */
export function rowsAboveMatches(values: RowValues, matching: Uint8Array): Uint8Array {
  const { tree } = values;
  const above = new Uint8Array(tree.length);
  const { parent, key } = tree;
  for (let row = tree.length - 1; row >= 0; row--) {
    const up = parent[row];
    if (up === NONE || !values.isShown(row)) continue;
    if (above[row] === 1 || matching[key[row]] === 1) above[up] = 1;
  }
  return above;
}

/**
 * The next (direction 1) or previous (-1) matching row in display order, be it open or hidden in a closed row; NONE
 * when there is none that way. `children` gives a row's children in display order, of NONE the roots. Looks only into
 * subtrees that hold a match.
 */
export function findRow(
  tree: RowTree,
  matching: Uint8Array,
  above: Uint8Array,
  children: (row: number) => readonly number[],
  from: number,
  direction: 1 | -1,
): number {
  const matches = (row: number): boolean => tree.key[row] >= 0 && matching[tree.key[row]] === 1;
  const holds = (row: number): boolean => matches(row) || above[row] === 1;

  /** The first, or last, match in the subtree of a row that holds one. */
  const within = (row: number): number => {
    let at = row;
    for (;;) {
      if (direction === 1 && matches(at)) return at;
      const list = children(at).filter(holds);
      const next = direction === 1 ? list[0] : list.at(-1);
      if (next === undefined) return at;
      at = next;
    }
  };

  if (direction === 1 && from !== NONE && above[from] === 1) {
    const first = children(from).find(holds);
    if (first !== undefined) return within(first);
  }
  let at = from;
  for (;;) {
    const parent = at === NONE ? NONE : tree.parent[at];
    const siblings = children(parent);
    const place = at === NONE ? (direction === 1 ? -1 : siblings.length) : siblings.indexOf(at);
    for (let next = place + direction; next >= 0 && next < siblings.length; next += direction) {
      if (holds(siblings[next])) return within(siblings[next]);
    }
    if (parent === NONE) return NONE;
    if (direction === -1 && matches(parent)) return parent;
    at = parent;
  }
}
