import type { LeanProfile } from '../profile/lean-profile.ts';
import { calleesOf, callersOf } from '../engine/trees/callers.ts';
import { wholeOf } from '../engine/views/filter.ts';
import { compareKeys, KeyTable } from '../engine/trees/keys.ts';
import { ChainSums } from '../engine/values/value-columns.ts';
import { type MethodSums, sumCallees, sumCallers } from '../engine/values/row-sums.ts';
import { Chains } from '../engine/trees/chains.ts';
import type { ExportInput } from './export-input.ts';
import { ExportRefusal } from './export-budget.ts';
import type { TextSink } from './text-sink.ts';
import { callTreeOf, type TreeInput, writeRows } from './tree.ts';
import { BottomUpSums, hasEnds } from '../engine/values/bottom-up-sums.ts';

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
