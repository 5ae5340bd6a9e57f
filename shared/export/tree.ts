import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { CallTree } from '../engine/trees/call-tree.ts';
import type { TreeGrouping } from '../engine/trees/grouping.ts';
import { keptRows, type RowFilter, wholeOf } from '../engine/views/filter.ts';
import { compareKeys, KeyTable } from '../engine/trees/keys.ts';
import type { RowTree } from '../engine/trees/row-tree.ts';
import {
  RowSums,
  type RowValues,
  type MethodSums,
  sumCallees,
  sumCallers,
} from '../engine/values/row-sums.ts';
import type { SampleSum, SelfValues } from '../engine/values/self-values.ts';
import { type ExportInput, ExportRefusal } from './export-input.ts';
import { numbersText, LineWriter, type TextSink } from './text-sink.ts';
import { calleesOf, callersOf } from '../engine/trees/callers.ts';
import { ChainSums } from '../engine/values/value-columns.ts';
import { Chains } from '../engine/trees/chains.ts';
import { BottomUpSums, hasEnds } from '../engine/values/bottom-up-sums.ts';

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

export type MethodTreeOptions = Pick<
  ExportInput,
  'method' | 'frames' | 'threads' | 'recursion' | 'values'
> & {
  readonly direction: 'callers' | 'callees';
};

export const writeCallers = methodTreeWriter('callers');
export const writeCallees = methodTreeWriter('callees');

/** The callers or callees of a method as canonical text (specs: cli): lines as in `tree`, with the method as root. */
function methodTreeWriter(direction: MethodTreeOptions['direction']) {
  return (input: TreeInput & Omit<MethodTreeOptions, 'direction'>, sink: TextSink): void => {
    const tree = methodTreeOf(input.profile, { ...input, direction });
    if (tree === undefined)
      throw new ExportRefusal('unknown method', `has no method with the key '${input.method}'`);
    writeRows(tree, input.filter, sink);
  };
}

export function methodTreeOf(
  profile: LeanProfile,
  { direction, method, frames, threads, recursion, values = profile.selfValues }: MethodTreeOptions,
): MethodSums | undefined {
  const keys = new KeyTable(profile, frames);
  keys.update();
  const key = keys.find(method);
  if (key < 0) return undefined;
  const chains = new Chains(profile);
  chains.update();
  const sums = new ChainSums(chains);
  sums.update(values);
  const options = { chains, keys, key, recursion, threads };
  return direction === 'callers'
    ? sumCallers(callersOf(profile, options), sums)
    : sumCallees(calleesOf(options), sums);
}

/**
 * The bottom-up tree as canonical text (specs: cli, `bottom-up`): lines as in `tree`. Roots are the methods in which
 * samples ended, or a thread in which samples without a method ended; below them are their callers up to the threads.
 *
 * One root after the other is built and written, so that only one is in memory at a time.
 */
export function writeBottomUp(input: TreeInput, sink: TextSink): void {
  const calls = callTreeOf(input.profile, input, input.values);
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
    writeRows(sums, input.filter, (text, share) => sink(text, (at + share) / roots.length), whole);
  }
}
