import type { ChanceInCounts } from '../../profile/profile-units.ts';

/** A 95 % interval of a share; fractions, 0 to 1. */
export interface ShareInterval {
  readonly low: number;
  readonly high: number;
}

/** The two-sided 95 % quantile of the standard normal distribution. */
const Z = 1.959963984540054;

/**
 * With fewer samples, the interval is wider than twice the share: not even the first digit is known. Five is also the
 * usual least count for approximations of the binomial distribution.
 */
export const LEAST_SAMPLES_TO_TELL = 5;

/**
 * The Wilson score interval of `part` of `whole` samples: 95 of 100 such intervals contain the share that endless
 * sampling of the same load would give, if samples are independent of each other. Undefined unless both are integers,
 * 0 <= part <= whole, whole > 0.
 *
 *   part   whole   share     interval
 *     15     148   10.1 %    6.2 % to 16.0 %
 *      0      20    0.0 %    0.0 % to 16.1 %
 */
export function shareInterval(part: number, whole: number): ShareInterval | undefined {
  if (!Number.isInteger(part) || !Number.isInteger(whole) || part < 0 || part > whole || whole === 0)
    return undefined;
  const share = part / whole;
  const z2 = (Z * Z) / whole;
  const centre = share + z2 / 2;
  const reach = Z * Math.sqrt((share * (1 - share) + z2 / 4) / whole);
  return {
    // Rounding errors would leave a trace of a number.
    low: part === 0 ? 0 : Math.max(0, (centre - reach) / (1 + z2)),
    high: part === whole ? 1 : Math.min(1, (centre + reach) / (1 + z2)),
  };
}

/** Whether a share of so few samples says nothing but that it is small. */
export function isTooFewToTell(part: number): boolean {
  return part < LEAST_SAMPLES_TO_TELL;
}

/**
 * Whether another recording could put two shares of one whole in the other order: their intervals overlap. This is
 * stricter than a test of their difference, so a rank that is not undecided is real.
 */
export function isRankUndecided(one: number, other: number, whole: number): boolean {
  const upper = shareInterval(Math.max(one, other), whole);
  const lower = shareInterval(Math.min(one, other), whole);
  return upper !== undefined && lower !== undefined && upper.low <= lower.high;
}

/** A number of samples among all samples of a profile. */
export interface Part {
  readonly part: number;
  readonly whole: number;
}

/** The change of a share from one profile to another. Fractions: -1 to 1. */
export interface ShareChange {
  readonly difference: number;
  /** The 95 % interval of the difference. */
  readonly low: number;
  readonly high: number;
  /** The larger one of the two numbers of samples. */
  readonly most: number;
}

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
 * The certainty of a difference, by the change of the share of samples. `difference`: that of another metric, such as
 * time, of which no interval is known. It is real only if the share of samples changed in the same direction. What even
 * independent samples do not confirm is chance, whatever is counted.
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
