import type { TimeColumn } from '../../profile/time-column.ts';
import type { Metric } from './metric.ts';
import {
  isTooFewToTell,
  type Certainty,
  certaintyOf,
  correctedInterval,
  type ShareChange,
  shareChange,
} from './share-change.ts';

/**
 * The compared quantity: shares of the own total of each side; numbers as they are; numbers per second of the time that
 * each side covers.
 */
export type CompareBy = 'share' | 'amount' | 'rate';

export const COMPARE_BY: readonly CompareBy[] = ['share', 'amount', 'rate'];

/** Self and total values by row number. */
export interface ComparedColumns {
  readonly selfCount: ArrayLike<number>;
  readonly totalCount: ArrayLike<number>;
  readonly selfTime: TimeColumn;
  readonly totalTime: TimeColumn;
}

/** By what the values of each side are divided before they are subtracted; 0 where a side has no samples, or nothing to divide by. */
export interface ComparedScale {
  readonly metric: Metric;
  readonly base: number;
  readonly next: number;
}

/** `self`: samples that ended in the row. `total`: those that passed through it, too. */
export type ComparedPart = 'self' | 'total';

/** row -> the value of one side by a metric. */
export function columnOf(columns: ComparedColumns, metric: Metric, part: ComparedPart): ArrayLike<number> {
  return metric === 'samples' ? columns[`${part}Count`] : columns[`${part}Time`].ns;
}

/** The quotient; 0 where there is nothing to divide by. */
export function scaled(value: number, by: number): number {
  return by === 0 ? 0 : value / by;
}

/** A number of the base, and of the new side. */
export interface Pair {
  readonly base: number;
  readonly next: number;
}

/** The common facts of all changes of a comparison. */
export interface ComparedWhole {
  readonly by: CompareBy;
  readonly scale: ComparedScale;
  /** All samples of each side. */
  readonly samples: Pair;
  /** The time that each side covers, seconds; for `rate`. */
  readonly seconds: Pair | undefined;
  /** The counts are those of samples, and not independent of each other: see `Counted`. */
  readonly isSampled: boolean;
  readonly isDependent?: boolean;
}

/** A baseline, row by row, and what is needed to compare with it. */
export interface ComparedTo {
  /** The values of the same rows in the baseline. */
  readonly base: ComparedColumns;
  readonly whole: ComparedWhole;
}

/** The change of a row. */
export interface RowChange extends Pair {
  /** The scaled values, and the new one minus that of the base: fractions for shares. */
  readonly difference: number;
  /** The change of the share of samples, whatever the metric; for `share`. */
  readonly sampled: ShareChange | undefined;
  readonly certainty: Certainty;
  /** The number of samples of the side that has more. */
  readonly most: number;
  /** See `onlyIn`. */
  readonly only: 'base' | 'new' | undefined;
}

/**
 * The change of a row, by its numbers of samples and by its values of the metric. Undefined while one of the sides has no
 * sample at all: then there is nothing to compare.
 */
export function rowChange(samples: Pair, values: Pair, whole: ComparedWhole): RowChange | undefined {
  const { by, scale } = whole;
  if (whole.samples.base === 0 || whole.samples.next === 0) return undefined;
  const base = scaled(values.base, scale.base);
  const next = scaled(values.next, scale.next);
  const difference = next - base;
  const sampled =
    by === 'share'
      ? shareChange(
          { part: samples.base, whole: whole.samples.base },
          { part: samples.next, whole: whole.samples.next },
        )
      : undefined;
  return {
    base,
    next,
    difference,
    sampled,
    certainty:
      by === 'share' ? certaintyOf(sampled, whole, difference) : rateCertainty(samples, whole, difference),
    most: Math.max(samples.base, samples.next),
    only: onlyIn(samples, values),
  };
}

/**
 * The strength of a change, as a fraction of the larger whole: for shares the difference itself. `wholes`: the values of
 * each side.
 */
export function relativeChange({ difference }: RowChange, { scale }: ComparedWhole, wholes: Pair): number {
  const most = Math.max(scaled(wholes.base, scale.base), scaled(wholes.next, scale.next));
  return most > 0 ? difference / most : 0;
}

/**
 * row -> a number that grows with the size of its change, in whichever direction; changes that chance explains have
 * negative ones. While one side has nothing, rows count by the other.
 */
export function changeSizes(
  next: ComparedColumns,
  { base, whole }: ComparedTo,
  part: ComparedPart,
): (row: number) => number {
  const { metric } = whole.scale;
  const [samplesBefore, samplesAfter] = [base, next].map((side) => columnOf(side, 'samples', part));
  const [before, after] = [base, next].map((side) => columnOf(side, metric, part));
  const sizeOf = (row: number): number => {
    const values = { base: before[row], next: after[row] };
    const change = rowChange({ base: samplesBefore[row], next: samplesAfter[row] }, values, whole);
    if (change === undefined)
      return Math.max(scaled(values.base, whole.scale.base), scaled(values.next, whole.scale.next));
    const size = Math.abs(change.difference);
    return change.certainty === 'chance' ? -1 / (1 + size) : size;
  };
  // An order asks for each row many times.
  const known = new Map<number, number>();
  return (row) => {
    const size = known.get(row) ?? sizeOf(row);
    known.set(row, size);
    return size;
  };
}

/** The only side that has samples of a row, or values without samples; undefined: both have, or none. */
export function onlyIn(samples: Pair, values: Pair): 'base' | 'new' | undefined {
  const isInBase = samples.base !== 0 || values.base !== 0;
  const isInNext = samples.next !== 0 || values.next !== 0;
  if (isInBase === isInNext) return undefined;
  return isInBase ? 'base' : 'new';
}

/**
 * Two numbers of samples, each of a Poisson distribution. If both sides had one rate, the new samples would be a
 * binomial part of all samples, as large as the part that the new side has of the time (Przyborowski and Wilenski 1940).
 * Without times both sides count alike. The interval has a continuity correction, as that of shares. A difference of
 * times is real only if that of samples is, and in the same direction.
 */
function rateCertainty(
  { base, next }: Pair,
  { by, seconds, isSampled, isDependent = false }: ComparedWhole,
  difference: number,
): Certainty {
  const all = base + next;
  if (!isSampled) return isDependent ? 'unknown' : 'exact';
  if (!Number.isInteger(base) || !Number.isInteger(next)) return 'unknown';
  if (all === 0) return 'chance';
  const interval = correctedInterval({ part: next, whole: all });
  const time = by === 'rate' && seconds !== undefined ? seconds : { base: 1, next: 1 };
  const expected = scaled(time.next, time.base + time.next);
  const isConfirmed = difference > 0 ? expected < interval.low : difference < 0 && expected > interval.high;
  if (!isConfirmed || isTooFewToTell(Math.max(base, next))) return 'chance';
  return isDependent ? 'unknown' : 'real';
}
