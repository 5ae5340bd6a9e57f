import { release } from '../../profile/columns.ts';
import type { SampleTable } from '../../profile/sample-table.ts';
import type { SampleBlocks } from '../values/sample-blocks.ts';
import { poolOf } from '../trees/thread-pools.ts';
import { SAMPLE_KINDS } from './self-groups.ts';
import { placesInTime, type TimelineColumns } from './timeline-columns.ts';

/** What the area of the timeline is divided by: what was running, or the pools of threads. */
export const TIMELINE_LAYERS = ['kind', 'pool'] as const;
export type TimelineLayers = (typeof TIMELINE_LAYERS)[number];

/** A part of the samples over time. */
export interface TimelineLayer {
  /** A SampleKind, or the name of a pool; '' for all other pools. */
  readonly name: string;
  /** Bucket -> samples in scope. */
  readonly samples: Float64Array;
}

/** Pools with a layer of their own. */
const MOST_POOLS = 7;

/** Groups of the rows of a SelfTable. */
export interface SelfGrouping {
  readonly names: readonly string[];
  /** Row -> its group. */
  readonly groupOf: Int32Array;
}

/** By kind of sample. `kinds`: see `SelfGroups`. */
export function byKind(kinds: Int32Array): SelfGrouping {
  return { names: SAMPLE_KINDS, groupOf: kinds };
}

/** By the pools with the most samples, in order of first appearance, so that they keep their places; the others last. */
export function byPool(
  threads: Int32Array,
  threadNames: readonly string[],
  { length, self }: Pick<SampleTable, 'length' | 'self'>,
): SelfGrouping {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  const poolOfThread = threadNames.map((name) => {
    const pool = poolOf(name);
    const number = numbers.get(pool) ?? names.push(pool) - 1;
    numbers.set(pool, number);
    return number;
  });
  const samples = new Float64Array(names.length);
  for (let row = 0; row < length; row++)
    if (self[row] < threads.length) samples[poolOfThread[threads[self[row]]]]++;
  const most = Array.from(names.keys())
    .sort((a, b) => samples[b] - samples[a] || a - b)
    .slice(0, names.length > MOST_POOLS + 1 ? MOST_POOLS : names.length)
    .sort((a, b) => a - b);
  const place = new Int32Array(names.length).fill(most.length);
  for (const [at, pool] of most.entries()) place[pool] = at;
  const shown = most.map((pool) => names[pool]);
  return {
    names: most.length < names.length ? [...shown, ''] : shown,
    groupOf: threads.map((thread) => place[poolOfThread[thread]]),
  };
}

/** The samples of each group over the time of `columns`; groups without samples are left out. `blocks`: see `placesInTime`. */
export function timelineLayers(
  table: SampleTable,
  columns: Pick<TimelineColumns, 'first' | 'from' | 'bucketNs' | 'samples'>,
  { names, groupOf }: SelfGrouping,
  isOutside: Uint8Array | undefined,
  blocks?: SampleBlocks,
): readonly TimelineLayer[] {
  const buckets = columns.samples.length;
  const counts = new Float64Array(names.length * buckets);
  const place = placesInTime(table, columns, blocks);
  const { self } = table;
  for (let row = 0; row < table.length; row++) {
    if (place[row] < 0 || self[row] >= groupOf.length || isOutside?.[self[row]] === 1) continue;
    counts[groupOf[self[row]] * buckets + place[row]]++;
  }
  release(place);
  return names.flatMap((name, at) => {
    const samples = counts.slice(at * buckets, (at + 1) * buckets);
    return samples.some((count) => count > 0) ? [{ name, samples }] : [];
  });
}
