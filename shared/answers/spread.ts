/** The answer to which parts of a profile differ: hosts of a fleet, threads, runs, hours. */
import { type MethodSpread, type Outlier, spreadOf, LEAST_PARTS } from '../engine/comparison/spread.ts';
import {
  partsText,
  partsWithSamples,
  type SpreadParts,
  untimedText,
} from '../engine/comparison/part-sums.ts';
import type { SharePart } from '../engine/comparison/method-changes.ts';
import type { Metric } from '../engine/values/metric.ts';
import { hasIntervals } from '../profile/profile-units.ts';
import { sampleSpan } from '../profile/sample-table.ts';
import { dayOfParts, nameInDay } from '../scope/parts-of-time.ts';
import { alignedLines } from '../text/aligned-lines.ts';
import { shownLabel } from '../text/format-frame.ts';
import { formatCount, formatShare, pointsText } from '../text/format-value.ts';
import { printable } from '../text/printable.ts';
import { type Answer, type AskedPart, shareOf } from './answer.ts';
import { unitsData } from './hot.ts';
import { secondsText } from './timeline.ts';
import type { SpreadData } from './schemas.ts';

interface SpreadQuestion {
  readonly by: SharePart;
  /** undefined: that of the first view. */
  readonly metric: Metric | undefined;
  /** The kind of the parts. */
  readonly threads: SpreadParts;
  /** The length of parts of the time, ns; undefined: one that fits. */
  readonly everyNs: bigint | undefined;
  /** The parts follow each other in time, in the order of their names. */
  readonly inOrder: boolean;
  /** The name of a part: `host`. */
  readonly one: string;
  /** Most methods. */
  readonly limit: number;
}

/** Parts that are named for a method in a text. */
const NAMED_PARTS = 3;

export function spreadAnswer(
  { view, units, firstMetric }: AskedPart,
  { by, metric = firstMetric, threads, everyNs, inOrder, one, limit }: SpreadQuestion,
): Answer<SpreadData> {
  const sums = view.partSums(threads, 'fqmn', metric, everyNs);
  const all = spreadOf(sums, { isIndependent: hasIntervals(units), of: by, inOrder });
  const shown = all.slice(0, limit);
  const { names, samples, untimed } = sums;
  const recorded = view.source.samples;
  const first = (recorded && sampleSpan(recorded)?.first) ?? 0n;
  const used = partsWithSamples(sums).map((part) => {
    const time = sums.times?.[part];
    const range = time && { from: secondsText(time.from - first), to: secondsText(time.to - first) };
    return { name: names[part], samples: samples[part], ...range };
  });
  const round = (share: number): number => shareOf(share, 1);
  const data: SpreadData = {
    by,
    metric,
    units: unitsData(units),
    parts: used,
    untimed,
    rows: shown.map(({ label, shares, median, least, most, outliers, step }) => ({
      key: label,
      median: round(median),
      least: round(least),
      most: round(most),
      shares: shares.map(round),
      standOut: outliers.map(({ part, share, difference, interval }) => ({
        part: names[part],
        share: round(share),
        difference: round(difference),
        interval: { low: round(interval.low), high: round(interval.high) },
      })),
      since:
        step === undefined
          ? null
          : { part: names[step.part], before: round(step.before), after: round(step.after) },
    })),
    leftOut: { rows: all.length - shown.length },
  };
  return {
    data,
    text: textOf(shown, all.length, { names, used, untimed, threads, one, by, inOrder }),
  };
}

interface Told {
  readonly names: readonly string[];
  readonly used: readonly { readonly name: string; readonly samples: number }[];
  readonly untimed: number;
  readonly threads: SpreadParts;
  readonly one: string;
  readonly by: SharePart;
  readonly inOrder: boolean;
}

function textOf(
  shown: readonly MethodSpread[],
  all: number,
  { names: allNames, used, untimed, threads, one, by, inOrder }: Told,
): string {
  // The day is said once, if all parts are of one.
  const usedNames = used.map(({ name }) => name);
  const day = inOrder ? dayOfParts(usedNames) : undefined;
  const names = allNames.map((name) => nameInDay(name, day));
  const samples = used.reduce((sum, part) => sum + part.samples, 0);
  const without = untimed === 0 ? '' : `\n${untimedText(untimed)}`;
  const heading = `${by === 'self' ? 'Self' : 'Total'} shares of methods in ${partsText(threads, usedNames, one)}${day === undefined ? '' : ` of ${day} UTC`}, of ${formatCount(samples)} samples${without}`;
  if (used.length < LEAST_PARTS)
    return `${heading}\n\nWith fewer than ${LEAST_PARTS} ${one}s none can be told from the others.\n`;
  const rows = shown.map((spread) => [
    formatShare(spread.median, 1),
    `${(spread.least * 100).toFixed(2)} to ${formatShare(spread.most, 1)}`,
    ...(inOrder ? [sinceText(spread, names)] : []),
    outliersText(spread.outliers, names),
    printable(shownLabel(spread.label)),
  ]);
  const header = ['Median', 'Least to most', ...(inOrder ? ['Since'] : []), 'Stand out', 'Method'];
  const lines = [...alignedLines([header, ...rows], (column) => column < 2)];
  const more = all - shown.length;
  if (more > 0) lines.push(`… ${formatCount(more)} more methods`);
  return `${heading}\n\n${lines.join('\n')}\n`;
}

/** `web7: 33.00 % (+31.80, 31.4 to 32.2 points), web9: …` */
function outliersText(outliers: readonly Outlier[], names: readonly string[]): string {
  if (outliers.length === 0) return '–';
  const told = outliers
    .slice(0, NAMED_PARTS)
    .map(
      ({ part, share, difference }) =>
        `${nameText(names[part])} ${formatShare(share, 1)} (${pointsText(difference)})`,
    );
  const rest = outliers.length - told.length;
  return `${told.join(', ')}${rest === 0 ? '' : ` and ${formatCount(rest)} more`}`;
}

function sinceText({ step }: MethodSpread, names: readonly string[]): string {
  if (step === undefined) return '–';
  return `${nameText(names[step.part])}: ${formatShare(step.before, 1)} to ${formatShare(step.after, 1)}`;
}

function nameText(name: string): string {
  return name === '' ? 'without a name' : printable(name);
}
