import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { CallTree } from '../engine/trees/call-tree.ts';
import type { TreeGrouping } from '../engine/trees/grouping.ts';
import { keptRows, type RowFilter } from '../engine/views/filter.ts';
import { compareKeys } from '../engine/trees/keys.ts';
import type { RowTree } from '../engine/trees/row-tree.ts';
import { RowSums, type RowValues } from '../engine/values/row-sums.ts';
import type { SampleSum, SelfValues } from '../engine/values/self-values.ts';
import type { ExportWriter } from './export-input.ts';
import { numbersText, LineWriter, type TextSink } from './text-sink.ts';

export interface TreeExportOptions {
  readonly grouping: TreeGrouping;
  readonly filter: RowFilter;
  /** The values to sum; undefined: all. */
  readonly values?: SelfValues | undefined;
}

export const writeTree: ExportWriter = (input, sink) =>
  exportTree(input.profile, { ...input, grouping: input }, sink);

/**
 * The call tree as canonical text (specs: cli, `tree`), in pre-order, siblings sorted by key in UTF-16 code units:
 *
 *   depth key selfCnt totalCnt selfTime totalTime
 *
 * A filter does not change the values of the remaining rows, as in Honest Profiler.
 */
export function exportTree(profile: LeanProfile, options: TreeExportOptions, sink: TextSink): void {
  writeRows(callTreeOf(profile, options.grouping, options.values), options.filter, sink);
}

/**
 * Writes the rows of a tree that are shown and pass the filter, and the rows above them. `whole`: what shares of the
 * filter refer to; undefined: all threads of the tree.
 */
export function writeRows(values: RowValues, filter: RowFilter, sink: TextSink, whole?: SampleSum): void {
  const kept = keptRows(values, filter, whole);
  const { tree } = values;
  const writer = new LineWriter(
    sink,
    kept.reduce((count, keeps) => count + keeps, 0),
  );

  // Pre-order without recursion: a stack of the rows that are still to be written.
  const pending = sortedByLabel(
    tree,
    tree.roots().filter((row) => kept[row] === 1 && values.isShown(row)),
  ).reverse();
  const depths = pending.map(() => 0);
  for (;;) {
    const row = pending.pop();
    const depth = depths.pop();
    if (row === undefined || depth === undefined) break;
    writer.line(`${depth}\t${tree.label(row)}\t${numbersText(values, row)}`);
    const children: number[] = [];
    for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child)) {
      if (kept[child] === 1 && values.isShown(child)) children.push(child);
    }
    sortedByLabel(tree, children);
    for (let at = children.length - 1; at >= 0; at--) {
      pending.push(children[at]);
      depths.push(depth + 1);
    }
  }
  writer.flush();
}

/** The call tree of a profile with the sums of `values`, by default all values. */
export function callTreeOf(
  profile: LeanProfile,
  grouping: TreeGrouping,
  values: SelfValues = profile.selfValues,
): RowSums {
  const tree = new CallTree(profile, grouping);
  tree.update();
  const sums = new RowSums(tree, values);
  sums.update();
  return sums;
}

function sortedByLabel(tree: RowTree, rows: number[]): number[] {
  return rows.length < 2 ? rows : rows.sort((a, b) => compareKeys(tree.label(a), tree.label(b)));
}
