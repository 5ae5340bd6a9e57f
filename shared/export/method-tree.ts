import type { LeanProfile } from '../profile/lean-profile.ts';
import { calleesOf, callersOf } from '../engine/trees/callers.ts';
import { type RowFilter, wholeOf } from '../engine/views/filter.ts';
import type { Recursion, TreeGrouping } from '../engine/trees/grouping.ts';
import { compareKeys, KeyTable } from '../engine/trees/keys.ts';
import type { SelfValues } from '../engine/values/self-values.ts';
import { ChainSums } from '../engine/values/value-columns.ts';
import { type MethodSums, sumCallees, sumCallers } from '../engine/values/row-sums.ts';
import { Chains } from '../engine/trees/chains.ts';
import type { ExportWriter } from './export-input.ts';
import { ExportRefusal } from './export-budget.ts';
import type { TextSink } from './text-sink.ts';
import { callTreeOf, type TreeExportOptions, writeRows } from './tree.ts';
import { BottomUpSums, hasEnds } from '../engine/values/bottom-up-sums.ts';

export interface MethodTreeExportOptions {
  readonly direction: 'callers' | 'callees';
  /** The method: a key in the grouping of frames. */
  readonly method: string;
  readonly grouping: TreeGrouping;
  readonly recursion: Recursion;
  readonly filter: RowFilter;
  /** The values to sum; undefined: all. */
  readonly values?: SelfValues | undefined;
}

export const writeCallers = methodTreeWriter('callers');
export const writeCallees = methodTreeWriter('callees');

function methodTreeWriter(direction: MethodTreeExportOptions['direction']): ExportWriter {
  return (input, sink) => {
    if (!exportMethodTree(input.profile, { ...input, direction, grouping: input }, sink))
      throw new ExportRefusal('unknown method', `has no method with the key '${input.method}'`);
  };
}

/**
 * The callers or callees of a method as canonical text (specs: cli): lines as in `tree`, with the method as root. Returns
 * false and writes nothing if no frame has that key.
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
  {
    direction,
    method,
    grouping,
    recursion,
    values = profile.selfValues,
  }: Omit<MethodTreeExportOptions, 'filter'>,
): MethodSums | undefined {
  const keys = new KeyTable(profile, grouping.frames);
  keys.update();
  const key = keys.find(method);
  if (key < 0) return undefined;
  const chains = new Chains(profile);
  chains.update();
  const sums = new ChainSums(chains);
  sums.update(values);
  const options = { chains, keys, key, recursion, threads: grouping.threads };
  return direction === 'callers'
    ? sumCallers(callersOf(profile, options), sums)
    : sumCallees(calleesOf(options), sums);
}

export const writeBottomUp: ExportWriter = (input, sink) =>
  exportBottomUp(input.profile, { ...input, grouping: input }, sink);

/**
 * The bottom-up tree as canonical text (specs: cli, `bottom-up`): lines as in `tree`. Roots are the methods in which
 * samples ended, or a thread in which samples without a method ended; below them are their callers up to the threads.
 *
 * One root after the other is built and written, so that only one is in memory at a time.
 */
export function exportBottomUp(profile: LeanProfile, options: TreeExportOptions, sink: TextSink): void {
  const calls = callTreeOf(profile, options.grouping, options.values);
  const { tree } = calls;
  /** Label of a root -> the rows of the call tree at which its samples ended. */
  const rowsOf = new Map<string, number[]>();
  for (let row = 0; row < tree.length; row++) {
    if (!hasEnds(calls, row)) continue;
    const rows = rowsOf.get(tree.label(row));
    if (rows === undefined) rowsOf.set(tree.label(row), [row]);
    else rows.push(row);
  }
  const whole = wholeOf(calls);
  const roots = [...rowsOf].sort(([a], [b]) => compareKeys(a, b));
  for (const [at, [, rows]] of roots.entries()) {
    const sums = new BottomUpSums(calls, true);
    sums.sumOf(rows);
    writeRows(sums, options.filter, (text, share) => sink(text, (at + share) / roots.length), whole);
  }
}
