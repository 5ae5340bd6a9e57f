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
