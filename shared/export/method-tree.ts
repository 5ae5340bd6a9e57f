import type { LeanProfile } from '../profile/lean-profile.ts';
import { calleesOf, callersOf } from '../views/callers.ts';
import type { RowFilter } from '../views/filter.ts';
import type { Recursion } from '../views/flat-profile.ts';
import type { TreeGrouping } from '../views/call-tree.ts';
import { KeyTable } from '../views/keys.ts';
import type { MethodTree } from '../views/method-tree.ts';
import { NodeRuns } from '../views/node-runs.ts';
import type { TextSink } from './text-sink.ts';
import { writeRows } from './tree.ts';

export interface MethodTreeExportOptions {
  readonly direction: 'callers' | 'callees';
  /** The method, by its key in this grouping; threads are where callers end. */
  readonly method: string;
  readonly grouping: TreeGrouping;
  readonly recursion: Recursion;
  readonly filter: RowFilter;
}

/**
 * The callers or callees of a method as canonical text (specs: cli), the lines of `tree` with the method as root. False,
 * and nothing written, when no frame has that key.
 */
export function exportMethodTree(
  profile: LeanProfile,
  options: MethodTreeExportOptions,
  sink: TextSink,
): boolean {
  const tree = methodTreeOf(profile, options);
  if (tree !== undefined) writeRows(tree, options.filter, sink);
  return tree !== undefined;
}

export function methodTreeOf(
  profile: LeanProfile,
  { direction, method, grouping, recursion }: Omit<MethodTreeExportOptions, 'filter'>,
): MethodTree | undefined {
  const keys = new KeyTable(profile, grouping.frames);
  keys.update();
  const key = keys.find(method);
  if (key < 0) return undefined;
  const runs = new NodeRuns(profile);
  runs.update();
  const treeOf = direction === 'callers' ? callersOf : calleesOf;
  return treeOf(profile, { runs, keys, key, recursion, threads: grouping.threads });
}
