import { hasGrown, type MethodChange } from '../engine/comparison/method-changes.ts';
import { formatShare, pointsText, rangeText } from '../text/format-value.ts';
import { printable } from '../text/printable.ts';
import { LineWriter } from './text-sink.ts';
import type { ComparisonWriter } from './written-comparison.ts';

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
