import type { ChanceInCounts } from '../../profile/profile-units.ts';
import { isTooFewToTell } from './share-interval.ts';

/** A number of samples among all samples of a profile. */
export interface Part {
  readonly part: number;
  readonly whole: number;
}

/** How a share changed from one profile to another. Fractions: -1 to 1. */
export interface ShareChange {
  readonly difference: number;
  /** The 95 % interval of the difference. */
  readonly low: number;
  readonly high: number;
  /** The larger one of the two numbers of samples. */
  readonly most: number;
}

/** The two-sided 95 % quantile of the standard normal distribution. */
const Z = 1.959963984540054;

/**
 * The difference of two shares with its 95 % interval: Newcombe's hybrid score interval with continuity correction
 * (Newcombe 1998, "Interval estimation for the difference between independent proportions", method 11). It joins the
 * Wilson intervals of the two shares. With the correction, the interval is a little too wide rather than too narrow, also
 * for counts below ten.
 *
 *   base       new        difference   interval
 *   56 of 70   48 of 80   -0.2         -0.3422 to -0.0428
 *    9 of 10    3 of 10   -0.6         -0.8387 to -0.1013
 *
 * Undefined unless counts are whole numbers, as counts of samples are, and both wholes are positive: weights are not
 * subject to chance in a known way.
 */
export function shareChange(base: Part, next: Part): ShareChange | undefined {
  if (!isCounted(base) || !isCounted(next)) return undefined;
  const before = correctedInterval(base);
  const after = correctedInterval(next);
  const from = base.part / base.whole;
  const to = next.part / next.whole;
  const difference = to - from;
  return {
    difference,
    most: Math.max(base.part, next.part),
    low: Math.max(-1, difference - Math.hypot(to - after.low, before.high - from)),
    high: Math.min(1, difference + Math.hypot(after.high - to, from - before.low)),
  };
}

/** Whether a difference of shares means anything. */
export type Certainty =
  /**
   * Chance does not explain it: the interval is on the side of 0 where the difference is, and there are not too few samples
   * to tell.
   */
  | 'real'
  /** Another recording of the same load could show it: the samples do not confirm it. */
  | 'chance'
  /** It may be chance, and no interval tells: what is counted is not independent of each other, or is a weight. */
  | 'unknown'
  /** Chance has no part in the numbers: all calls were counted. */
  | 'exact';

/**
 * How sure a difference is by the change of the share of samples. `difference`: that of another metric, such as time, of
 * which no interval is known. It is real only if the share of samples changed in the same direction. What even independent
 * samples do not confirm is chance, whatever is counted.
 */
export function certaintyOf(
  change: ShareChange | undefined,
  { isSampled = false, isDependent = false }: ChanceInCounts,
  difference = change?.difference ?? 0,
): Certainty {
  if (!isSampled) return isDependent ? 'unknown' : 'exact';
  if (change === undefined) return 'unknown';
  const isConfirmed = difference > 0 ? change.low > 0 : difference < 0 && change.high < 0;
  if (!isConfirmed || isTooFewToTell(change.most)) return 'chance';
  return isDependent ? 'unknown' : 'real';
}

function isCounted({ part, whole }: Part): boolean {
  return Number.isInteger(part) && Number.isInteger(whole) && part >= 0 && part <= whole && whole > 0;
}

/**
 * The Wilson score interval of a share with continuity correction (Newcombe 1998, "Two-sided intervals", method 4).
 * `whole` is positive.
 */
export function correctedInterval({ part, whole }: Part): { readonly low: number; readonly high: number } {
  const share = part / whole;
  const z2 = Z * Z;
  const centre = 2 * part + z2;
  const reach = (sign: number): number =>
    1 + Z * Math.sqrt(Math.max(0, z2 - sign * 2 - 1 / whole + 4 * share * (whole * (1 - share) + sign)));
  const divisor = 2 * (whole + z2);
  return {
    low: part === 0 ? 0 : Math.max(0, (centre - reach(1)) / divisor),
    high: part === whole ? 1 : Math.min(1, (centre + reach(-1)) / divisor),
  };
}
