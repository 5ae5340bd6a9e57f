import { majorVersion } from '../../../shared/text/java-version.ts';
import type { MethodLines } from '../../../shared/engine/query.ts';
import type { FileLines, SourceLine } from '../../../shared/engine/views/line-sums.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import { formatCount, formatQuantity } from '../../../shared/text/format-value.ts';
import { hasNoCode, type SourceText } from './source-text.ts';

/** Lines that are named in a warning. */
const MOST_NAMED = 3;

/** Lines with samples, the hottest first: those with the largest self value; of equal ones, the largest total. */
export function hottestLines({ lines }: FileLines, metric: Metric): readonly SourceLine[] {
  const self = valueOf('self', metric);
  const total = valueOf('total', metric);
  return lines.toSorted((a, b) => b[self] - a[self] || b[total] - a[total]);
}

/** The line with the largest self value; of a method in which no sample ended, the one with the largest total. */
export function hottestLine(file: FileLines, metric: Metric): number | undefined {
  return hottestLines(file, metric).at(0)?.line;
}

/** The hottest line at which the text has code; undefined if no recorded line has. */
export function hottestLineIn(
  text: SourceText,
  { lines, ...file }: FileLines,
  metric: Metric,
): number | undefined {
  return hottestLine({ ...file, lines: lines.filter(({ line }) => !hasNoCode(text, line)) }, metric);
}

/**
 * Why the lines of a source are not those that ran: its JDK is of another release than the Java of the recording. Undefined
 * where one of the versions is not known.
 */
export function otherRelease(recorded: string | undefined, source: string | undefined): string | undefined {
  if (recorded === undefined || source === undefined) return undefined;
  const [ran, shown] = [majorVersion(recorded), majorVersion(source)];
  if (ran === undefined || shown === undefined || ran === shown) return undefined;
  return `Recorded with ${recorded}, this is the source of ${source}: lines may be wrong.`;
}

/** The value that ranks these lines: in a method in which no sample ended, the samples that passed through. */
export function rankedBy(lines: readonly SourceLine[], metric: Metric): 'self' | 'total' {
  return lines.some((line) => line[valueOf('self', metric)] > 0) ? 'self' : 'total';
}

function valueOf<Of extends 'self' | 'total'>(of: Of, metric: Metric): `${Of}Time` | `${Of}Count` {
  return metric === 'time' ? `${of}Time` : `${of}Count`;
}

/** The next or previous line with samples, from a line; undefined if there is none. */
export function sampledLine({ lines }: FileLines, from: number, step: 1 | -1): number | undefined {
  const found =
    step === 1 ? lines.find(({ line }) => line > from) : lines.findLast(({ line }) => line < from);
  return found?.line;
}

/** Why the text cannot be what the program was compiled from: a sentence; undefined if nothing contradicts it. */
export function mismatch(text: SourceText, { lines }: FileLines): string | undefined {
  const wrong = lines.filter(({ line }) => hasNoCode(text, line)).map(({ line }) => line);
  if (wrong.length === 0) return undefined;
  const beyond = wrong.filter((line) => line > text.lines.length);
  const named = (beyond.length > 0 ? beyond : wrong).slice(0, MOST_NAMED).map(formatCount);
  const which = named.length === 1 ? `line ${named[0]}` : `lines ${named.join(', ')}`;
  const reason =
    beyond.length > 0
      ? `it ends at line ${formatCount(text.lines.length)}, and samples are at ${which}`
      : `samples are at ${which}, where there is no code`;
  return `This source does not match the recorded program: ${reason}.`;
}

/** Sentences about the samples that the numbers leave out. */
export function aboutLines(
  { files }: MethodLines,
  { counted: { one, many } }: ProfileUnits,
): readonly string[] {
  const [{ lines, withoutLine }, ...others] = files;
  const notes: string[] = [];
  if (lines.length === 0) notes.push('This profile has no line numbers for the method.');
  else if (withoutLine.totalCount > 0)
    notes.push(`${formatQuantity(withoutLine.totalCount, one, many)} of the method without a line number.`);
  const elsewhere = others.reduce((sum, { whole }) => sum + whole.totalCount, 0);
  if (elsewhere > 0)
    notes.push(`${formatQuantity(elsewhere, one, many)} of methods of this name in other files.`);
  return notes;
}
