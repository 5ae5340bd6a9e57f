/** The parts of one profile with each other: hosts of a fleet, threads, runs, hours. Which of them differ, and since when. */
import { NONE } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { sampleSpan } from '../../profile/sample-table.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { clockText, isDate } from '../../scope/time-range.ts';
import type { Chains } from '../trees/chains.ts';
import type { ThreadGrouping } from '../trees/grouping.ts';
import { compareKeys, type KeyTable, threadKeys } from '../trees/keys.ts';
import { preOrder } from '../trees/row-tree.ts';
import type { Metric } from '../values/metric.ts';
import { OwnValues, type SelfValues } from '../values/self-values.ts';
import { boundedBy, boundsAfterOrigin, lengthOf, type TimeSpan, withinTest } from '../values/time-range.ts';
import { ChainSums } from '../values/value-columns.ts';
import type { TimedSamples } from '../views/row-times.ts';
import type { SharePart } from './method-changes.ts';
import type { Run, RunChance, RunPart } from './run-changes.ts';

/** Parts of a profile: its threads, grouped, or equal parts of its time. */
export type SpreadParts = ThreadGrouping | 'time';

/** How the share of a method is spread over the parts that have samples. Shares are fractions, in the order of these parts. */
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

/** Samples of methods in the parts of a profile: `part * labels.length + label` -> samples, and the amount by the metric. */
export interface PartSums {
  readonly names: readonly string[];
  /** Part -> its time; undefined for parts that are threads. */
  readonly times: readonly TimeSpan[] | undefined;
  readonly labels: readonly string[];
  /** Part -> all of its samples. */
  readonly samples: readonly number[];
  /** Samples that are in no part of the time, because they have none. */
  readonly untimed: number;
  /** The whole of the shares. */
  readonly whole: readonly number[];
  readonly self: MethodParts;
  readonly total: MethodParts;
}

interface MethodParts {
  readonly samples: Float64Array;
  readonly amount: Float64Array;
}

/** The parts of a profile. Each sum is of values that are shared by the parts of its threads, or are those of one part. */
export interface Parts {
  readonly names: readonly string[];
  readonly times?: readonly TimeSpan[];
  /** All samples, where some may be in no part. */
  readonly all?: number;
  readonly sums: Iterable<{ readonly values: SelfValues; readonly partOf: (thread: number) => number }>;
}

/** Each thread, pool or log of a profile, in the order of their names. */
export function threadParts(profile: LeanProfile, values: SelfValues, threads: ThreadGrouping): Parts {
  const ofThread = threadKeys(profile, threads);
  const names = [...new Set(ofThread)].sort();
  const at = new Map(names.map((name, part) => [name, part]));
  const partOf = ofThread.map((name) => at.get(name) ?? NONE);
  return { names, sums: [{ values, partOf: (thread) => partOf[thread] }] };
}

const SECOND_NS = 1_000_000_000n;
/** Lengths of parts of the time that people count in. */
const LENGTHS_NS = [
  1n,
  2n,
  5n,
  10n,
  30n,
  60n,
  120n,
  300n,
  600n,
  1_800n,
  3_600n,
  7_200n,
  21_600n,
  43_200n,
  86_400n,
  604_800n,
].map((seconds) => seconds * SECOND_NS);
/** Without a chosen length: more parts have too few samples each, and are no list that somebody reads. */
const MOST_TIME_PARTS = 30n;
/** Sums of more parts need too much memory. */
const MOST_CHOSEN_PARTS = 1_000n;

/** A length divides the time into more parts than can be counted. */
export class TooManyParts extends Error {
  override readonly name = 'TooManyParts';
}

/**
 * Equal parts of the time that is looked at. Without a length, the first begins with that time, and they are as long as
 * people count in, at most MOST_TIME_PARTS. Those of a chosen length begin at its multiples, of the clock where times have
 * dates, and throw TooManyParts. `all`: how many samples are looked at.
 */
