import { NONE } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { ContextScope } from '../../scope/scope.ts';
import { boundsAfterOrigin, type TimeBounds } from '../values/time-range.ts';
import { contextsInScope, valuesOfKey } from './context-test.ts';
import { type ContextInputs, type SamplesByThread, shiftOf } from './samples-in-contexts.ts';

/** Contexts of one operation, or with one value of another attribute. Durations in ns. */
export interface Operation {
  readonly name: string;
  readonly count: number;
  readonly total: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
  /** In scope; a sample counts once for each operation that it is inside. */
  readonly samples: number;
}

export interface Operations {
  /** Those with most samples first, then those that took longest. */
  readonly rows: readonly Operation[];
  /** Samples in scope that are in some of these contexts. */
  readonly samples: number;
  /** Contexts of threads that have no sample at all, and the time that they took. */
  readonly unsampled: { readonly count: number; readonly ns: number; readonly threads: number };
  /** Samples name the threads that carry virtual threads, while contexts name the virtual threads. */
  readonly namesCarriers: boolean;
}

/** Which contexts are listed. */
export interface ListedContexts {
  /** The attribute whose values are rows. */
  readonly key: string;
  readonly scope: ContextScope | undefined;
  /** Those that overlap it. */
  readonly bounds: TimeBounds;
  /** Thread -> 1 if it is left out. */
  readonly isLeftOut: Uint8Array;
}

/**
 * The operations of a profile. `counted`: the samples in scope by thread, and their times. O(contexts log contexts), and two
 * searches for each stretch of time that contexts of one operation cover.
 */
export function operationsOf(
  profile: LeanProfile,
  { samples, byThread, order }: ContextInputs,
  counted: CountedTimes,
  { key, scope, bounds, isLeftOut }: ListedContexts,
): Operations {
  const { contexts } = samples;
  const { thread, from, to, texts } = contexts;
  const isIn = contextsInScope(contexts, order, scope ?? { where: [] });
  const value = valuesOfKey(contexts, order, key);
  const { least, end } = boundsAfterOrigin(contexts, bounds);
  const placeOf = new Int32Array(contexts.length);
  for (const [place, row] of order.order.entries()) placeOf[row] = place;
  const listed = order.order.filter(
    (row) => isIn[row] === 1 && isLeftOut[thread[row]] !== 1 && to[row] >= least && from[row] < end,
  );
  const shift = shiftOf(samples);
  const samplesIn = (rows: Int32Array): number => counted.countIn(rows, contexts, shift);
  const grouped = listed
    .filter((row) => value[row] !== NONE)
    .sort((a, b) => value[a] - value[b] || placeOf[a] - placeOf[b]);
  const rows: Operation[] = [];
  for (let first = 0, last = 0; first < grouped.length; first = last) {
    while (last < grouped.length && value[grouped[last]] === value[grouped[first]]) last++;
    const group = grouped.subarray(first, last);
    rows.push(
      operationOf(
        texts[value[group[0]]],
        Float64Array.from(group, (row) => to[row] - from[row]),
        samplesIn(group),
      ),
    );
  }
  rows.sort((a, b) => b.samples - a.samples || b.total - a.total);
  const unsampled = listed.filter((row) => !hasSamples(byThread, thread[row]));
  return {
    rows,
    samples: samplesIn(listed),
    unsampled: {
      count: unsampled.length,
      ns: unsampled.reduce((sum, row) => sum + to[row] - from[row], 0),
      threads: new Set(Array.from(unsampled, (row) => thread[row])).size,
    },
    namesCarriers: unsampled.length > 0 && carriesThreads(profile, byThread),
  };
}

function operationOf(name: string, durations: Float64Array, samples: number): Operation {
  durations.sort();
  const { length } = durations;
  const total = durations.reduce((sum, each) => sum + each, 0);
  const percentile = (percent: number): number =>
    durations[Math.max(0, Math.ceil((percent / 100) * length) - 1)];
  const [p50, p95, p99, longest] = [50, 95, 99, 100].map(percentile);
  return { name, count: length, total, mean: total / length, p50, p95, p99, longest, samples };
}

/** The times of some samples by thread, in order. */
export class CountedTimes {
  readonly #ns: Float64Array;
  readonly #start: Int32Array;

  /** `isCounted`: row of the samples -> whether it is one of them. */
  constructor(
    { start, rows, threads }: SamplesByThread,
    ns: Float64Array,
    isCounted: (row: number) => boolean,
  ) {
    this.#start = new Int32Array(threads + 1);
    this.#ns = new Float64Array(rows.length);
    let length = 0;
    for (let thread = 0; thread < threads; thread++) {
      for (let place = start[thread]; place < start[thread + 1]; place++)
        if (isCounted(rows[place])) this.#ns[length++] = ns[rows[place]];
      this.#start[thread + 1] = length;
    }
  }

  /** The samples in some contexts, each once. `rows`: by thread and start. */
  countIn(
    rows: Int32Array,
    {
      thread,
      from,
      to,
    }: { readonly thread: Int32Array; readonly from: Float64Array; readonly to: Float64Array },
    shift: number,
  ): number {
    let count = 0;
    let last = NONE;
    let counted = -Infinity;
    for (const row of rows) {
      if (thread[row] !== last) counted = -Infinity;
      last = thread[row];
      if (last >= this.#start.length - 1 || to[row] <= counted) continue;
      count += this.#before(last, to[row] + shift) - this.#before(last, Math.max(from[row], counted) + shift);
      counted = to[row];
    }
    return count;
  }

  /** The place of the first sample of a thread that is not before a time. */
  #before(thread: number, ns: number): number {
    let low = this.#start[thread];
    let high = this.#start[thread + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ns[middle] < ns) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function hasSamples({ start, threads }: SamplesByThread, thread: number): boolean {
  return thread < threads && start[thread + 1] > start[thread];
}

/** Threads of the pool that carries virtual threads by default. */
const CARRIER = /^ForkJoinPool-\d+-worker-\d+$/;

function carriesThreads({ threads, methods }: LeanProfile, byThread: SamplesByThread): boolean {
  const isCarrier = threads.name.some(
    (name, thread) => hasSamples(byThread, thread) && CARRIER.test(name ?? ''),
  );
  return (
    isCarrier &&
    methods.names.some((names) =>
      /^(?:java\.lang\.VirtualThread|jdk\.internal\.vm\.Continuation)$/.test(names?.className ?? ''),
    )
  );
}
