import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { CallTree, type TreeGrouping } from '../views/call-tree.ts';
import { keptRows, type RowFilter } from '../views/filter.ts';
import { compareKeys } from '../views/keys.ts';
import type { TreeRows } from '../views/tree-rows.ts';
import { countText } from '../text/format-value.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

export interface TreeExportOptions {
  readonly grouping: TreeGrouping;
  readonly filter: RowFilter;
}

/**
 * The call tree as canonical text (specs: cli, `tree`), in pre-order, siblings sorted by key in UTF-16 code units:
 *
 *   depth key selfCnt totalCnt selfTime totalTime
 *
 * A filtered tree keeps the values that its rows have in the whole one, as the reference does.
 */
export function exportTree(profile: LeanProfile, options: TreeExportOptions, sink: TextSink): void {
  writeRows(callTreeOf(profile, options.grouping), options.filter, sink);
}

/** The rows of a tree that are shown and pass, and the rows above them. */
export function writeRows(tree: TreeRows, filter: RowFilter, sink: TextSink): void {
  const kept = keptRows(tree, filter);
  const { rows, totals } = tree;
  const writer = new LineWriter(
    sink,
    kept.reduce((count, keeps) => count + keeps, 0),
  );

  // Pre-order without recursion: what is still to be written, the next row last.
  const pending = sortedByLabel(
    tree,
    tree.roots().filter((row) => kept[row] === 1),
  ).reverse();
  const depths = pending.map(() => 0);
  for (;;) {
    const row = pending.pop();
    const depth = depths.pop();
    if (row === undefined || depth === undefined) break;
    writer.line(
      `${depth}\t${tree.label(row)}\t${countText(rows.selfCount[row])}\t${countText(totals.count[row])}\t${rows.selfTime.text(row)}\t${totals.time.text(row)}`,
    );
    const children: number[] = [];
    for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child)) {
      if (kept[child] === 1 && tree.isShown(child)) children.push(child);
    }
    sortedByLabel(tree, children);
    for (let at = children.length - 1; at >= 0; at--) {
      pending.push(children[at]);
      depths.push(depth + 1);
    }
  }
  writer.flush();
}

export function callTreeOf(profile: LeanProfile, grouping: TreeGrouping): CallTree {
  const tree = new CallTree(profile, grouping);
  tree.update();
  return tree;
}

function sortedByLabel(tree: TreeRows, rows: number[]): number[] {
  return rows.length < 2 ? rows : rows.sort((a, b) => compareKeys(tree.label(a), tree.label(b)));
}
