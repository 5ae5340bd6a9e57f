/** Many runs against many: what changed by more than runs of one program differ from each other. */
import { type Certainty, shareChange, LEAST_SAMPLES_TO_TELL } from '../values/share-change.ts';
import { compareKeys } from '../trees/keys.ts';
import type { SharePart } from './method-changes.ts';

/** The part of a method in a run: its amount by the metric, and its samples. */
export interface RunPart {
  readonly amount: number;
  readonly samples: number;
}

/** A recording, as far as it is compared: its methods by their keys. */
export interface Run {
  readonly name: string;
  readonly samples: number;
  /** Samples, or the sum of their values by the metric: what shares are of. Positive. */
  readonly whole: number;
  readonly self: ReadonlyMap<string, RunPart>;
  readonly total: ReadonlyMap<string, RunPart>;
  /** Key -> its heaviest caller and callee; '' for none. */
  readonly neighbours: ReadonlyMap<string, { readonly caller: string; readonly callee: string }>;
}

/** The difference of a method's share between the runs of two sides. Shares are fractions, 0 to 1. */
export interface RunChange {
  readonly label: string;
  readonly of: SharePart;
  /** The mean of the shares of the runs. */
  readonly base: number;
  readonly next: number;
  /** The shares of the single runs. */
  readonly shares: { readonly base: readonly number[]; readonly next: readonly number[] };
  readonly samples: { readonly base: number; readonly next: number };
  /** New minus base. */
  readonly difference: number;
  /** Its 95 % interval; undefined where the runs are too few to tell: one a side. */
  readonly interval: { readonly low: number; readonly high: number } | undefined;
  readonly certainty: Certainty;
}

/** The part that chance has in the runs: see `Counted`. */
export interface RunChance {
  /** Samples of a run are independent of each other, so that their number bounds the spread between runs from below. */
  readonly isIndependent: boolean;
}

/**
 * The two-sided 95 % quantiles of Student's t distribution by degrees of freedom (NIST/SEMATECH e-Handbook of Statistical
 * Methods, 1.3.6.7.2). Those between are interpolated in 1/degrees, which is right to three digits.
 */
const DEGREES: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 60, 120, Infinity];
const T_95: readonly number[] = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.179, 2.131, 2.086, 2.042, 2.0,
  1.98, 1.96,
];

/** The quantile for any degrees of freedom, 1 at least. */
export function studentQuantile(degrees: number): number {
  const above = DEGREES.findIndex((known) => known >= degrees);
  if (above <= 0) return T_95[0];
  const [less, more] = [DEGREES[above - 1], DEGREES[above]];
  const part = (1 / less - 1 / degrees) / (1 / less - 1 / more);
  return T_95[above - 1] + (T_95[above] - T_95[above - 1]) * part;
}

/**
 * Every method of the runs, once for each part, the largest differences first.
 *
 * With two runs at least on one side, the test is between runs: Welch's, of the mean shares, because runs of one side may
 * spread more than those of the other. A side of one run has the spread of the other side. The spread is never taken to
 * be less than what the numbers of samples alone make, so that two runs which agree by luck prove nothing. With one run a
 * side, the interval is that of samples, and what runs do between each other is not in it.
 */
export function runChanges(
  base: readonly Run[],
  next: readonly Run[],
  chance: RunChance,
): readonly RunChange[] {
  const changes: RunChange[] = [];
  for (const of of ['self', 'total'] as const) {
    const labels = new Set([...base, ...next].flatMap((run) => [...run[of].keys()]));
    for (const label of labels) changes.push(changeOf(label, of, base, next, chance));
  }
  return changes.sort(
    (a, b) => Math.abs(b.difference) - Math.abs(a.difference) || compareKeys(a.label, b.label),
  );
}

function changeOf(
  label: string,
  of: SharePart,
  base: readonly Run[],
  next: readonly Run[],
  chance: RunChance,
): RunChange {
  const before = sideOf(label, of, base);
  const after = sideOf(label, of, next);
  const difference = after.mean - before.mean;
  const interval = intervalOf(before, after, chance);
  const isFew = Math.max(before.samples, after.samples) < LEAST_SAMPLES_TO_TELL;
  const isConfirmed = interval !== undefined && (difference > 0 ? interval.low > 0 : interval.high < 0);
  return {
    label,
    of,
    base: before.mean,
    next: after.mean,
    difference,
    interval,
    shares: { base: before.shares, next: after.shares },
    samples: { base: before.samples, next: after.samples },
    certainty: interval === undefined ? 'unknown' : isConfirmed && !isFew ? 'real' : 'chance',
  };
}

/** The shares of a method in the runs of a side. */
interface Side {
  readonly runs: readonly Run[];
  readonly shares: readonly number[];
  readonly mean: number;
  readonly samples: number;
}

