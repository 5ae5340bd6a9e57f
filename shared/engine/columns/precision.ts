import { hasIntervals, type ProfileUnits } from '../../profile/profile-units.ts';
import { formatCount, formatQuantity, formatShareRange } from '../../text/format-value.ts';
import { isTooFewToTell, shareInterval } from '../values/share-change.ts';

/**
 * The exactness of shares of so many samples: `With 1,553 samples, a share of 50 % is known to ±2.5 points, one of 1 % to
 * ±0.5. Four times as many samples halve that.` Undefined where the counts are not those of independent samples.
 */
export function precisionText(samples: number, units: ProfileUnits): string | undefined {
  if (!hasIntervals(units)) return undefined;
  const half = reach(Math.round(samples / 2), samples);
  const hundredth = reach(Math.round(samples / 100), samples);
  if (half === undefined || hundredth === undefined) return undefined;
  const { one, many } = units.counted;
  const small = samples >= 100 ? `, one of 1 % to ±${hundredth}` : '';
  return `With ${formatQuantity(samples, one, many)}, a share of 50 % is known to ±${half} points${small}. Four times as many ${many} halve that.`;
}

/**
 * `15 of 148 samples, 95 % interval 6.23 to 16.04 %`, or that so few say nothing. Undefined for none, and where the counts are
 * not those of independent samples.
 */
export function shareCertainty(part: number, whole: number, units: ProfileUnits): string | undefined {
  const range = hasIntervals(units) && part !== 0 ? shareInterval(part, whole) : undefined;
  if (range === undefined) return undefined;
  const of = `${formatCount(part)} of ${formatQuantity(whole, units.counted.one, units.counted.many)}`;
  return `${of}, ${isTooFewToTell(part) ? 'too few to tell: ' : ''}95 % interval ${formatShareRange(range.low, range.high)}`;
}

/** `3 of 148 samples: too few to tell`; undefined where they are enough, and where chance has no part in the counts. */
export function doubtOf(part: number, whole: number, units: ProfileUnits): string | undefined {
  if (!hasIntervals(units) || part === 0 || !isTooFewToTell(part) || !Number.isInteger(part))
    return undefined;
  return `${formatCount(part)} of ${formatQuantity(whole, units.counted.one, units.counted.many)}: too few to tell`;
}

/** Half the width of a share's interval, percentage points. */
function reach(part: number, whole: number): string | undefined {
  const interval = shareInterval(part, whole);
  if (interval === undefined) return undefined;
  const points = (interval.high - interval.low) * 50;
  return points >= 9.95 ? points.toFixed(0) : Number(points.toPrecision(points < 0.995 ? 1 : 2)).toString();
}
