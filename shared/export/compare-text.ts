import type { Compared, ComparedTree } from '../engine/comparison/comparison.ts';
import { countText, formatShare, pointsText, rangeText } from '../text/format-value.ts';
import type { SampleSum } from '../engine/values/self-values.ts';
import { keptOfBoth, shownKeys } from '../engine/views/filter.ts';
import type { FlatProfile } from '../engine/views/flat-profile.ts';
import type { ComparedColumns } from '../engine/values/row-change.ts';
import { numbersText, LineWriter, type TextSink } from './text-sink.ts';
import { writePreOrder } from './tree.ts';
import type { CompareTextOptions, ComparisonWriter } from './written-comparison.ts';
import { hasGrown, type MethodChange } from '../engine/comparison/method-changes.ts';
import { printable } from '../text/printable.ts';

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
  writePreOrder(
    tree,
    {
      kept: keptOfBoth(calls, options.filter),
      isShown: (row) => base.isShown(row) || next.isShown(row),
      numbers: (row) => numbersOf(calls, row, options),
    },
    sink,
  );
}

function numbersOf(
  rows: Compared<ComparedColumns>,
  row: number,
  { shareOf }: Pick<CompareTextOptions, 'shareOf'>,
): string {
  return [sideOf(rows.base, row, shareOf?.base), sideOf(rows.next, row, shareOf?.next)].join('\t');
}

function sideOf(rows: ComparedColumns, row: number, whole: SampleSum | undefined): string {
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

/** GitHub shows so many warnings of a step. */
const MOST_WARNINGS = 10;
/** Smaller growth is no warning. */
const LEAST_POINTS = 0.5;

/**
 * Methods whose share grew more than chance explains, as annotations of GitHub's workflows:
 *
 *   ::warning file=src/main/java/com/acme/Cart.java,line=42,title=Cart.price grew::self 2.1 % to 5.4 % …
 */
export const writeGithub: ComparisonWriter = ({ report, input }, sink) => {
  const { limit = MOST_WARNINGS, placeOf } = input;
  const grown = new Map<string, MethodChange>();
  // Largest first; of a method that grew by itself the total says nothing more.
  for (const of of ['self', 'total'] as const)
    for (const change of report.changes)
      if (change.of === of && hasGrown(change, LEAST_POINTS) && !grown.has(change.label))
        grown.set(change.label, change);
  const all = [...grown.values()].toSorted((a, b) => b.difference - a.difference);
  const shown = all.slice(0, limit);
  const writer = new LineWriter(sink, shown.length + 1);
  for (const { label, of, base, next, difference, sampled, certainty } of shown) {
    const place = placeOf?.(label);
    const properties = [
      ...(place === undefined ? [] : [`file=${property(place.path)}`, `line=${place.line}`]),
      `title=${property(`${label} grew`)}`,
    ];
    const interval =
      certainty === 'real' && sampled !== undefined
        ? `95 % interval ${rangeText(sampled.low, sampled.high)}`
        : 'may be chance';
    const message = `${of} share ${formatShare(base.share, 1)} to ${formatShare(next.share, 1)}, ${pointsText(difference)} points, ${interval}`;
    writer.line(`::warning ${properties.join(',')}::${data(message)}`);
  }
  const more = all.length - shown.length;
  if (more > 0) writer.line(`::notice::${more} more methods grew; leanscope compare lists them`);
  writer.flush();
};

function data(text: string): string {
  return printable(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
