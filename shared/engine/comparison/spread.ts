/** The parts of one profile with each other: hosts of a fleet, threads, runs, hours. Which of them differ, and since when. */
import { NONE } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { Chains } from '../trees/chains.ts';
import type { FrameGrouping, ThreadGrouping } from '../trees/grouping.ts';
import { compareKeys, KeyTable, threadKeys } from '../trees/keys.ts';
import { preOrder } from '../trees/row-tree.ts';
import type { Metric } from '../values/metric.ts';
import { ChainSums } from '../values/value-columns.ts';
import type { SharePart } from './method-changes.ts';
import type { Run, RunChance, RunPart } from './run-changes.ts';

/** How the share of a method is spread over the parts that have samples. Shares are fractions, in the order of these parts. */
export interface MethodSpread {
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
/** The modified z-score from which a value is an outlier (NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.17). */
const OUTLYING = 3.5;
/** Of a normal distribution: the standard deviation in median absolute deviations, and half of a 95 % interval. */
const MADS = 1.4826;
const HALF_95 = 1.96;
/** A step must be as unlikely as the best of some hundred places is by chance. */
const STEP_T = 4.5;
const LEAST_STEP_PARTS = 6;

/** Samples of methods in the parts of a profile: `part * labels.length + label` -> samples, and the amount by the metric. */
export interface PartSums {
  readonly names: readonly string[];
  readonly labels: readonly string[];
  /** Part -> all of its samples. */
  readonly samples: readonly number[];
  /** The whole of the shares. */
  readonly whole: readonly number[];
  readonly self: MethodParts;
  readonly total: MethodParts;
}

interface MethodParts {
  readonly samples: Float64Array;
  readonly amount: Float64Array;
}

/** The sums of each thread, pool or log of a profile, in the order of their names. O(call nodes + parts × methods). */
export function partSums(
  profile: LeanProfile,
  {
    frames,
    metric,
    threads,
  }: { readonly frames: FrameGrouping; readonly metric: Metric; readonly threads: ThreadGrouping },
): PartSums {
  const { selfValues, nodes } = profile;
  const ofThread = threadKeys(profile, threads);
  const names = [...new Set(ofThread)].sort();
  const partOf = ofThread.map((name) => names.indexOf(name));
  const keys = new KeyTable(profile, frames);
  keys.update(profile.frames.length);
  const chains = new Chains(profile);
  chains.update();
  const sums = new ChainSums(chains);
  sums.update(selfValues);
  const made = (): MethodParts => ({
    samples: new Float64Array(names.length * keys.length),
    amount: new Float64Array(names.length * keys.length),
  });
  const [self, total] = [made(), made()];
  const samples = names.map(() => 0);
  const whole = names.map(() => 0);
  const { start, parent } = chains;
  const amountOf = (of: { readonly count: Float64Array; readonly ns: Float64Array }): Float64Array =>
    metric === 'samples' ? of.count : of.ns;
  const selfAmount = amountOf({ count: sums.selfCount, ns: sums.selfTime.ns });
  const totalAmount = amountOf({ count: sums.totalCount, ns: sums.totalTime.ns });
  const { order, sizes } = preOrder(chains);
  /** A method counts once on a stack: key -> the place after the subtree in which it is counted. */
  const coveredTo = new Int32Array(keys.length);
  let first = 0;
  for (let at = 0; at < order.length; at++) {
    const chain = order[at];
    const isRoot = parent[chain] === NONE;
    if (isRoot) {
      const part = partOf[~nodes.frame[start[chain]]];
      first = part * keys.length;
      samples[part] += sums.totalCount[chain];
      whole[part] += totalAmount[chain];
    }
    let key = NONE;
    for (let node = start[chain] + (isRoot ? 1 : 0); node < start[chain + 1]; node++) {
      key = keys.ofFrame[nodes.frame[node]];
      if (at < coveredTo[key]) continue;
      coveredTo[key] = at + sizes[chain];
      total.samples[first + key] += sums.totalCount[chain];
      total.amount[first + key] += totalAmount[chain];
    }
    if (key === NONE) continue;
    self.samples[first + key] += sums.selfCount[chain];
    self.amount[first + key] += selfAmount[chain];
  }
  return { names, labels: keys.labels, samples, whole, self, total };
}

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
            ...{ name, samples: samples[part], whole: whole[part] },
            ...{ self: mapOf(self, part), total: mapOf(total, part), neighbours: new Map() },
          },
        ]
      : [],
  );
}

/**
 * The spread of every method with half a percent somewhere: those with outliers or a step come first, the largest difference
 * before smaller ones.
 *
 * A part stands out by its distance from the median, which many outliers do not move, in deviations of the parts and of
 * their numbers of samples. `inOrder`: the parts follow each other in time.
 */
export function spreadOf(
  sums: PartSums,
  { isIndependent }: RunChance,
  { of, inOrder }: { readonly of: SharePart; readonly inOrder: boolean },
): readonly MethodSpread[] {
  const { names, labels, samples, whole } = sums;
  const parts = names.map((_, part) => part).filter((part) => whole[part] > 0);
  const wholeSamples = parts.reduce((sum, part) => sum + samples[part], 0);
  const all: MethodSpread[] = [];
  for (const [key, label] of labels.entries()) {
    const shares = parts.map((part) => sums[of].amount[part * labels.length + key] / whole[part]);
    const sorted = shares.toSorted((a, b) => a - b);
    const [least, most] = [sorted[0], sorted[sorted.length - 1]];
    if (!(most >= LEAST_DIFFERENCE)) continue;
    const median = middle(sorted);
    const deviation = MADS * middle(shares.map((share) => Math.abs(share - median)).sort((a, b) => a - b));
    const counted = parts.reduce((sum, part) => sum + sums[of].samples[part * labels.length + key], 0);
    const pooled = (counted + 0.5) / (wholeSamples + 1);
    /** The variance that a number of samples makes. */
    const sampled = parts.map((part) => (isIndependent ? (pooled * (1 - pooled)) / samples[part] : 0));
    const outliers = shares.flatMap((share, at): readonly Outlier[] => {
      const error = Math.sqrt(deviation ** 2 + sampled[at]);
      const difference = share - median;
      const size = Math.abs(difference);
      if (size < LEAST_DIFFERENCE || size <= OUTLYING * error) return [];
      const reach = HALF_95 * error;
      return [
        {
          part: parts[at],
          share,
          difference,
          interval: { low: difference - reach, high: difference + reach },
        },
      ];
    });
    outliers.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || a.part - b.part);
    const step = inOrder
      ? stepOf(shares, sampled.reduce((sum, each) => sum + each, 0) / parts.length)
      : undefined;
    all.push({
      ...{ label, of, shares, median, least, most, outliers },
      step: step && { ...step, part: parts[step.part] },
    });
  }
  return all.sort(
    (a, b) => weightOf(b) - weightOf(a) || b.median - a.median || compareKeys(a.label, b.label),
  );
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
