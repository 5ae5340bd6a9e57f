/** The parts of one profile with each other: hosts of a fleet, threads, runs, hours. Which of them differ, and since when. */
import { compareKeys } from '../trees/keys.ts';
import type { SharePart } from './method-changes.ts';
import type { Run, RunChance, RunPart } from './run-changes.ts';
import { type PartSums, type MethodParts, partsWithSamples } from './part-sums.ts';

/** The distribution of a method's share over the parts that have samples. Shares are fractions, in the order of these parts. */
export interface MethodSpread {
  /** In the table of keys. */
  readonly key: number;
  readonly label: string;
  readonly of: SharePart;
  readonly shares: readonly number[];
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** Parts that differ by more than parts do, the farthest from the median first. */
  readonly outliers: readonly Outlier[];
  /** For parts in the order of time: the first part of a lasting change. */
  readonly step: Step | undefined;
}

export interface Outlier {
  readonly part: number;
  readonly share: number;
  /** The share minus the median of all, with its 95 % interval. */
  readonly difference: number;
  readonly interval: { readonly low: number; readonly high: number };
}

export interface Step {
  /** The first part afterwards. */
  readonly part: number;
  /** Mean shares. */
  readonly before: number;
  readonly after: number;
}

/** With fewer parts, none can be told from the others. */
export const LEAST_PARTS = 4;
/** Smaller differences are not worth a visit: half a percentage point. */
const LEAST_DIFFERENCE = 0.005;
/** The least samples of a method, found or expected, for which the deviation of their number says how far it is by chance. */
const LEAST_SAMPLES = 5;
/** The modified z-score from which a value is an outlier (NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.17). */
const OUTLYING = 3.5;
/** The standard deviation of a normal distribution in median absolute deviations, and half of its 95 % interval. */
const MADS = 1.4826;
const HALF_95 = 1.96;
/** A step must be as unlikely as the best of some hundred places is by chance. */
const STEP_T = 4.5;
const LEAST_STEP_PARTS = 6;

/** The parts as runs that are compared with others; those without samples are left out. */
export function runsOfParts({ names, labels, samples, whole, self, total }: PartSums): readonly Run[] {
  const mapOf = ({ samples: count, amount }: MethodParts, part: number): ReadonlyMap<string, RunPart> =>
    new Map(
      labels.flatMap((label, key) => {
        const at = part * labels.length + key;
        return count[at] === 0 && amount[at] === 0
          ? []
          : [[label, { samples: count[at], amount: amount[at] }]];
      }),
    );
  return names.flatMap((name, part) =>
    whole[part] > 0
      ? [
          {
            name,
            samples: samples[part],
            whole: whole[part],
            self: mapOf(self, part),
            total: mapOf(total, part),
            neighbours: new Map(),
          },
        ]
      : [],
  );
}

/** The options of spreads. `inOrder`: the parts follow each other in time. */
interface SpreadOptions extends RunChance {
  readonly of: SharePart;
  readonly inOrder: boolean;
}

/**
 * The spread of every method with half a percent somewhere: those with outliers or a step come first, the largest difference
 * before smaller ones.
 */
export function spreadOf(sums: PartSums, options: SpreadOptions): readonly MethodSpread[] {
  const spread = spreads(sums, options);
  return [...sums.labels.keys()]
    .map(spread)
    .filter(({ most }) => most >= LEAST_DIFFERENCE)
    .sort((a, b) => weightOf(b) - weightOf(a) || b.median - a.median || compareKeys(a.label, b.label));
}

/**
 * Key -> the spread of a method. A part stands out by its distance from the median, which many outliers do not move, in
 * deviations of the parts and of their numbers of samples.
 */
export function spreads(
  sums: PartSums,
  { isIndependent, of, inOrder }: SpreadOptions,
): (key: number) => MethodSpread {
  const { labels, samples, whole } = sums;
  const parts = partsWithSamples(sums);
  const wholeSamples = parts.reduce((sum, part) => sum + samples[part], 0);
  return (key) => {
    const at = (part: number): number => part * labels.length + key;
    const shares = parts.map((part) => sums[of].amount[at(part)] / whole[part]);
    const sorted = shares.toSorted((a, b) => a - b);
    const [least, most] = [sorted.at(0) ?? 0, sorted.at(-1) ?? 0];
    const median = middle(sorted);
    const spread = { key, label: labels[key], of, shares, median, least, most };
    if (!(most >= LEAST_DIFFERENCE)) return { ...spread, outliers: [], step: undefined };
    const deviation = MADS * middle(shares.map((share) => Math.abs(share - median)).sort((a, b) => a - b));
    const counted = parts.reduce((sum, part) => sum + sums[of].samples[at(part)], 0);
    const pooled = (counted + 0.5) / (wholeSamples + 1);
    /** The variance that a number of samples makes. */
    const sampled = parts.map((part) => (isIndependent ? (pooled * (1 - pooled)) / samples[part] : 0));
    const outliers = shares.flatMap((share, place): readonly Outlier[] => {
      const error = Math.sqrt(deviation ** 2 + sampled[place]);
      const difference = share - median;
      const size = Math.abs(difference);
      if (size < LEAST_DIFFERENCE || size <= OUTLYING * error) return [];
      const part = parts[place];
      if (isIndependent && Math.max(sums[of].samples[at(part)], pooled * samples[part]) < LEAST_SAMPLES)
        return [];
      const reach = HALF_95 * error;
      const interval = { low: difference - reach, high: difference + reach };
      return [{ part, share, difference, interval }];
    });
    outliers.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || a.part - b.part);
    const step = inOrder
      ? stepOf(shares, sampled.reduce((sum, each) => sum + each, 0) / parts.length)
      : undefined;
    return { ...spread, outliers, step: step && { ...step, part: parts[step.part] } };
  };
}

function weightOf({ outliers, step }: MethodSpread): number {
  const far = outliers.length === 0 ? 0 : Math.abs(outliers[0].difference);
  return Math.max(far, step === undefined ? 0 : Math.abs(step.after - step.before));
}

function middle(sorted: readonly number[]): number {
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/**
 * The place that divides the shares best into those before and those after it. `variance`: what numbers of samples make of
 * it alone. Undefined where the two sides do not differ clearly, or a few shares differ and not all that follow.
 */
function stepOf(shares: readonly number[], variance: number): Step | undefined {
  const { length } = shares;
  if (length < LEAST_STEP_PARTS) return undefined;
  const sum = shares.reduce((all, share) => all + share, 0);
  const squares = shares.reduce((all, share) => all + share ** 2, 0);
  let best: { readonly part: number; readonly rest: number; readonly first: number } | undefined;
  for (let part = 1, first = 0; part < length; part++) {
    first += shares[part - 1];
    if (part < 2 || part > length - 2) continue;
    const rest = squares - first ** 2 / part - (sum - first) ** 2 / (length - part);
    if (best === undefined || rest < best.rest) best = { part, rest, first };
  }
  if (best === undefined) return undefined;
  const { part, rest, first } = best;
  const [before, after] = [first / part, (sum - first) / (length - part)];
  const error = Math.sqrt(Math.max(rest / (length - 2), variance) * (1 / part + 1 / (length - part)));
  const size = Math.abs(after - before);
  const isLasting = rest <= (squares - sum ** 2 / length) / 2;
  return size >= LEAST_DIFFERENCE && size > STEP_T * error && isLasting ? { part, before, after } : undefined;
}
