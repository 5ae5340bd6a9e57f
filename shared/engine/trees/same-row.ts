import type { LeanProfile } from '../../profile/lean-profile.ts';
import { NONE } from '../../profile/columns.ts';
import type { KeyTable } from './keys.ts';
import { displayLabel, type RowTree } from './row-tree.ts';

/** A tree and the profile whose frames its keys are of. */
export interface TreeOfProfile {
  readonly profile: LeanProfile;
  readonly tree: RowTree;
}

/**
 * The row of another tree that is on the same path, where both have the same rows but other keys: because a name arrived
 * late, a method was split, or a scope changed. NONE where there is no such row. Where a method was split it is the row of
 * its first line. O(depth * siblings).
 *
 *   from   put   run   main          to   put:7   run   main
 */
export function sameRow(from: TreeOfProfile, row: number, to: TreeOfProfile): number {
  const path: number[] = [];
  for (let at = row; at !== NONE; at = from.tree.parent[at]) path.push(at);
  const { tree } = to;
  let found = NONE;
  for (const at of path.reverse()) {
    const isSame = rowTest(from, at, to);
    if (found === NONE) found = tree.roots().find(isSame) ?? NONE;
    else {
      found = tree.firstChild(found);
      while (found !== NONE && !isSame(found)) found = tree.nextSibling(found);
    }
    if (found === NONE) return NONE;
  }
  return found;
}

function rowTest(from: TreeOfProfile, row: number, to: TreeOfProfile): (row: number) => boolean {
  const { tree } = to;
  const key = from.tree.key[row];
  if (key < 0) {
    const label = displayLabel(from.tree, row);
    return (each) => tree.key[each] < 0 && displayLabel(tree, each) === label;
  }
  const wanted = keyIn(tree.keys, from, key, to.profile);
  // The root of the callers of a split method is the method itself.
  return (each) =>
    tree.key[each] === wanted ||
    (tree.parent[each] === NONE && tree.key[each] === tree.keys.methodOf[wanted]);
}

/** By the first frame; frames of other profiles have other numbers, but the same names. */
function keyIn(keys: KeyTable, from: TreeOfProfile, key: number, profile: LeanProfile): number {
  const { labels, firstFrame } = from.tree.keys;
  return profile === from.profile ? (keys.keyOf(firstFrame[key]) ?? NONE) : keys.find(labels[key]);
}
