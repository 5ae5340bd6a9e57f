import type { Compared, ComparedTree } from '../compare/comparison.ts';
import { NONE } from '../profile/columns.ts';
import type { TimeColumn } from '../profile/time-column.ts';
import { countText } from '../text/format-value.ts';
import { compareKeys } from '../trees/keys.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { SampleSum } from '../values/self-values.ts';
import type { RowFilter } from '../views/filter.ts';
import { keptOfBoth } from '../views/filtered-rows.ts';
import type { FlatProfile } from '../views/flat-profile.ts';
import { shownKeys } from './flat.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

export interface CompareTextOptions {
  readonly filter: RowFilter;
  /** What each number is divided by, for shares; undefined: numbers as they are. */
  readonly shareOf: Compared<SampleSum> | undefined;
}

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
  const { both } = methods;
  const keys = comparedKeys(methods, options.filter);
  const writer = new LineWriter(sink, keys.length);
  for (const key of keys) writer.line(`${both.keys.labels[key]}\t${numbersOf(methods, key, options)}`);
  writer.flush();
}

/** Keys that pass the filter on either side, sorted by label. */
export function comparedKeys({ base, next, both }: Compared<FlatProfile>, filter: RowFilter): number[] {
  const sides = { base: { columns: base, whole: base.whole }, next: { columns: next, whole: next.whole } };
  const { labels } = both.keys;
  return [...new Set([...shownKeys(base, filter, sides), ...shownKeys(next, filter, sides)])].sort((a, b) =>
    compareKeys(labels[a], labels[b]),
  );
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

/** Rows with the four numbers of canonical text. */
interface NumberRows {
  readonly selfCount: ArrayLike<number>;
  readonly totalCount: ArrayLike<number>;
  readonly selfTime: TimeColumn;
  readonly totalTime: TimeColumn;
}

function numbersOf(
  rows: Compared<NumberRows>,
  row: number,
  { shareOf }: Pick<CompareTextOptions, 'shareOf'>,
): string {
  return [sideOf(rows.base, row, shareOf?.base), sideOf(rows.next, row, shareOf?.next)].join('\t');
}

function sideOf(
  { selfCount, totalCount, selfTime, totalTime }: NumberRows,
  row: number,
  whole: SampleSum | undefined,
): string {
  if (whole === undefined) {
    const counts = `${countText(selfCount[row])}\t${countText(totalCount[row])}`;
    return `${counts}\t${selfTime.text(row)}\t${totalTime.text(row)}`;
  }
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
