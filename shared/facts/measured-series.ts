/** `pauses`: each value is how long one lasted, ms. `share`: 0 to 1, as of all processors. `time`: ns. */
export type MeasuredKind = 'pauses' | 'share' | 'bytes' | 'time' | 'number';

/**
 * Values that a file has measured over time besides its samples.
 *
 *   at       0     1001   2003      ms after `first`
 *   values   0.1   0.54   0.5       each holds until the next
 */
export interface MeasuredSeries {
  /** The quantity: one of USUAL_SERIES, or the name of an event and of its field. */
  readonly id: string;
  readonly kind: MeasuredKind;
  /** For people; undefined for a usual one. */
  readonly name?: string | undefined;
  /** The one of several logs that has it. */
  readonly log?: string | undefined;
  /** ns since 1970, decimal. */
  readonly first: string;
  /** Ascending; may begin before `first`. */
  readonly at: readonly number[];
  readonly values: readonly number[];
  /** The number of pauses, of which a value may have several, and the longest, ms. */
  readonly pauses?: { readonly count: number; readonly longestMs: number } | undefined;
}

/** Series that are shown and exported where they are not chosen, with their names for people. */
export const USUAL_SERIES: ReadonlyMap<string, string> = new Map([
  ['gc-pause', 'GC pauses'],
  ['cpu-jvm', 'CPU, this JVM'],
  ['cpu-machine', 'CPU, machine'],
  ['heap-used', 'Heap used'],
]);

/** Most values of a series as it is read, because facts are sent to the window several times a second. */
export const MOST_MEASURED = 800;

interface Measured {
  at: number;
  value: number;
}

/**
 * Collects a series in whatever order its values come. Of many values, those of a short time become one: the largest, so
 * that no peak is lost, and the sum of pauses.
 */
export class MeasuredValues {
  readonly #kind: MeasuredKind;
  readonly #most: number;
  #first: bigint | undefined;
  /** The latest `start`, and how many ns it is after #first. */
  #start: bigint | undefined;
  #sinceFirst = 0;
  /** ms in which values are one. A power of two: then the result does not depend on their order. */
  #step = 1 / 1024;
  #values = new Map<number, Measured>();
  /** The latest of #values and its key: most values come in the order of their times. */
  #latest: Measured | undefined;
  #latestKey = NaN;
  #count = 0;
  #longest = 0;

  constructor(kind: MeasuredKind, most = MOST_MEASURED) {
    this.#kind = kind;
    this.#most = most;
  }

