import { isTooFewToTell } from '../values/share-change.ts';

/** Equal parts into which the time that is looked at is divided, to show when a row has its samples. */
export const TIME_PARTS = 24;

/**
 * The distribution of samples over the time that is looked at, in a word. The time has TIME_PARTS equal parts.
 *
 *   once           all samples are in two neighbouring parts: in a twelfth of the time
 *   few            not once, and too few samples to tell more
 *   burst          half of them or more are in two neighbouring parts, and chance does not explain it
 *   steady         no burst; half of the parts or more have samples, or as many as chance spreads so few samples over
 *   intermittent   no burst; fewer parts have samples
 */
export type TimePattern = 'once' | 'few' | 'burst' | 'steady' | 'intermittent';

/** The names of the patterns, for users. */
export const PATTERN_TEXTS: Readonly<Record<TimePattern, string>> = {
  once: 'once',
  few: 'too few samples to tell',
  burst: 'burst',
  steady: 'steady',
  intermittent: 'now and then',
};

/** The definitions, for users. */
export const PATTERN_MEANINGS: Readonly<Record<TimePattern, string>> = {
  once: 'All samples are within a twelfth of the time.',
  few: 'Fewer than five samples, not within a twelfth of the time.',
  burst: 'At least half of the samples are within a twelfth of the time, and chance does not explain it.',
  steady:
    'At least half of 24 equal parts of the time have samples, or as many as chance spreads so few samples over; no burst.',
  intermittent:
    'Less than half of 24 equal parts of the time have samples, and fewer than chance spreads so few samples over; no burst.',
};

/** The pattern of the numbers of samples in counts[from … from + TIME_PARTS); undefined without samples. */
export function timePattern(counts: ArrayLike<number>, from = 0): TimePattern | undefined {
  let sum = 0;
  let used = 0;
  let most = 0;
  for (let part = 0; part < TIME_PARTS; part++) {
    const count = counts[from + part];
    const next = part + 1 < TIME_PARTS ? counts[from + part + 1] : 0;
    sum += count;
    if (count > 0) used++;
    most = Math.max(most, count + next);
  }
  if (sum === 0) return undefined;
  if (most === sum) return 'once';
  if (isTooFewToTell(sum)) return 'few';
  if (most * 2 >= sum && isMoreThanChance(most, sum)) return 'burst';
  return used >= leastPartsOfSteady(sum) ? 'steady' : 'intermittent';
}

/** With so many samples, half of them are never in a twelfth of the time by chance. */
const ALWAYS_REAL = 20;
const MOST_CHANCE = 0.05;

/**
 * Whether so many of all samples are in some two neighbouring parts more often than in one of twenty rows whose samples
 * are spread evenly: the binomial tail of one twelfth, for each of them.
 */
function isMoreThanChance(most: number, all: number): boolean {
  if (all >= ALWAYS_REAL) return true;
  const share = 2 / TIME_PARTS;
  let tail = 0;
  for (let count = most; count <= all; count++)
    tail += chooses(all, count) * share ** count * (1 - share) ** (all - count);
  return tail * (TIME_PARTS - 1) <= MOST_CHANCE;
}

function chooses(all: number, some: number): number {
  let ways = 1;
  for (let at = 1; at <= some; at++) ways = (ways * (all - some + at)) / at;
  return ways;
}

/** The one-sided 95 % quantile of the standard normal distribution. */
const Z = 1.6448536269514722;

/** The number of parts that samples reach that are spread evenly, in 19 of 20 rows; at most half of the parts. */
function leastPartsOfSteady(samples: number): number {
  const isEmpty = (1 - 1 / TIME_PARTS) ** samples;
  const areEmpty = (1 - 2 / TIME_PARTS) ** samples;
  const mean = TIME_PARTS * (1 - isEmpty);
  const variance =
    TIME_PARTS * isEmpty + TIME_PARTS * (TIME_PARTS - 1) * areEmpty - (TIME_PARTS * isEmpty) ** 2;
  return Math.min(TIME_PARTS / 2, mean - Z * Math.sqrt(Math.max(0, variance)));
}
