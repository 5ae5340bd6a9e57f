import { NONE } from '../profile/columns.ts';
import type { RowTree } from './trees/row-tree.ts';
import type { RowValues } from './values/row-sums.ts';
import { ALL_ROWS } from './views/flame-columns.ts';
import { type LayoutRoot, siblingOrder, type SiblingOrder } from './views/flame-layout.ts';
import type { FlameZoom, ZoomedRow } from './query.ts';

/** The rows of the tree that a zoom names; undefined for everything, and for what is not there (any more). */
export function zoomedRoot(
  values: Pick<RowValues, 'tree' | 'isShown'>,
  zoom: FlameZoom | undefined,
  weights: ArrayLike<number>,
  siblings: SiblingOrder,
): LayoutRoot | undefined {
  if (zoom === undefined) return undefined;
  const { tree } = values;
  const row = zoom.row === ALL_ROWS ? ALL_ROWS : rowOfZoom(tree, zoom.row);
  if (row === NONE && zoom.row !== ALL_ROWS) return undefined;
  if (row !== ALL_ROWS && !values.isShown(row)) return undefined;
  const parent = zoom.row === ALL_ROWS ? NONE : row;
  const run = zoom.run && zoomedRun(tree, parent, zoom.run, siblingOrder(tree, weights, siblings));
  const isEverything = zoom.row === ALL_ROWS || (tree.hasOneRoot && tree.parent[row] === NONE);
  return run === undefined && isEverything ? undefined : { row, run };
}

/** The siblings from the first of a run to its last; undefined where another grouping gave these other parents. */
function zoomedRun(
  tree: RowTree,
  parent: number,
  run: NonNullable<FlameZoom['run']>,
  compare: (a: number, b: number) => number,
): LayoutRoot['run'] {
  const ends = [rowOfZoom(tree, run.first), rowOfZoom(tree, run.last)];
  if (ends.some((row) => row === NONE || tree.parent[row] !== parent)) return undefined;
  // Other weights may have turned them.
  const [first, last] = ends.sort(compare);
  const siblings = parent === NONE ? tree.roots() : [...childrenOf(tree, parent)];
  return siblings.filter((row) => compare(first, row) <= 0 && compare(row, last) <= 0);
}

function* childrenOf(tree: RowTree, parent: number): Generator<number> {
  for (let child = tree.firstChild(parent); child !== NONE; child = tree.nextSibling(child)) yield child;
}

/** The name of a row of the tree in a zoom. */
export function zoomedRow(tree: RowTree, row: number): ZoomedRow {
  return tree.stackEnds?.of(row) ?? tree.idOf(row);
}

/** The row that a zoom names; NONE if there is none, and where the zoom is one of another graph. */
export function rowOfZoom(tree: RowTree, row: ZoomedRow): number {
  if (typeof row !== 'number') return tree.stackEnds?.rowOf(row) ?? NONE;
  return tree.stackEnds === undefined ? tree.rowOf(row) : NONE;
}