  /**
   * A value at a time in ns after `start`, which is ns since 1970, and equal for many values in turn: arithmetic with
   * bigints takes longer than all else here.
   */
  add(start: bigint, ns: number, value: number): void {
    if (!Number.isFinite(value) || value < 0) return;
    this.#first ??= start + BigInt(ns);
    if (start !== this.#start) this.#sinceFirst = Number(start - this.#first);
    this.#start = start;
    this.#count++;
    this.#longest = Math.max(this.#longest, value);
    this.#put((this.#sinceFirst + ns) / 1e6, value);
    while (this.#values.size > this.#most) {
      const before = this.#values;
      this.#step *= 2;
      this.#values = new Map();
      this.#latestKey = NaN;
      for (const { at, value } of before.values()) this.#put(at, value);
    }
  }

  /** undefined without values. */
  series(id: string): MeasuredSeries | undefined {
    if (this.#first === undefined) return undefined;
    const sorted = [...this.#values.values()].sort((a, b) => a.at - b.at);
    return {
      id,
      kind: this.#kind,
      first: this.#first.toString(),
      ...(this.#kind === 'pauses' && {
        pauses: { count: this.#count, longestMs: Math.round(this.#longest * 1e4) / 1e4 },
      }),
      at: sorted.map(({ at }) => Math.round(at * 1000) / 1000),
      values: sorted.map(({ value }) => (this.#kind === 'bytes' ? value : Math.round(value * 1e4) / 1e4)),
    };
  }

  #put(at: number, value: number): void {
    const key = Math.floor(at / this.#step);
    const known = key === this.#latestKey ? this.#latest : this.#values.get(key);
    this.#latestKey = key;
    this.#latest = known;
    if (known === undefined) {
      this.#latest = { at, value };
      this.#values.set(key, this.#latest);
      return;
    }
    known.at = Math.min(known.at, at);
    known.value = this.#kind === 'pauses' ? known.value + value : Math.max(known.value, value);
  }
}

/** Series with at most `most` values together, each with as many as the others: see `MeasuredValues`. */
export function thinned(all: readonly MeasuredSeries[], most: number): readonly MeasuredSeries[] {
  const count = all.reduce((sum, { at }) => sum + at.length, 0);
  if (count <= most) return all;
  // Two at least: values on both sides of the first one never become one.
  const mostOfEach = Math.max(2, Math.floor(most / all.length));
  return all.map((series) => {
    if (series.at.length <= mostOfEach) return series;
    const values = new MeasuredValues(series.kind, mostOfEach);
    const first = BigInt(series.first);
    for (const [place, at] of series.at.entries())
      values.add(first, Math.round(at * 1e6), series.values[place]);
    return { ...series, ...values.series(series.id), pauses: series.pauses };
  });
}

/** Equal parts of a stretch of time. */
export interface TimeBuckets {
  /** ns since 1970, decimal, and the start of the first bucket after it. */
  readonly first: string;
  readonly from: number;
  readonly bucketNs: number;
  readonly buckets: number;
}

/**
 * A series by buckets: the largest value in each, and the last one before it where it has none, NaN before the first one;
 * of pauses, their time in ns.
 *
 *   series   at 0 1 5   values 3 7 2      buckets of 2   7 7 2
 */
export function measuredIn(series: MeasuredSeries, buckets: TimeBuckets): Float64Array {
  return series.kind === 'pauses' ? pausesIn(series, buckets) : heldIn(series, buckets);
}

/**
 * Buckets of a value that changes between two measurements, as the used heap does between collections. A bucket without
 * a value has that in its middle, on a straight line between its neighbours. The last value is kept.
 *
 *   series   at 0 1 5   values 3 7 2      buckets of 2   7 4.5 2
 */
export function estimatedIn(series: MeasuredSeries, buckets: TimeBuckets): Float64Array {
  return heldIn(series, buckets, true);
}

function heldIn(
  { first, at, values }: MeasuredSeries,
  columns: TimeBuckets,
  isEstimated = false,
): Float64Array {
  const { from, bucketNs } = columns;
  const start = Number(BigInt(first) - BigInt(columns.first)) - from;
  const held = new Float64Array(columns.buckets).fill(NaN);
  let last = NaN;
  let point = 0;
  /** Between the points around the middle of a bucket, if it has one on both sides. */
  const between = (bucket: number): number => {
    if (point === 0 || point === at.length) return last;
    const share =
      ((bucket + 0.5) * bucketNs - start - at[point - 1] * 1e6) / ((at[point] - at[point - 1]) * 1e6);
    return last + share * (values[point] - last);
  };
  for (let bucket = 0; bucket < held.length; bucket++) {
    let most = NaN;
    for (; point < at.length && start + at[point] * 1e6 < (bucket + 1) * bucketNs; point++) {
      last = values[point];
      // Earlier values count only by the last one before the range.
      if (start + at[point] * 1e6 >= bucket * bucketNs && !(most >= last)) most = last;
    }
    held[bucket] = !Number.isNaN(most) ? most : isEstimated ? between(bucket) : last;
  }
  return held;
}

function pausesIn({ first, at, values }: MeasuredSeries, columns: TimeBuckets): Float64Array {
  const { from, bucketNs } = columns;
  const start = Number(BigInt(first) - BigInt(columns.first)) - from;
  const paused = new Float64Array(columns.buckets);
  for (const [point, ms] of at.entries()) {
    const begin = start + ms * 1e6;
    const end = begin + values[point] * 1e6;
    let bucket = Math.max(0, Math.floor(begin / bucketNs));
    for (; bucket < paused.length && bucket * bucketNs < end; bucket++)
      paused[bucket] += Math.max(
        0,
        Math.min(end, (bucket + 1) * bucketNs) - Math.max(begin, bucket * bucketNs),
      );
  }
  return paused;
}
