import { NONE } from '../profile/columns.ts';
import type { MethodEnds } from './trees/method-ends.ts';
import type { RowTree } from './trees/row-tree.ts';
import type { RowValues } from './values/row-sums.ts';
import type { SelfValues } from './values/self-values.ts';
import { ALL_ROWS } from './views/flame-columns.ts';
import { type LayoutRoot, rootTest } from './views/flame-layout.ts';
import type { FlameZoom, ZoomedRow } from './query.ts';

/** What a zoom names, in rows of the tree; undefined for everything, and for what is not there (any more). */
export function zoomedRoot(
  values: Pick<RowValues, 'tree' | 'isShown'>,
  zoom: FlameZoom | undefined,
): LayoutRoot | undefined {
  if (zoom === undefined) return undefined;
  const { tree } = values;
  const row = zoom.row === ALL_ROWS ? ALL_ROWS : rowOfZoom(tree, zoom.row);
  if (row === NONE && zoom.row !== ALL_ROWS) return undefined;
  if (row !== ALL_ROWS && !values.isShown(row)) return undefined;
  const run = zoom.run && zoomedRun(tree, zoom.row === ALL_ROWS ? NONE : row, zoom.run);
  const isEverything = zoom.row === ALL_ROWS || (tree.hasOneRoot && tree.parent[row] === NONE);
  return run === undefined && isEverything ? undefined : { row, run };
}

/** The first and the last of a run of siblings; undefined where another grouping gave them other parents. */
function zoomedRun(tree: RowTree, parent: number, run: NonNullable<FlameZoom['run']>): LayoutRoot['run'] {
  const first = rowOfZoom(tree, run.first);
  const last = rowOfZoom(tree, run.last);
  if (first === NONE || last === NONE) return undefined;
  return tree.parent[first] === parent && tree.parent[last] === parent ? { first, last } : undefined;
}

/** How a zoom names a row of the tree. */
export function zoomedRow(tree: RowTree, row: number): ZoomedRow {
  return tree.stackEnds?.of(row) ?? tree.idOf(row);
}

/** The row that a zoom names; NONE if there is none, and where the zoom is one of another graph. */
export function rowOfZoom(tree: RowTree, row: ZoomedRow): number {
  if (typeof row !== 'number') return tree.stackEnds?.rowOf(row) ?? NONE;
  return tree.stackEnds === undefined ? tree.rowOf(row) : NONE;
}

/**
 * Row of the values -> 1 where its samples are neither in the root of a zoom nor below it. `ends`: the deepest row of the
 * tree that a sample is in, by the node where it ends. O(rows of the tree).
 */
export function outsideZoom(
  tree: RowTree,
  root: LayoutRoot,
  ends: Pick<MethodEnds, 'rowsOfNodes'>,
  { node, length }: Pick<SelfValues, 'node' | 'length'>,
): Uint8Array {
  const isRoot = rootTest(tree, root);
  const { parent } = tree;
  const isInside = new Uint8Array(tree.length);
  for (let row = 0; row < tree.length; row++) {
    const up = parent[row];
    isInside[row] = (up !== NONE && isInside[up] === 1) || isRoot(row) ? 1 : 0;
  }
  const rows = new Int32Array(length);
  ends.rowsOfNodes(node, length, rows);
  return Uint8Array.from(rows, (row) => (row !== NONE && isInside[row] === 1 ? 0 : 1));
}
