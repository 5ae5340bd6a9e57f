import type { RowTree } from '../trees/row-tree.ts';
import { ALL_ROWS, type FlameLayout, isBlock } from './flame-columns.ts';

/** The layout of a bottom-up tree with the stack ends of its frames; any other as it is. O(rows of the layout * log ends). */
export function withStackEnds(layout: FlameLayout, tree: RowTree): FlameLayout {
  if (tree.stackEnds === undefined) return layout;
  const { length, id, lastId } = layout;
  const end = new Int32Array(length).fill(ALL_ROWS);
  const caller = end.slice();
  const lastEnd = end.slice();
  const lastCaller = end.slice();
  for (let at = 0; at < length; at++) {
    if (id[at] === ALL_ROWS) continue;
    const first = tree.stackEnds.of(tree.rowOf(id[at]));
    const last = isBlock(layout, at) ? tree.stackEnds.of(tree.rowOf(lastId[at])) : first;
    end[at] = first.end;
    caller[at] = first.caller;
    lastEnd[at] = last.end;
    lastCaller[at] = last.caller;
  }
  return { ...layout, stackEnds: { end, caller, lastEnd, lastCaller } };
}
