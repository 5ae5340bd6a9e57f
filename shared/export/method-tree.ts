import type { LeanProfile } from '../profile/lean-profile.ts';
import { calleesOf, callersOf } from '../engine/trees/callers.ts';
import type { RowFilter } from '../engine/views/filter.ts';
import type { Recursion, TreeGrouping } from '../engine/trees/grouping.ts';
import { KeyTable } from '../engine/trees/keys.ts';
import type { SelfValues } from '../engine/values/self-values.ts';
import { ChainSums } from '../engine/values/chain-sums.ts';
import { type MethodSums, sumCallees, sumCallers } from '../engine/values/method-sums.ts';
import { Chains } from '../engine/trees/chains.ts';
import { type ExportWriter } from './export-input.ts';
import { ExportRefusal } from './export-refusal.ts';
import type { TextSink } from './text-sink.ts';
import { writeRows } from './tree.ts';

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
