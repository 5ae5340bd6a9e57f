/** Answers to questions about a profile: numbers for programs and a text for people, of the same rows. */
import type { ProfileView } from '../engine/profile-view.ts';
import type { Metric } from '../engine/values/metric.ts';
import { shareInterval, type ShareInterval } from '../engine/values/share-change.ts';
import { hasIntervals, type ProfileUnits } from '../profile/profile-units.ts';

/** The part of a profile that is in scope. */
export interface AskedPart {
  /** With all lines. */
  readonly view: ProfileView;
  readonly units: ProfileUnits;
  /** The metric by which its samples tell most: answers are by it where nobody asks for another one. */
  readonly firstMetric: Metric;
}

/** An answer. */
export interface Answer<Data> {
  readonly data: Data;
  readonly text: string;
  /** Hints besides the answer: lines for standard error. */
  readonly hints?: readonly string[];
}

/** Shares have at most so many decimals, which is finer than any interval of them. */
const SHARE_DIGITS = 1e6;

/** A share as a fraction; 0 of nothing. */
export function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * SHARE_DIGITS) / SHARE_DIGITS : 0;
}

/** The 95 % interval of a share; null where the counts are not those of independent samples. */
export function intervalOf(part: number, whole: number, units: ProfileUnits): ShareInterval | null {
  const interval = hasIntervals(units) ? shareInterval(part, whole) : undefined;
  if (interval === undefined) return null;
  return { low: shareOf(interval.low, 1), high: shareOf(interval.high, 1) };
}