export function timeParts(timed: TimedSamples | undefined, all: number, chosenNs: bigint | undefined): Parts {
  const span = timed && sampleSpan(timed.samples);
  if (timed === undefined || span === undefined) return { names: [], all, sums: [] };
  const within = boundedBy(timed.bounds, { from: span.first, to: span.last + 1n });
  const whole = lengthOf(within);
  const length =
    chosenNs ?? LENGTHS_NS.find((each) => whole <= each * MOST_TIME_PARTS) ?? whole / MOST_TIME_PARTS + 1n;
  const hasDates = isDate(span.first);
  const zero = hasDates ? 0n : span.first;
  const first = chosenNs === undefined ? within.from : within.from - ((within.from - zero) % length);
  const count = (within.to - first + length - 1n) / length;
  if (count > MOST_CHOSEN_PARTS)
    throw new TooManyParts(
      `parts of this length would be ${count}, and at most ${MOST_CHOSEN_PARTS} are counted`,
    );
  const starts = Array.from({ length: Number(count) }, (_, part) => first + BigInt(part) * length);
  const times = starts.map((from) => boundedBy({ from, to: from + length }, within));
  const nameOf = (from: bigint): string =>
    chosenNs === undefined
      ? clockText(from - span.first, 0)
      : hasDates
        ? dateText(from, length)
        : clockText(from - span.first);
  return { names: starts.map(nameOf), times, all, sums: sumsOfTimes(timed, times, first, length) };
}

const MINUTE_NS = 60n * SECOND_NS;
const DAY_NS = 1_440n * MINUTE_NS;

/** The beginning of a part as a date in UTC, as fine as its length is: `2026-11-28 10:00`. */
function dateText(from: bigint, length: bigint): string {
  const text = new Date(Number(from / 1_000_000n)).toISOString();
  const digits =
    length % DAY_NS === 0n ? 10 : length % MINUTE_NS === 0n ? 16 : length % SECOND_NS === 0n ? 19 : 23;
  return text.slice(0, digits).replace('T', ' ');
}

function* sumsOfTimes(
  timed: TimedSamples,
  times: readonly TimeSpan[],
  first: bigint,
  length: bigint,
): Parts['sums'] {
  const { samples, bounds, leaves } = timed;
  const isWithin = withinTest(samples, bounds);
  const starts = times.map((time) => boundsAfterOrigin(samples, time).least);
  const firstNs = Number(first - (samples.origin ?? 0n));
  const partAt = (row: number): number => {
    if (samples.at.bigints?.has(row) === true) return Number((samples.timeOf(row) - first) / length);
    const ns = samples.at.ns[row];
    let part = Math.min(times.length - 1, Math.floor((ns - firstNs) / Number(length)));
    // A quotient is rounded.
    while (ns < starts[part]) part--;
    while (ns >= starts[part + 1]) part++;
    return part;
  };
  const rowsOf = times.map((): number[] => []);
  for (let row = 0; row < samples.length; row++)
    // Samples that came after the state of the views have no leaf yet.
    if (samples.self[row] < leaves.length && isWithin(row)) rowsOf[partAt(row)].push(row);
  const values = new ValuesOfPart(timed);
  for (const [part, rows] of rowsOf.entries()) {
    values.take(rows);
    yield { values, partOf: () => part };
  }
}

/** The values of some samples. */
class ValuesOfPart extends OwnValues {
  readonly #timed: TimedSamples;
  #taken: readonly number[] = [];

  constructor(timed: TimedSamples) {
    super();
    this.#timed = timed;
    this.length = timed.leaves.length;
    this.node = timed.leaves.map((node) => Math.max(node, 0));
    this.count = new Float64Array(this.length);
    this.time.reserve(this.length);
  }

  take(rows: readonly number[]): void {
    const { samples, leaves } = this.#timed;
    const { self, valueSelf = self, value } = samples;
    for (const row of this.#taken) {
      this.count[self[row]] = 0;
      this.time.set(valueSelf[row], 0);
    }
    this.#taken = rows;
    for (const row of rows) {
      if (leaves[self[row]] !== NONE) this.count[self[row]]++;
      if (leaves[valueSelf[row]] !== NONE) this.time.addFrom(valueSelf[row], value.column, row & value.mask);
    }
    this.revision++;
  }
}

