import type { Compared, ComparedTree } from '../engine/comparison/comparison.ts';
import { NONE } from '../profile/columns.ts';
import { countText } from '../text/format-value.ts';
import { compareKeys } from '../engine/trees/keys.ts';
import type { RowTree } from '../engine/trees/row-tree.ts';
import type { SampleSum } from '../engine/values/self-values.ts';
import { keptOfBoth, shownKeys } from '../engine/views/filter.ts';
import type { FlatProfile } from '../engine/views/flat-profile.ts';
import { type NumberRows, numbersText, LineWriter, type TextSink } from './text-sink.ts';
import type { CompareTextOptions, ComparisonWriter } from './written-comparison.ts';

export const writeComparedFlat: ComparisonWriter = ({ input, text }, sink) =>
  exportComparedFlat(input.comparison.methods(input.recursion), text, sink);

export const writeComparedTree: ComparisonWriter = ({ input, text }, sink) =>
  exportComparedTree(input.comparison.calls(), text, sink);

/**
 * The flat profiles of both, side by side, as canonical text (specs: cli, `compare --format flat`), sorted by key in UTF-16
 * code units, 0 where a side has none:
 *
 *   key base: selfCnt totalCnt selfTime totalTime new: selfCnt totalCnt selfTime totalTime
 */
export function exportComparedFlat(
  methods: Compared<FlatProfile>,
  options: CompareTextOptions,
  sink: TextSink,
): void {
  const { labels } = methods.next.keys;
  const keys = shownKeys(methods, options.filter);
  const writer = new LineWriter(sink, keys.length);
  for (const key of keys) writer.line(`${labels[key]}\t${numbersOf(methods, key, options)}`);
  writer.flush();
}

/** The call trees of both, in the same way, with the depth in front; rows are united under the same parent. */
export function exportComparedTree(calls: ComparedTree, options: CompareTextOptions, sink: TextSink): void {
  const { tree, base, next } = calls;
  const kept = keptOfBoth(calls, options.filter);
  const writer = new LineWriter(
    sink,
    kept.reduce((count, keeps) => count + keeps, 0),
  );
  // Pre-order without recursion: a stack of the rows that are still to be written.
  const pending: number[] = [];
  const depths: number[] = [];
  const push = (rows: readonly number[], depth: number): void => {
    for (const row of sortedByLabel(tree, rows)) {
      pending.push(row);
      depths.push(depth);
    }
  };
  const isWritten = (row: number): boolean => kept[row] === 1 && (base.isShown(row) || next.isShown(row));
  push(tree.roots().filter(isWritten), 0);
  for (let row = pending.pop(); row !== undefined; row = pending.pop()) {
    const depth = depths.pop() ?? 0;
    writer.line(`${depth}\t${tree.label(row)}\t${numbersOf(calls, row, options)}`);
    const children: number[] = [];
    for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child))
      if (isWritten(child)) children.push(child);
    push(children, depth + 1);
  }
  writer.flush();
}

function numbersOf(
  rows: Compared<NumberRows>,
  row: number,
  { shareOf }: Pick<CompareTextOptions, 'shareOf'>,
): string {
  return [sideOf(rows.base, row, shareOf?.base), sideOf(rows.next, row, shareOf?.next)].join('\t');
}

function sideOf(rows: NumberRows, row: number, whole: SampleSum | undefined): string {
  if (whole === undefined) return numbersText(rows, row);
  const { selfCount, totalCount, selfTime, totalTime } = rows;
  return [
    shareText(selfCount[row], whole.samples),
    shareText(totalCount[row], whole.samples),
    shareText(selfTime.ns[row], whole.time),
    shareText(totalTime.ns[row], whole.time),
  ].join('\t');
}

/** A fraction; 0 of nothing is 0. */
function shareText(part: number, whole: number): string {
  return whole > 0 ? countText(part / whole) : '0';
}

/** From the last label to the first, to be pushed onto a stack. */
function sortedByLabel(tree: RowTree, rows: readonly number[]): readonly number[] {
  return rows.toSorted((a, b) => compareKeys(tree.label(b), tree.label(a)));
}
