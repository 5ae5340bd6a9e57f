import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { CallTree } from '../engine/trees/call-tree.ts';
import type { TreeGrouping } from '../engine/trees/grouping.ts';
import { keptRows, type RowFilter } from '../engine/views/filter.ts';
import { compareKeys } from '../engine/trees/keys.ts';
import type { RowTree } from '../engine/trees/row-tree.ts';
import { RowSums, type RowValues } from '../engine/values/row-sums.ts';
import type { SampleSum, SelfValues } from '../engine/values/self-values.ts';
import type { ExportInput } from './export-input.ts';
import { numbersText, LineWriter, type TextSink } from './text-sink.ts';

export type TreeInput = Pick<ExportInput, 'profile' | 'frames' | 'threads' | 'filter' | 'values'>;

/**
 * The call tree as canonical text (specs: cli, `tree`), in pre-order, siblings sorted by key in UTF-16 code units:
 *
 *   depth key selfCnt totalCnt selfTime totalTime
 *
 * A filter does not change the values of the remaining rows, as in Honest Profiler.
 */
export function writeTree(input: TreeInput, sink: TextSink): void {
  writeRows(callTreeOf(input.profile, input, input.values), input.filter, sink);
}

/**
 * Writes the rows of a tree that are shown and pass the filter, and the rows above them. `whole`: what shares of the
 * filter refer to; undefined: all threads of the tree.
 */
export function writeRows(values: RowValues, filter: RowFilter, sink: TextSink, whole?: SampleSum): void {
  const kept = keptRows(values, filter, whole);
  const isShown = (row: number): boolean => values.isShown(row);
  writePreOrder(values.tree, { kept, isShown, numbers: (row) => numbersText(values, row) }, sink);
}

/** Writes the rows of a tree that are kept and shown in pre-order, siblings sorted by label, with their depths. */
export function writePreOrder(
  tree: RowTree,
  {
    kept,
    isShown,
    numbers,
  }: {
    /** row -> 1 if it is kept. */
    readonly kept: Uint8Array;
    readonly isShown: (row: number) => boolean;
    readonly numbers: (row: number) => string;
  },
  sink: TextSink,
): void {
  const writer = new LineWriter(
    sink,
    kept.reduce((count, keeps) => count + keeps, 0),
  );
  // Without recursion: a stack of the rows that are still to be written.
  const pending: number[] = [];
  const depths: number[] = [];
  const push = (rows: readonly number[], depth: number): void => {
    const written = rows.filter((row) => kept[row] === 1 && isShown(row));
    written.sort((a, b) => compareKeys(tree.label(b), tree.label(a)));
    for (const row of written) {
      pending.push(row);
      depths.push(depth);
    }
  };
  push(tree.roots(), 0);
  for (let row = pending.pop(); row !== undefined; row = pending.pop()) {
    const depth = depths.pop() ?? 0;
    writer.line(`${depth}\t${tree.label(row)}\t${numbers(row)}`);
    const children: number[] = [];
    for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child))
      children.push(child);
    push(children, depth + 1);
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
