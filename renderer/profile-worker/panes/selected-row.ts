import type { ProfileView } from '../../../shared/engine/profile-view.ts';
import type { RowsOf } from '../../../shared/engine/query.ts';
import { displayLabel, type RowTree } from '../../../shared/engine/trees/row-tree.ts';
import type { RowValues } from '../../../shared/engine/values/row-sums.ts';
import { heaviestRow } from '../../../shared/engine/views/heaviest-below.ts';
import { NONE } from '../../../shared/profile/columns.ts';
import type { Selection } from '../pane-messages.ts';

/** The rows of a pane. */
interface RowsOfPane {
  readonly of: RowsOf;
  readonly tree: RowTree;
}

/** The row that stands for what is selected, in whatever pane it was selected. */
export function rowForSelection(
  { tree, of }: RowsOfPane,
  view: ProfileView,
  selection: Selection,
): number | undefined {
  const { kind, label, id } = selection;
  const known = tree.rowOf(id);
  const row = known === NONE ? undefined : known;
  if (of === 'methods') {
    if (selection.of === 'methods') return row;
    if (selection.of === 'calls') return tree.keys.keyOf(view.frameOfNode(id));
    return kind === 'frame' || kind === 'error' ? view.keyOfMethod(selection, tree.keys) : undefined;
  }
  if (kind === 'block') return undefined;
  // The row of a tree of another method may have the same id.
  if (selection.of === of)
    return row === undefined || of === 'calls' || displayLabel(tree, row) === label ? row : undefined;
  if (of !== 'bottom-up' || kind === 'thread' || kind === 'all') return undefined;
  const key = view.keyOfMethod(selection, tree.keys);
  return tree.roots().find((root) => tree.key[root] === key);
}

/** The heaviest call of a method that another pane names; undefined where there is none. O(rows). */
export function heaviestCallOf(
  {
    tree,
    weight,
    shownSums,
  }: { readonly tree: RowTree; readonly weight: ArrayLike<number>; readonly shownSums: RowValues },
  view: ProfileView,
  selection: Selection,
): number | undefined {
  const { key, keys } = tree;
  if (selection.kind !== 'frame' && selection.kind !== 'error') return undefined;
  const wanted = view.keyOfMethod(selection, keys);
  const isCall = (row: number): boolean =>
    key[row] >= 0 && (key[row] === wanted || keys.methodOf[key[row]] === wanted) && shownSums.isShown(row);
  return wanted === undefined ? undefined : heaviestRow(tree, weight, isCall);
}
