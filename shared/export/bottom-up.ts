import type { LeanProfile } from '../profile/lean-profile.ts';
import { compareKeys } from '../engine/trees/keys.ts';
import { BottomUpSums, hasEnds } from '../engine/values/bottom-up-sums.ts';
import { wholeOf } from '../engine/views/filter.ts';
import type { ExportWriter } from './export-input.ts';
import type { TextSink } from './text-sink.ts';
import { callTreeOf, type TreeExportOptions, writeRows } from './tree.ts';

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
