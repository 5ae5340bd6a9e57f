/** The parts of one profile, such as hosts of a fleet, threads and hours, and the sums of methods in them. */
import { NONE } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { sampleSpan } from '../../profile/sample-table.ts';
import { NO_CONTEXT } from '../../text/format-frame.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { printable } from '../../text/printable.ts';
import { partName, partStart, requireFew } from '../../scope/parts-of-time.ts';
import { clockText } from '../../scope/time-range.ts';
import type { Chains } from '../trees/chains.ts';
import { attributeOf, type ThreadGrouping } from '../trees/grouping.ts';
import { type KeyTable, threadKeys } from '../trees/keys.ts';
import { preOrder } from '../trees/row-tree.ts';
import type { Metric } from '../values/metric.ts';
import { OwnValues, type SelfValues } from '../values/self-values.ts';
import { boundedBy, boundsAfterOrigin, lengthOf, type TimeSpan, withinTest } from '../values/time-range.ts';
import { ChainSums } from '../values/value-columns.ts';
import type { TimedSamples } from '../views/row-times.ts';

/** Parts of a profile: its threads, grouped, values of an attribute of requests, or equal parts of its time. */
export type SpreadParts = ThreadGrouping | 'time';

/** Samples of methods in the parts of a profile: `part * labels.length + label` -> samples, and the amount by the metric. */
export interface PartSums {
  readonly names: readonly string[];
  /** Part -> its time; undefined for other parts. */
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

export interface MethodParts {
  readonly samples: Float64Array;
  readonly amount: Float64Array;
}

/** The parts of a profile, and their values. */
export interface Parts {
  readonly names: readonly string[];
  readonly times?: readonly TimeSpan[];
  /** All samples, where some may be in no part. */
  readonly all?: number;
  /**
   * The values of all parts together, told apart by their threads, or those of one part after the other, each valid until
   * the next one is asked for.
   */
  readonly values: Iterable<{ readonly values: SelfValues; readonly partOf: (thread: number) => number }>;
}

/** Each thread, pool or log of a profile, in the order of their names. */
export function threadParts(profile: LeanProfile, values: SelfValues, threads: ThreadGrouping): Parts {
  const ofThread = threadKeys(profile, threads);
  const names = [...new Set(ofThread)].sort();
  const at = new Map(names.map((name, part) => [name, part]));
  const partOf = ofThread.map((name) => at.get(name) ?? NONE);
  return { names, values: [{ values, partOf: (thread) => partOf[thread] }] };
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
/** Limit where no length is chosen: more parts have too few samples each, and are no list that somebody reads. */
const MOST_TIME_PARTS = 30n;

/**
 * Equal parts of the time that is looked at. Without a length, the first begins with that time, and they are as long as
 * people count in, at most MOST_TIME_PARTS. Those of a chosen length begin at its multiples, of the clock where times have
 * dates, and throw TooManyParts. `all`: how many samples are looked at.
 */
export function timeParts(timed: TimedSamples | undefined, all: number, chosenNs: bigint | undefined): Parts {
  const span = timed && sampleSpan(timed.samples);
  if (timed === undefined || span === undefined) return { names: [], all, values: [] };
  const within = boundedBy(timed.bounds, { from: span.first, to: span.last + 1n });
  const whole = lengthOf(within);
  const length =
    chosenNs ?? LENGTHS_NS.find((each) => whole <= each * MOST_TIME_PARTS) ?? whole / MOST_TIME_PARTS + 1n;
  const first = chosenNs === undefined ? within.from : partStart(within.from, length, span.first);
  const count = (within.to - first + length - 1n) / length;
  requireFew(count, 'the time has parts of this length:');
  const starts = Array.from({ length: Number(count) }, (_, part) => first + BigInt(part) * length);
  const times = starts.map((from) => boundedBy({ from, to: from + length }, within));
  const nameOf = (from: bigint): string =>
    chosenNs === undefined ? clockText(from - span.first, 0) : partName(from, length, span.first);
  return { names: starts.map(nameOf), times, all, values: valuesOfTimes(timed, times, first, length) };
}

/**
 * A part for each value that an attribute has in the contexts of samples, in the order of the values. `value`: row of the
 * samples -> text of their contexts; NONE: in none, which is a part, too. Throws TooManyParts.
 */
export function contextParts(timed: TimedSamples, all: number, value: Int32Array): Parts {
  const { texts } = timed.samples.contexts;
  const isShown = shownTest(timed);
  const ofValue = new Map<number, number[]>();
  for (let row = 0; row < value.length; row++) {
    if (!isShown(row)) continue;
    const known = ofValue.get(value[row]);
    if (known === undefined) ofValue.set(value[row], [row]);
    else known.push(row);
  }
  const rows = new Map<string, readonly number[]>();
  for (const [text, ofText] of ofValue) {
    const name = text === NONE ? NO_CONTEXT : printable(texts[text]);
    rows.set(name, [...(rows.get(name) ?? []), ...ofText]);
  }
  requireFew(rows.size, 'the attribute has different values:');
  const names = [...rows.keys()].sort();
  return {
    names,
    all,
    values: valuesOfRows(
      timed,
      names.map((name) => rows.get(name) ?? []),
    ),
  };
}

function valuesOfTimes(
  timed: TimedSamples,
  times: readonly TimeSpan[],
  first: bigint,
  length: bigint,
): Parts['values'] {
  const { samples } = timed;
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
  const isShown = shownTest(timed);
  for (let row = 0; row < samples.length; row++) if (isShown(row)) rowsOf[partAt(row)].push(row);
  return valuesOfRows(timed, rowsOf);
}

/** Whether the sample of a row is looked at. Those that came after the state of the views have no leaf yet. */
function shownTest({ samples, bounds, leaves }: TimedSamples): (row: number) => boolean {
  const { self, valueSelf = self } = samples;
  const isWithin = withinTest(samples, bounds);
  return (row) =>
    self[row] < leaves.length &&
    (leaves[self[row]] !== NONE || leaves[valueSelf[row]] !== NONE) &&
    isWithin(row);
}

/** The values of one part after the other. */
function* valuesOfRows(timed: TimedSamples, rowsOf: readonly (readonly number[])[]): Parts['values'] {
  const values = new ValuesOfPart(timed);
  for (const [part, rows] of rowsOf.entries()) {
    values.take(rows);
    yield { values, partOf: () => part };
  }
}

/** The values of the samples of one part, which those of the next one replace. */
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
  { names, times, all, values: valuesOf }: Parts,
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
  for (const { values, partOf } of valuesOf) {
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

/** `3 operations and No request`, which is a part and no operation. `used`: the names of the parts; `one`: what one is called. */
export function partsText(of: SpreadParts, used: readonly string[], one: string): string {
  const isNone = (name: string): boolean => attributeOf(of) !== undefined && name === NO_CONTEXT;
  const counted = formatQuantity(used.filter((name) => !isNone(name)).length, one);
  return used.some(isNone) ? `${counted} and ${NO_CONTEXT}` : counted;
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
  { names, times, all, values: valuesOf }: Parts,
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
  for (const { values, partOf } of valuesOf) {
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

/** The parts that have samples. */
export function partsWithSamples({ whole }: Pick<PartSums, 'whole'>): readonly number[] {
  return [...whole.keys()].filter((part) => whole[part] > 0);
}
