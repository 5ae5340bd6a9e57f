import { release } from '../../profile/columns.ts';
import type { SampleTable } from '../../profile/sample-table.ts';
import type { SampleBlocks } from '../values/sample-blocks.ts';
import { byPool } from '../trees/thread-pools.ts';
import { SAMPLE_KINDS } from './self-groups.ts';
import { placesInTime, type TimelineColumns } from './timeline-columns.ts';

/** The lanes on screen, [from, from + count). */
export interface LanesView {
  readonly from: number;
  readonly count: number;
}

/** What threads did when: a lane for each thread; those that cannot be told apart share one. */
export interface ThreadLanes {
  /** Number of lanes, on screen or not. */
  readonly total: number;
  readonly from: number;
  /** Of the lanes on screen: the names of their threads, and these with an id where several have the name. */
  readonly names: readonly string[];
  readonly labels: readonly string[];
  /** lane * buckets + bucket -> 0 without samples, else 1 plus the number in SAMPLE_KINDS that most samples have. */
  readonly kinds: Uint8Array<ArrayBuffer>;
  readonly buckets: number;
}

/** What lanes are made of. */
export interface LaneSamples {
  readonly table: SampleTable;
  /** Row of the SelfTable -> its thread, and its kind: see `SelfGroups`. */
  readonly threads: Int32Array;
  readonly kinds: Int32Array;
  /** Thread -> its name, and its name with its id: see `threadKey`. */
  readonly names: readonly string[];
  readonly ids: readonly string[];
  readonly isOutside: Uint8Array | undefined;
}

/**
 * The lanes of the threads with samples in scope, pools together, in order of first appearance. O(samples), whatever the
 * number of threads. `blocks`: see `placesInTime`.
 */
export function threadLanes(
  { table, threads, kinds, names, ids, isOutside }: LaneSamples,
  columns: Pick<TimelineColumns, 'first' | 'from' | 'bucketNs' | 'samples'>,
  { from, count }: LanesView,
  blocks?: SampleBlocks,
): ThreadLanes {
  const { length, self } = table;
  const isIn = (row: number): boolean => self[row] < threads.length && isOutside?.[self[row]] !== 1;
  const seen = new Uint8Array(names.length);
  for (let row = 0; row < length; row++) if (isIn(row)) seen[threads[self[row]]] = 1;
  /** Name -> the ids of its threads with samples. */
  const idsOf = new Map<string, Set<string>>();
  for (const [thread, name] of names.entries())
    if (seen[thread] === 1) idsOf.set(name, (idsOf.get(name) ?? new Set()).add(ids[thread]));
  // Of all threads, so that one that is seen later takes its place among the others.
  const all = [...byPool([...new Set(names)]).values()].flat().flatMap((name) => {
    const found = [...(idsOf.get(name) ?? [])];
    return found.map((id) => ({ name, id, label: found.length === 1 ? name : id }));
  });
  const shown = all.slice(from, from + count);
  const lanes = new Map(shown.map(({ id }, lane) => [id, lane]));
  const laneOf = ids.map((id) => lanes.get(id) ?? -1);
  const buckets = columns.samples.length;
  const counts = new Uint32Array(shown.length * buckets * SAMPLE_KINDS.length);
  const place = placesInTime(table, columns, blocks);
  for (let row = 0; row < length; row++) {
    if (place[row] < 0 || !isIn(row)) continue;
    const lane = laneOf[threads[self[row]]];
    if (lane >= 0) counts[(lane * buckets + place[row]) * SAMPLE_KINDS.length + kinds[self[row]]]++;
  }
  release(place);
  return {
    total: all.length,
    from,
    names: shown.map(({ name }) => name),
    labels: shown.map(({ label }) => label),
    kinds: mostOf(counts),
    buckets,
  };
}

/** The kind with the most samples of each cell. */
function mostOf(counts: Uint32Array): Uint8Array<ArrayBuffer> {
  const kinds = SAMPLE_KINDS.length;
  const found = new Uint8Array(counts.length / kinds);
  for (let cell = 0; cell < found.length; cell++) {
    let most = 0;
    for (let kind = 0; kind < kinds; kind++) {
      if (counts[cell * kinds + kind] <= most) continue;
      most = counts[cell * kinds + kind];
      found[cell] = kind + 1;
    }
  }
  return found;
}
