import { NONE } from '../profile/columns.ts';
import type { RowTree } from './trees/row-tree.ts';
import type { RowValues } from './values/row-sums.ts';
import { ALL_ROWS } from './views/flame-columns.ts';
import type { LayoutRoot } from './views/flame-layout.ts';
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