function sideOf(label: string, of: SharePart, runs: readonly Run[]): Side {
  const shares = runs.map((run) => (run[of].get(label)?.amount ?? 0) / run.whole);
  const samples = sum(runs.map((run) => run[of].get(label)?.samples ?? 0));
  return { runs, shares, mean: sum(shares) / runs.length, samples };
}

function intervalOf(before: Side, after: Side, chance: RunChance): RunChange['interval'] {
  const difference = after.mean - before.mean;
  const [one, other] = [before.shares.length, after.shares.length];
  if (one === 1 && other === 1) {
    if (!chance.isIndependent) return undefined;
    return shareChange(
      { part: before.samples, whole: before.runs[0].samples },
      { part: after.samples, whole: after.runs[0].samples },
    );
  }
  const spreads = [varianceOf(before), varianceOf(after)];
  const known = spreads.filter((spread) => spread !== undefined);
  const [left, right] = spreads.map((spread) => spread ?? known[0]);
  // The variance of a mean is that of one run, divided by their number.
  const [leftError, rightError] = [left / one, right / other];
  const between = leftError + rightError;
  const degrees =
    known.length === 1 || between === 0
      ? Math.max(one, other) - 1
      : (between * between) / (leftError ** 2 / (one - 1) + rightError ** 2 / (other - 1));
  const sampled = chance.isIndependent ? sampledError(before) + sampledError(after) : 0;
  const reach = studentQuantile(degrees) * Math.sqrt(Math.max(between, sampled));
  return { low: Math.max(-1, difference - reach), high: Math.min(1, difference + reach) };
}

/** The variance of the shares of runs; undefined for a single one. */
function varianceOf({ shares, mean }: Side): number | undefined {
  if (shares.length < 2) return undefined;
  return sum(shares.map((share) => (share - mean) ** 2)) / (shares.length - 1);
}

/** The variance of the mean share that numbers of samples alone make. */
function sampledError({ runs, samples }: Side): number {
  const whole = sum(runs.map((run) => run.samples));
  // Half a sample, so that none at all is not taken for certain.
  const share = Math.min(1, (samples + 0.5) / (whole + 1));
  return (share * (1 - share)) / whole;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

// ---- How much the runs can tell ----

/** The smallest change that the runs could have shown, and how many more would show half of it. */
interface NoiseFloor {
  /** A fraction of all: half the width of the median interval of the heaviest methods. */
  readonly least: number;
  /** Runs a side. */
  readonly runsForHalf: number;
}

/** Methods that the noise floor is the median of. */
const FLOOR_METHODS = 10;

/** The noise floor of the ten methods with most samples; undefined with one run a side, or without a method. */
export function noiseFloor(changes: readonly RunChange[], runs: number): NoiseFloor | undefined {
  if (runs < 2) return undefined;
  const reaches = changes
    .filter(({ of, interval }) => of === 'self' && interval !== undefined)
    .sort((a, b) => b.samples.base + b.samples.next - (a.samples.base + a.samples.next))
    .slice(0, FLOOR_METHODS)
    .map(({ difference, interval }) => (interval?.high ?? 0) - difference)
    .sort((a, b) => a - b);
  if (reaches.length === 0) return undefined;
  const least = reaches[Math.floor(reaches.length / 2)];
  // The interval is as wide as the quantile, and narrows with the root of the number of runs.
  const widthOf = (count: number): number => studentQuantile(2 * count - 2) / Math.sqrt(count);
  let runsForHalf = runs;
  while (widthOf(runsForHalf) > widthOf(runs) / 2) runsForHalf++;
  return { least, runsForHalf };
}

// ---- Renames ----

/** A method that has vanished, and one that has come in its place. */
export interface Rename {
  readonly from: RunChange;
  readonly to: RunChange;
}

/** Shares of one method in two runs are within this factor of each other. */
const LIKE = 1.5;

/**
 * Methods that may have been renamed: one side only has the one, the other side only the other, with like shares and the
 * same heaviest caller and callee. Only where there is one candidate for each.
 */
export function renames(changes: readonly RunChange[], base: Run, next: Run): readonly Rename[] {
  const real = changes.filter(({ of, certainty }) => of === 'total' && certainty === 'real');
  const gone = real.filter(({ samples }) => samples.next === 0);
  const come = real.filter(({ samples }) => samples.base === 0);
  const isLike = (from: RunChange, to: RunChange): boolean => {
    const ratio = from.base / to.next;
    const [old, now] = [base.neighbours.get(from.label), next.neighbours.get(to.label)];
    if (ratio > LIKE || ratio < 1 / LIKE || old === undefined || now === undefined) return false;
    return old.caller === now.caller && old.callee === now.callee;
  };
  return gone.flatMap((from) => {
    const candidates = come.filter((to) => isLike(from, to));
    const isOnly = candidates.length === 1 && gone.filter((each) => isLike(each, candidates[0])).length === 1;
    return isOnly ? [{ from, to: candidates[0] }] : [];
  });
}