/** The sums of the parts of a profile. O(parts × methods + call nodes), for parts of the time O(parts × call nodes + samples). */
export function partSums(
  {
    profile,
    chains,
    keys,
  }: { readonly profile: LeanProfile; readonly chains: Chains; readonly keys: KeyTable },
  { names, times, all, sums: sumsOf }: Parts,
  metric: Metric,
): PartSums {
  const { nodes } = profile;
  const [self, total] = [noSums(names.length * keys.length), noSums(names.length * keys.length)];
  const samples = names.map(() => 0);
  const whole = names.map(() => 0);
  const { start, parent } = chains;
  const { order, sizes } = preOrder(chains);
  const { ofFrame, methodOf } = keys;
  const sums = new ChainSums(chains);
  for (const { values, partOf } of sumsOf) {
    sums.update(values);
    const { selfCount, totalCount } = sums;
    const [selfAmount, totalAmount] =
      metric === 'samples' ? [selfCount, totalCount] : [sums.selfTime.ns, sums.totalTime.ns];
    /** A method counts once on a stack: key -> the place after the subtree in which it is counted. */
    const coveredTo = new Int32Array(keys.length);
    let first = 0;
    for (let at = 0; at < order.length; at++) {
      const chain = order[at];
      const isRoot = parent[chain] === NONE;
      if (isRoot) {
        const part = partOf(~nodes.frame[start[chain]]);
        first = part * keys.length;
        samples[part] += totalCount[chain];
        whole[part] += totalAmount[chain];
      }
      // Most chains have no sample of a part of the time.
      if (totalCount[chain] === 0 && totalAmount[chain] === 0 && selfAmount[chain] === 0) continue;
      let last = NONE;
      for (let node = start[chain] + (isRoot ? 1 : 0); node < start[chain + 1]; node++) {
        last = ofFrame[nodes.frame[node]];
        // A line of a split method counts for the method, too.
        for (let key = last, next = methodOf[key]; key !== NONE; key = next === key ? NONE : next) {
          if (at < coveredTo[key]) continue;
          coveredTo[key] = at + sizes[chain];
          total.samples[first + key] += totalCount[chain];
          total.amount[first + key] += totalAmount[chain];
        }
      }
      if (last === NONE) continue;
      for (const key of last === methodOf[last] ? [last] : [last, methodOf[last]]) {
        self.samples[first + key] += selfCount[chain];
        self.amount[first + key] += selfAmount[chain];
      }
    }
  }
  const untimed = untimedOf(all, samples);
  return { names, times, labels: keys.labels, samples, untimed, whole, self, total };
}

function untimedOf(all: number | undefined, samples: readonly number[]): number {
  const timed = samples.reduce((sum, each) => sum + each, 0);
  // Counts of allocations are no whole numbers: their sums are rounded.
  return all === undefined ? 0 : Math.max(0, Math.round(all - timed));
}

/** `12 samples without a time are in no part` */
export function untimedText(untimed: number): string {
  return `${formatQuantity(untimed, 'sample')} without a time ${untimed === 1 ? 'is' : 'are'} in no part`;
}

function noSums(length: number): MethodParts {
  return { samples: new Float64Array(length), amount: new Float64Array(length) };
}

/** The sums of one call, of whatever thread: a stack that begins as that of this call node. O(call nodes + parts × rows). */
export function callSums(
  { profile, keys }: { readonly profile: LeanProfile; readonly keys: KeyTable },
  node: number,
  { names, times, all, sums: sumsOf }: Parts,
  metric: Metric,
): PartSums {
  const { parent, frame, length } = profile.nodes;
  const path: number[] = [];
  for (let at = node; parent[at] !== NONE; at = parent[at]) path.push(keys.ofFrame[frame[at]]);
  path.reverse();
  /** Call node -> how many calls of the path lead to it; one more below its end, NONE beside it. */
  const matched = new Int32Array(length);
  const thread = new Int32Array(length);
  for (let at = 0; at < length; at++) {
    const up = parent[at];
    thread[at] = up === NONE ? ~frame[at] : thread[up];
    if (up === NONE) continue;
    const before = matched[up];
    if (before >= path.length) matched[at] = path.length + 1;
    else matched[at] = before !== NONE && keys.ofFrame[frame[at]] === path[before] ? before + 1 : NONE;
  }
  const [self, total] = [noSums(names.length), noSums(names.length)];
  const samples = names.map(() => 0);
  const whole = names.map(() => 0);
  for (const { values, partOf } of sumsOf) {
    const amounts = metric === 'samples' ? values.count : values.time.ns;
    for (let row = 0; row < values.length; row++) {
      const [count, amount] = [values.count[row], amounts[row]];
      if (count === 0 && amount === 0) continue;
      const end = values.node[row];
      const part = partOf(thread[end]);
      samples[part] += count;
      whole[part] += amount;
      if (matched[end] < path.length) continue;
      for (const of of matched[end] === path.length ? [self, total] : [total]) {
        of.samples[part] += count;
        of.amount[part] += amount;
      }
    }
  }
  const untimed = untimedOf(all, samples);
  return { names, times, labels: [keys.labels[path[path.length - 1]]], samples, untimed, whole, self, total };
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

/** The parts that have samples. */
export function partsWithSamples({ whole }: Pick<PartSums, 'whole'>): readonly number[] {
  return [...whole.keys()].filter((part) => whole[part] > 0);
}

/** How spreads are made: `inOrder`: the parts follow each other in time. */
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
